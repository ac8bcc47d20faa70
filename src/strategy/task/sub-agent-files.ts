import { transcriptFormatOf } from '../../agents/registry.ts';
import type { SubagentNote, TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { describeError } from '../../base/errors.ts';
import { parseToolUseId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { readRange, transcriptSize } from '../transcript/file.ts';
import { LIMITS, readPieces } from '../transcript/pieces.ts';
import { type Mask, maskLines } from '../transcript/private.ts';
import type { ToldTurn } from '../work.ts';

/** Where a sub-agent's transcript may be, the likeliest first. */
export function subagentTranscripts(
  turn: ToldTurn,
  agentId: string | undefined,
  declared?: string,
): string[] {
  const said = declared ? [declared] : [];
  if (!agentId || !turn.transcriptPath) return said;
  const format = transcriptFormatOf(turn.agentType);
  return [...said, ...format.subagentTranscripts(turn.transcriptPath, turn.sessionId, agentId)];
}

/** What the client notes of a sub-agent beside its transcript; current clients name the tool call there. */
export function readSubagentNote(turn: ToldTurn, transcripts: readonly string[]): SubagentNote | undefined {
  const format = transcriptFormatOf(turn.agentType);
  const notes = transcripts.map((path) =>
    format.parseSubagentNote(readText(undefined, format.subagentNote(path))),
  );
  return notes.find((note) => note && parseToolUseId(note.toolUseId));
}

/** The first lines of a long part, those that are long in their short form; what follows is left out, and the log says so. */
function readLong(path: string, start: number, end: number, mask: Mask | undefined): string {
  const kept: Buffer[] = [];
  let [total, at] = [0, start];
  for (const { bytes, end: next } of readPieces(path, start, end, LIMITS, mask)) {
    if (total + bytes.length > LIMITS.partBytes) break;
    kept.push(bytes);
    total += bytes.length;
    at = next;
  }
  log('warn', 'a long transcript of a sub-agent is cut', {
    file: path,
    bytes: end - start,
    left_out: end - at,
  });
  return Buffer.concat(kept).toString('utf8');
}

/**
 * A file of the client's from a byte on; empty when it is missing, or is not read.
 *
 * @param format that of a transcript; `undefined` for what lies beside one
 * @param mask what of it is private
 */
export function readText(format: TranscriptFormat | undefined, path: string, start = 0, mask?: Mask): string {
  const size = transcriptSize(path, format);
  if (!size) return '';
  try {
    const from = start <= size ? start : 0;
    return size - from <= LIMITS.partBytes
      ? maskLines(mask, readRange(path, from, size)).toString('utf8')
      : readLong(path, from, size, mask);
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: path, error: describeError(error) });
    return '';
  }
}
