import { type CheckpointId, parseCheckpointId } from '../../base/ids.ts';
import { CHECKPOINT_TRAILER, parseTrailerLines, underSubject } from './trailers.ts';

/**
 * Which checkpoints a commit names, and where: the one place that says so. A commit may hold the work of many: `git rebase` puts
 * messages below one another, trailers in the middle, `git merge --squash` indents them, a forge makes a list of them, and what was
 * lost on the way stands in a git note.
 */

/**
 * Where a commit names a checkpoint. `trailer`: in the last block of its message, as git reads trailers; `message`: elsewhere in it; `note`: in
 * its git note.
 */
export type LinkPlace = 'trailer' | 'message' | 'note';

export interface Link {
  readonly id: CheckpointId;
  /** The first of the places that it stands in, as they are named above. */
  readonly place: LinkPlace;
}

/** All checkpoints that a commit names. Anybody can write an id: what is shown of one is what fits (`checkpoint/read/fit.ts`). */
export interface Links {
  /**
   * The commit's own, under which work is stored: the last trailer; else the only one that a note names. What stands elsewhere tells
   * of other commits, and never says where to write.
   */
  readonly own: CheckpointId | undefined;
  /** Each once: the own one first, then those below the subject of the message, then those of the note, as they stand there. */
  readonly all: readonly Link[];
}

/** What `git log` is to print for {@link readLinks}, with {@link WITH_NOTES}: three fields, a NUL between them. */
export const LINK_FIELDS = `%B%x00%N%x00%(trailers:key=${CHECKPOINT_TRAILER},unfold)`;

/** Where commits are linked whose messages could not be. A note holds lines as trailers are. */
export const NOTES_REF = 'refs/notes/entire';

/** Makes `git log` show and search those notes. Where there are none it says so on stderr, and nothing else. */
export const WITH_NOTES = `--notes=${NOTES_REF}`;

/** More of a note is nobody's list of checkpoints: a note may hold anything, and be of any size. */
export const MAX_NOTE_CHARS = 1 << 20;

/** More checkpoints than anybody squashes; a forged list is not followed to its end. */
const MAX_LINKS = 1_000;

/** @param trailers the lines of our trailers in the last block, as git finds them */
export function readLinks(message = '', note = '', trailers = ''): Links {
  if (!`${message}${note}`.includes(CHECKPOINT_TRAILER)) return NO_LINKS; // the usual case
  const inBlock = parseTrailerLines(trailers);
  const [only] = inBlock;
  if (only && inBlock.length === 1 && note === '' && isNamedOnce(message))
    return { own: only, all: [{ id: only, place: 'trailer' }] };
  const below = inBlock.length > 0 ? undefined : underSubject(message);
  const places: Record<LinkPlace, readonly CheckpointId[]> = {
    trailer: below === undefined ? inBlock : [below],
    message: namedCheckpoints(message.slice(message.indexOf('\n') + 1 || message.length)),
    note: namedCheckpoints(note.slice(0, MAX_NOTE_CHARS)),
  };
  const own = places.trailer.at(-1) ?? (places.note.length === 1 ? places.note[0] : undefined);
  return { own, all: listLinks(own, places) };
}

/** Whether our trailer stands in a message once at most, wherever it is: a long history has many of those. */
const isNamedOnce = (message: string): boolean =>
  message.indexOf(CHECKPOINT_TRAILER) === message.lastIndexOf(CHECKPOINT_TRAILER);

const NO_LINKS: Links = { own: undefined, all: [] };

function listLinks(
  own: CheckpointId | undefined,
  { trailer, message, note }: Record<LinkPlace, readonly CheckpointId[]>,
): Link[] {
  const ids = new Set([...(own ? [own] : []), ...message, ...trailer, ...note]);
  const placeOf = (id: CheckpointId): LinkPlace => {
    if (trailer.includes(id)) return 'trailer';
    return message.includes(id) ? 'message' : 'note';
  };
  return [...ids].slice(0, MAX_LINKS).map((id) => ({ id, place: placeOf(id) }));
}

/** The ids alone, in their order. */
export const linkedIds = ({ all }: Links): CheckpointId[] => all.map(({ id }) => id);

/** The same links where a commit is given a checkpoint of its own. */
export const withOwn = (links: Links, own: CheckpointId): Links => ({
  own,
  all: [{ id: own, place: 'note' }, ...links.all.filter(({ id }) => id !== own)],
});

/** All checkpoints that lines of a text name, each once: also indented, or as points of a list. */
export function namedCheckpoints(text: string): CheckpointId[] {
  if (!text.includes(CHECKPOINT_TRAILER)) return [];
  const lines = text.matchAll(ANYWHERE);
  return [...new Set([...lines].flatMap(([, id]) => parseCheckpointId(id) ?? []))];
}

const ANYWHERE = new RegExp(
  `^[ \\t]*(?:[*-][ \\t]+)?${CHECKPOINT_TRAILER}:[ \\t]*([0-9a-f]{12})[ \\t\\r]*$`,
  'gm',
);
