import { counted } from '../../../base/text/text.ts';
import { EXPORT_VERSION } from '../../../conversation/export/envelope.ts';
import type { ImportOutcome } from '../../../conversation/export/import-session.ts';

/** What a session can be exported as; the endings of files as well. */
export const EXPORT_FORMATS = ['json', 'md', 'html'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const NO_OUT = '--force is about the file of --out.';
export const NO_NAME = '--out names no file. Without it a session goes to stdout.';

/** Where an export comes from that has no name. */
export const STDIN = 'what comes on stdin';

const HOLDS = 'It holds prompts, answers, contents of files and what commands printed.';

/** What left, and what is in it: whoever is given the file reads it all. */
export function exported(what: {
  readonly id: string;
  readonly format: ExportFormat;
  readonly out: string | undefined;
  readonly turns: number;
  readonly transcripts: number;
  readonly redacted: boolean;
}): string {
  const { id, format, out, turns, transcripts, redacted } = what;
  const own = format === 'json' ? `, with ${counted(transcripts, 'transcript')}` : '';
  const where = out === undefined ? '' : ` to ${out}`;
  const version = format === 'json' ? ` (version ${EXPORT_VERSION})` : '';
  const secrets = redacted
    ? 'Secrets that were recognised are replaced; look through it before you share it.'
    : 'Secrets in it are as they are: `--redact` replaces those that are recognised.';
  return `Exported ${id}${where}${version}: ${counted(turns, 'turn')}${own}. ${HOLDS} ${secrets}`;
}

export function imported({ sessionId, outcome }: ImportOutcome, own: string): string {
  if (outcome === 'unchanged') return `${sessionId} is there already: nothing was changed.`;
  const forked = outcome === 'forked' ? ` Another session has the id ${own}: it was left as it is.` : '';
  return `Imported ${sessionId}.${forked}\nTo continue: entire session chat --resume ${sessionId}`;
}
