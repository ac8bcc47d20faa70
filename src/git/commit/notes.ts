import { type CheckpointId, type ObjectId, parseObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { readObjects, renderData, renderPerson, retryWhenMoved, runFastImport } from '../object/objects.ts';
import { readIdentity, readRef } from '../ref/refs.ts';
import { type Git, gitText } from '../run.ts';
import { MAX_NOTE_CHARS, NOTES_REF, namedCheckpoints } from './links.ts';
import { CHECKPOINT_TRAILER } from './trailers.ts';

/**
 * Writes git notes: a line for each checkpoint, as a trailer is. What else stands in a note is somebody's, and stays. Who writes holds the
 * lock of `session/notes-lock.ts`: git itself knows none for notes.
 */

/** Links a commit that is already made. See {@link noteCheckpoints}. */
export const noteCheckpoint = (git: Git, commit: ObjectId, id: CheckpointId): ObjectId[] =>
  noteCheckpoints(git, new Map([[commit, [id]]]));

/**
 * Adds checkpoints to the notes of commits, as far as they are not there; where all are, nothing is written. Works also where git knows nobody's
 * name. Four processes at most, however many commits there are.
 *
 * @returns commits that have a new note
 * @throws {EntireError} `GIT_FAILED`, `REF_LOCKED`, `REF_MOVED`
 */
export function noteCheckpoints(git: Git, links: ReadonlyMap<ObjectId, readonly CheckpointId[]>): ObjectId[] {
  const asked = new Map([...links].filter(([, ids]) => ids.length > 0));
  if (asked.size === 0) return [];
  return retryWhenMoved(() => {
    const tip = readRef(git, NOTES_REF);
    const known = tip ? readNotes(git, [...asked.keys()]) : new Map<ObjectId, string | undefined>();
    const changed = [...asked].flatMap(([commit, ids]) => {
      const before = known.has(commit) ? known.get(commit) : '';
      const note = before === undefined ? undefined : addToNote(before, ids);
      if (note === undefined) log('warn', 'note left alone: it is too large', { commit });
      return note === undefined || note === before ? [] : [[commit, note] as const];
    });
    if (changed.length > 0) writeNotes(git, tip, changed);
    return changed.map(([commit]) => commit);
  });
}

/**
 * The notes of commits, as they are stored: bytes, one a character; `undefined` for one that is too large to be read. Three processes at most,
 * however many commits there are.
 */
export function readNotes(git: Git, commits: readonly ObjectId[]): Map<ObjectId, string | undefined> {
  const blobs = listNotes(git, commits);
  if (blobs.size === 0) return new Map();
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const input = [...new Set(blobs.values())].map((blob) => `${blob}\n`).join('');
  const sizes = gitText(git, args, { input }).split('\n');
  const small = sizes.flatMap((line) => {
    const [blob = '', size] = line.split(' ');
    return Number(size) <= MAX_NOTE_CHARS ? [blob] : [];
  });
  const read = readObjects(git, small);
  return new Map([...blobs].map(([commit, blob]) => [commit, read.get(blob)?.data.toString('latin1')]));
}

/** Blobs by commit: git alone knows in which folders of the tree a note may lie. */
function listNotes(git: Git, commits: readonly ObjectId[]): Map<ObjectId, ObjectId> {
  const args = ['notes', `--ref=${NOTES_REF}`, 'list'];
  const [only] = commits;
  if (only && commits.length === 1) {
    const blob = parseObjectId(gitText(git, [...args, only], { okCodes: [0, 1] }));
    return new Map(blob ? [[only, blob]] : []);
  }
  const wanted = new Set<string>(commits);
  return new Map(
    gitText(git, args)
      .split('\n')
      .flatMap((line) => {
        const [blob, commit] = line.split(' ');
        return commit && wanted.has(commit) ? [[commit as ObjectId, blob as ObjectId] as const] : [];
      }),
  );
}

/** Git finds the place of each note in the tree, and moves the others where there are more now than one folder is to hold. */
function writeNotes(
  git: Git,
  tip: ObjectId | undefined,
  notes: readonly (readonly [ObjectId, string])[],
): void {
  const parts: Array<string | Uint8Array> = ['feature done\n', `commit ${NOTES_REF}\nmark :1\n`];
  parts.push(`committer ${renderPerson(readIdentity(git))} now\n`, ...renderData('Checkpoints noted\n'));
  if (tip) parts.push(`from ${tip}\n`);
  for (const [commit, note] of notes)
    parts.push(`N inline ${commit}\n`, ...renderData(Buffer.from(note, 'latin1')));
  parts.push('\nget-mark :1\ndone\n');
  runFastImport(git, parts, {
    options: ['--date-format=now'],
    count: notes.length,
    what: `${NOTES_REF} could not be moved`,
  });
}

const lineOf = (id: CheckpointId): string => `${CHECKPOINT_TRAILER}: ${id}`;

/**
 * A note with checkpoints added, each once. The text is bytes, one a character.
 *
 * @returns `undefined` where it would be larger than what is read of a note
 */
export function addToNote(note: string, ids: readonly CheckpointId[]): string | undefined {
  const there = namedCheckpoints(note);
  const missing = [...new Set(ids)].filter((id) => !there.includes(id));
  if (missing.length === 0) return note;
  const added = missing.map((id) => `${lineOf(id)}\n`).join('');
  const above = note === '' || note.endsWith('\n') ? note : `${note}\n`;
  const last = above.trimEnd().split('\n').at(-1) ?? '';
  const isBelowOurs = last === '' || namedCheckpoints(last).length > 0;
  const whole = `${above}${isBelowOurs ? '' : '\n'}${added}`;
  return whole.length > MAX_NOTE_CHARS ? undefined : whole;
}

/** What a note says, line by line: their order and blank lines between them mean nothing. */
export const noteLines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** A note of these lines: sorted and each once, so that it does not matter who wrote which of them first. */
export const renderNote = (lines: Iterable<string>): string =>
  [...new Set(lines)]
    .sort()
    .map((line) => `${line}\n`)
    .join('');

/** The union of two notes of one commit. What is the same stays as it is, byte for byte. */
export const joinNotes = (a: string, b: string): string =>
  a === b ? a : renderNote([...noteLines(a), ...noteLines(b)]);
