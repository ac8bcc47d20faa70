import type { ObjectId } from '../base/ids.ts';
import { joinNotes, noteLines, renderNote } from '../git/commit/notes.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import { chooseChanged, chooseForeign, type Sides } from './merge-checkpoint.ts';
import { type NotesTree, readNotesTree, writeNotesTree } from './notes-tree.ts';
import type { Store } from './store.ts';

/** A note beyond this size is none of ours: it is kept, and its lines are not looked at. */
const MAX_NOTE_BYTES = 1 << 20;

type Versions = Sides<readonly ObjectId[]>;

/**
 * The union of two trees of notes: commutative, associative and idempotent, whatever is in them and however git has laid
 * them out. Of each commit's note the union of lines; a line that one side took away since `base` is gone. What has no
 * lines (binary, empty, huge) is kept as it is, beside the note where that is taken.
 *
 * @param base the tree both came from; `undefined` for histories that never met
 * @returns the id of the merged tree
 * @throws {EntireError} `GIT_FAILED`
 */
export function mergeNotes(store: Store, base: ObjectId | undefined, a: ObjectId, b: ObjectId): ObjectId {
  if (a === b || b === base) return a;
  if (a === base) return b;
  const [origin, left, right] = [base, a, b].map((tree) =>
    tree === undefined ? NOTHING : readNotesTree(store, tree),
  ) as [NotesTree, NotesTree, NotesTree];
  const notes = new Map<string, readonly ObjectId[]>();
  const open: { commit: string; versions: Versions }[] = [];
  for (const commit of new Set([...left.notes.keys(), ...right.notes.keys()])) {
    const at = (tree: NotesTree) => tree.notes.get(commit) ?? [];
    const versions = { base: at(origin), a: at(left), b: at(right) };
    const decided = decide(versions);
    if (decided === undefined) open.push({ commit, versions });
    else if (decided.length === 1) notes.set(commit, decided);
  }
  for (const [commit, oids] of mergeEach(store, open)) if (oids.length > 0) notes.set(commit, oids);
  const others = new Map<string, TreeEntry>();
  for (const path of new Set([...left.others.keys(), ...right.others.keys()])) {
    const sides = {
      base: origin.others.get(path),
      a: left.others.get(path),
      b: right.others.get(path),
    };
    const chosen = chooseChanged(sides);
    const entry = chosen === 'both' ? chooseForeign(sides.a, sides.b) : chosen;
    if (entry) others.set(path, entry);
  }
  return writeNotesTree(store, { notes, others });
}

const NOTHING: NotesTree = { notes: new Map(), others: new Map() };

/** The side that counts whole; `undefined` where lines have to be looked at. */
function decide({ base, a, b }: Versions): readonly ObjectId[] | undefined {
  if ([base, a, b].some(({ length }) => length > 1)) return undefined;
  const isSame = (x: readonly ObjectId[], y: readonly ObjectId[]) => x.join() === y.join();
  if (isSame(a, b) || isSame(b, base)) return a;
  if (isSame(a, base)) return b;
  return undefined;
}

/** The lines of a note, and contents that have none. */
interface Said {
  readonly lines: ReadonlySet<string>;
  readonly blobs: ReadonlySet<ObjectId>;
}

function mergeEach(
  store: Store,
  open: readonly { commit: string; versions: Versions }[],
): Map<string, readonly ObjectId[]> {
  const oids = open.flatMap(({ versions: { base, a, b } }) => [...base, ...a, ...b]);
  const sizes = store.readSizes([...new Set(oids)]);
  const texts = store.readTexts([...sizes].flatMap(([oid, size]) => (size <= MAX_NOTE_BYTES ? oid : [])));
  const merged = open.map(({ commit, versions }) => ({ commit, ...mergeOne(versions, texts) }));
  const spoken = merged.filter(({ lines }) => lines.length > 0);
  const written = store.writeTexts(spoken.map(({ lines }) => renderNote(lines)));
  const texted = new Map(spoken.map(({ commit }, at) => [commit, written[at] as ObjectId]));
  return new Map(
    merged.map(({ commit, blobs }) => {
      const text = texted.get(commit);
      return [commit, text === undefined ? blobs : [text, ...blobs]];
    }),
  );
}

/** What comes out: lines that are to be written, and contents as they are. */
interface Outcome {
  readonly lines: readonly string[];
  readonly blobs: readonly ObjectId[];
}

function mergeOne({ base, a, b }: Versions, texts: ReadonlyMap<ObjectId, string>): Outcome {
  const [origin, left, right] = [base, a, b].map((side) => read(side, texts)) as [Said, Said, Said];
  // Who says the same as before, in other words, has changed nothing.
  if (isSaid(left, origin))
    return asItIs(...(isSaid(right, origin) ? ([base, origin] as const) : ([b, right] as const)));
  if (isSaid(right, origin)) return asItIs(a, left);
  const lines = mergeSets({ base: origin.lines, a: left.lines, b: right.lines });
  const blobs = mergeSets({ base: origin.blobs, a: left.blobs, b: right.blobs });
  return { lines, blobs: blobs.sort().reverse() };
}

/** Contents that stand there twice are made one. */
const asItIs = (oids: readonly ObjectId[], { lines, blobs }: Said): Outcome =>
  oids.length < 2 ? { lines: [], blobs: oids } : { lines: [...lines], blobs: [...blobs].sort().reverse() };

const isSaid = (a: Said, b: Said): boolean =>
  isSubset(a.lines, b.lines) &&
  isSubset(b.lines, a.lines) &&
  isSubset(a.blobs, b.blobs) &&
  isSubset(b.blobs, a.blobs);

const isSubset = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean => [...a].every((one) => b.has(one));

/** Of each thing, the side that changed: what was not there is there if either has it, what was there if both have it. */
function mergeSets<T>({ base, a, b }: Sides<ReadonlySet<T>>): T[] {
  return [...new Set([...a, ...b])].filter((one) => (base.has(one) ? a.has(one) && b.has(one) : true));
}

function read(oids: readonly ObjectId[], texts: ReadonlyMap<ObjectId, string>): Said {
  let text: string | undefined;
  const blobs = new Set<ObjectId>();
  for (const oid of oids) {
    const one = texts.get(oid);
    if (one === undefined || !isText(one)) blobs.add(oid);
    else text = text === undefined ? one : joinNotes(text, one);
  }
  return { lines: new Set(text === undefined ? [] : noteLines(text)), blobs };
}

/** What is no UTF-8 was read with U+FFFD in its place. */
const isText = (text: string): boolean => !/[\0\uFFFD]/.test(text) && noteLines(text).length > 0;
