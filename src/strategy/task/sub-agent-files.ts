import { transcriptFormatOf } from '../../agents/registry.ts';
import type { SubagentNote, TranscriptFormat } from '../../agents/transcript.ts';
import { describeError } from '../../base/errors.ts';
import { parseToolUseId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { readRange, transcriptSize } from '../transcript/file.ts';
import type { Turn } from '../work.ts';

/** Where a sub-agent's transcript may be, the likeliest first. */
export function subagentTranscripts(turn: Turn, agentId: string | undefined, declared?: string): string[] {
  const said = declared ? [declared] : [];
  if (!agentId || !turn.transcriptPath) return said;
  const format = transcriptFormatOf(turn.agentType);
  return [...said, ...format.subagentTranscripts(turn.transcriptPath, turn.sessionId, agentId)];
}

/** What the client notes of a sub-agent beside its transcript; current clients name the tool call there. */
export function readSubagentNote(turn: Turn, transcripts: readonly string[]): SubagentNote | undefined {
  const format = transcriptFormatOf(turn.agentType);
  const notes = transcripts.map((path) =>
    format.parseSubagentNote(readText(undefined, format.subagentNote(path))),
  );
  return notes.find((note) => note && parseToolUseId(note.toolUseId));
}

/**
 * A file of the client's from a byte on; empty when it is missing, or is not read.
 *
 * @param format that of a transcript; `undefined` for what lies beside one
 */
export function readText(format: TranscriptFormat | undefined, path: string, start = 0): string {
  const size = transcriptSize(path, format);
  if (!size) return '';
  try {
    return readRange(path, start <= size ? start : 0, size).toString('utf8');
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: path, error: describeError(error) });
    return '';
  }
}
