import type { ObjectId } from '../../base/ids.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { GIT_AI_REF, listNotes, readNotes, writeNote } from '../../git/commit/foreign-notes.ts';
import { blobId } from '../../git/object/objects.ts';
import { writeBlobs } from '../../git/object/trees.ts';
import type { Git } from '../../git/run.ts';
import { OWN_ATTRIBUTE } from './git-ai.ts';

/** A note that a commit is to have. */
export interface WantedNote {
  readonly commit: ObjectId;
  readonly text: string;
}

/** What became of them. */
export interface WrittenNotes {
  readonly written: readonly ObjectId[];
  /** They had it already. */
  readonly unchanged: readonly ObjectId[];
  /** They have one that another program wrote, which stays. */
  readonly foreign: readonly ObjectId[];
}

/** A note of ours is not longer: what is, somebody else wrote. */
const MAX_BYTES = 16 << 20;

/** Writes notes for git-ai beside commits. One that another program wrote is never replaced, and nothing is pushed. */
export function writeGitAiNotes(
  git: Git,
  notes: readonly WantedNote[],
  onProgress?: (done: number) => void,
): WrittenNotes {
  const there = notes.length === 0 ? new Map<ObjectId, ObjectId>() : listNotes(git, GIT_AI_REF);
  const isThere = ({ commit, text }: WantedNote): boolean => there.get(commit) === blobId(text, commit);
  const changed = notes.filter((note) => !isThere(note));
  const others = changed.flatMap(({ commit }) => there.get(commit) ?? []);
  const contents = readNotes(git, others, MAX_BYTES);
  const isFree = ({ commit }: WantedNote): boolean => {
    const blob = there.get(commit);
    return blob === undefined || isOwn(contents.get(blob));
  };
  const wanted = changed.filter(isFree);
  const blobs = writeBlobs(
    git,
    wanted.map(({ text }) => text),
  );
  for (const [at, { commit }] of wanted.entries()) {
    writeNote(git, GIT_AI_REF, commit, blobs[at] as ObjectId);
    onProgress?.(at + 1);
  }
  return {
    written: wanted.map(({ commit }) => commit),
    unchanged: notes.filter(isThere).map(({ commit }) => commit),
    foreign: changed.filter((note) => !isFree(note)).map(({ commit }) => commit),
  };
}

/** All of its sessions are marked as ours, and no version of git-ai says that it wrote the note. */
function isOwn(note: Buffer | undefined): boolean {
  const text = note?.toString('utf8') ?? '';
  const at = text.lastIndexOf('\n---\n');
  const document = at === -1 ? undefined : parseJson(text.slice(at + '\n---\n'.length));
  if (!isObject(document) || document.git_ai_version || !isObject(document.sessions)) return false;
  const sessions = Object.values(document.sessions);
  return (
    sessions.length > 0 &&
    sessions.every(
      (session) =>
        isObject(session) &&
        isObject(session.custom_attributes) &&
        typeof session.custom_attributes[OWN_ATTRIBUTE] === 'string',
    )
  );
}
