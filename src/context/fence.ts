/** A block that no content can end: its fence is longer than any run of backticks in it. */
export function fence(content: string, language: string): string {
  const longest = (content.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${content.replace(/\n$/, '')}\n${mark}`;
}
