import type { TranscriptEntry } from './transcript.ts';

/** Entries as people and models read them, a blank line between them; with files, those are named at the end. */
export function renderEntries(entries: readonly TranscriptEntry[], files: readonly string[] = []): string {
  const parts = entries.map(renderEntry);
  if (files.length > 0) parts.push(['[Files Modified]', ...files.map((file) => `- ${file}`)].join('\n'));
  return parts.join('\n\n');
}

function renderEntry(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'user':
      return `[User] ${entry.text}`;
    case 'assistant':
      return `[Assistant] ${entry.text}`;
    case 'tool':
      return `[Tool] ${entry.name}${entry.detail === '' ? '' : `: ${entry.detail}`}`;
  }
}
