import { asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { parseApplyPatch } from '../apply-patch.ts';
import { linesOf } from '../transcript/recorded-lines.ts';
import type { EditRecord, RecordedEdit } from '../transcript/transcript.ts';
import { isShell, parseRows, type Row, toolCall, toolOutput } from './rows.ts';
import { mentionedAgents } from './sub-agents.ts';

/** What patches wrote, the paths in the order in which they were first named. */
export const readFilesTouched = (transcript: string): string[] => [
  ...new Set(editsOf(parseRows(transcript)).map(({ path }) => path)),
];

/**
 * What patches wrote, line by line. The client notes what each did to which file, whether it came as a call of
 * `apply_patch` or in a shell command; of a call without such a note the envelope has to do, unless it failed. What
 * commands and other programs' tools write is on no record.
 */
export function readEdits(transcript: string): EditRecord {
  const rows = parseRows(transcript);
  const noted = new Set(rows.flatMap((row) => changesOf(row)?.id ?? []));
  const isQuiet = (row: Row): boolean => {
    const call = toolCall(row);
    if (call?.isForeign) return true;
    if (!isShell(row)) return false;
    return !noted.has(call?.id ?? (asText(row.payload.id) || asText(row.payload.call_id)));
  };
  return {
    edits: editsOf(rows),
    agents: [...new Set(rows.flatMap(mentionedAgents))],
    isComplete: !rows.some(isQuiet),
  };
}

function editsOf(rows: readonly Row[]): RecordedEdit[] {
  const noted = new Set(rows.flatMap((row) => changesOf(row)?.id ?? []));
  const failed = new Set(
    rows.flatMap((row) => {
      const answer = toolOutput(row);
      return answer && !answer.output.includes(SUCCESS) ? answer.id : [];
    }),
  );
  return rows.flatMap((row) => {
    const changes = changesOf(row);
    if (changes) return changes.edits;
    const call = toolCall(row);
    if (call?.name !== 'apply_patch' || noted.has(call.id) || failed.has(call.id)) return [];
    return parseApplyPatch(envelopeOf(call.input)).flatMap(({ path, movedTo, lines }) =>
      movedTo === undefined ? written(path, lines) : [...written(path, []), ...written(movedTo, lines)],
    );
  });
}

/** What the client tells the model of a patch that it applied. */
const SUCCESS = 'Success. Updated the following files';

/** Older releases have the envelope among the members of a function call. */
function envelopeOf(input: string): string {
  const members = input.startsWith('{') ? parseJson(input) : undefined;
  return isObject(members) ? asText(members.input) || asText(members.patch) : input;
}

/** The note of a patch that was applied: items of today's clients, events of older ones. Paths are absolute. */
function changesOf({ kind, payload }: Row): { id: string; edits: RecordedEdit[] } | undefined {
  const isItem = kind === 'FileChange' && payload.status !== 'failed' && payload.status !== 'declined';
  const isEvent = kind === 'patch_apply_end' && payload.success !== false;
  if ((!isItem && !isEvent) || !isObject(payload.changes)) return undefined;
  const edits = Object.entries(payload.changes).flatMap(([path, change]) =>
    path !== '' && isObject(change) ? changed(path, change) : [],
  );
  return { id: asText(payload.id) || asText(payload.call_id), edits };
}

function changed(path: string, change: JsonObject): RecordedEdit[] {
  switch (change.type) {
    case 'add':
      return written(path, linesOf(asText(change.content)));
    case 'delete':
      return written(path, []);
    case 'update': {
      const to = asText(change.move_path);
      const lines = addedLines(asText(change.unified_diff));
      return to === '' || to === path ? written(path, lines) : [...written(path, []), ...written(to, lines)];
    }
    default:
      return [{ path, lines: undefined, fragments: [] }];
  }
}

const written = (path: string, lines: readonly string[]): RecordedEdit[] => [{ path, lines, fragments: [] }];

/** The lines that a unified difference adds. Its hunks have no file headers before them. */
const addedLines = (diff: string): string[] =>
  diff.split('\n').flatMap((line) => (line.startsWith('+') ? line.slice(1).replace(/\r$/, '') : []));
