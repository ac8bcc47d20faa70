import type { ObjectId } from '../../base/ids.ts';
import { truncateBytes } from '../../base/text/text.ts';
import type { SlotTexts } from '../../checkpoint/committed.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { PROMPT_SEPARATOR, type RedactedTranscript, toStored } from './redacted.ts';

const CONTEXT_PROMPT_BYTES = 500;

/**
 * The texts of a session for a committed checkpoint: whole transcript, all prompts, and a digest of them.
 *
 * @throws {EntireError} `REDACTION_FAILED`
 */
export async function slotTexts(
  transcript: RedactedTranscript,
  firstPrompt: string,
  like: ObjectId,
): Promise<SlotTexts> {
  const prompts = transcript.prompts || (firstPrompt === '' ? '' : await redactText(firstPrompt));
  return textsWith(prompts, transcript, like);
}

/** The whole transcript with some of its prompts, redacted, and a digest of those. */
export const textsWith = (prompts: string, transcript: RedactedTranscript, like: ObjectId): SlotTexts => ({
  transcript: toStored(transcript, like),
  prompts,
  context: prompts === '' ? '' : renderContext(prompts.split(PROMPT_SEPARATOR)),
});

/** A digest of prompts, redacted, for people. */
export function renderContext(prompts: readonly string[]): string {
  const sections = prompts.map((prompt, index) => {
    return `### Prompt ${index + 1}\n\n${truncateBytes(prompt, CONTEXT_PROMPT_BYTES, '...')}\n\n`;
  });
  return `# Session Context\n\n## User Prompts\n\n${sections.join('')}`;
}
