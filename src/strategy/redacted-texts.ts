import type { TranscriptFormat } from '../agents/transcript.ts';
import { truncateBytes } from '../base/text.ts';
import type { SlotTexts } from '../checkpoint/committed.ts';
import { redactJsonLines, redactText } from '../checkpoint/redact.ts';

/** Between two prompts in `prompt.txt`. */
export const PROMPT_SEPARATOR = '\n\n---\n\n';
const CONTEXT_PROMPT_BYTES = 500;

/**
 * The texts of a session for a committed checkpoint: whole transcript, all prompts, and a digest of them. Redacted
 * before they get anywhere near a git object.
 *
 * @throws {EntireError} `REDACTION_FAILED`; nothing unredacted is ever returned
 */
export async function redactedTexts(
  format: TranscriptFormat,
  transcript: string,
  firstPrompt: string,
): Promise<SlotTexts> {
  const fromTranscript = format.readPrompts(transcript);
  const prompts = fromTranscript.length > 0 || firstPrompt === '' ? fromTranscript : [firstPrompt];
  // Redacted before anything is cut short: half of a secret looks like none.
  const redacted = prompts.length === 0 ? '' : await redactText(prompts.join(PROMPT_SEPARATOR));
  return {
    transcript: transcript === '' ? '' : await redactJsonLines(transcript),
    prompts: redacted,
    context: prompts.length === 0 ? '' : renderContext(redacted.split(PROMPT_SEPARATOR)),
  };
}

function renderContext(prompts: readonly string[]): string {
  const sections = prompts.map((prompt, index) => {
    return `### Prompt ${index + 1}\n\n${truncateBytes(prompt, CONTEXT_PROMPT_BYTES, '...')}\n\n`;
  });
  return `# Session Context\n\n## User Prompts\n\n${sections.join('')}`;
}
