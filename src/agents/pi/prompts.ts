/** A skill that was called is in the prompt with all that it says; what was typed behind it follows. */
const SKILL = /^<skill name="([^"<>]*)"[^<>]*>/;
const SKILL_END = '\n</skill>';

/** One prompt as it was typed. */
export function cleanPrompt(text: string): string {
  const trimmed = text.trim();
  const [opening, name] = SKILL.exec(trimmed) ?? [];
  const end = opening === undefined ? -1 : trimmed.indexOf(SKILL_END, opening.length);
  if (end === -1) return trimmed;
  return `/skill:${name} ${trimmed.slice(end + SKILL_END.length).trim()}`.trim();
}
