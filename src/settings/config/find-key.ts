import { KEYS, type Key, type KeyName, nameOf } from '../keys.ts';

/** A key as somebody names it. */
export interface AskedKey {
  /** As people write it: `strategy_options.push_sessions`, or git's `entire.pushSessions`. */
  readonly spelling: string;
  readonly name: KeyName;
  readonly key: Key;
  /** In a settings file; of an expression with its label. */
  readonly path: Key['path'];
  /** Named as git knows it: then it is about git's configuration alone. */
  readonly isGits: boolean;
}

const ENTRIES = Object.entries(KEYS) as [KeyName, Key][];

/** The keys that people set, in the order of the table. */
export const SETTABLE: readonly (readonly [KeyName, Key])[] = ENTRIES.filter(([, { takes }]) => takes);

/** What a shell offers. */
export const KEY_NAMES: readonly string[] = SETTABLE.flatMap(([, key]) => [
  nameOf(key),
  ...(key.git ? [key.git] : []),
]);

/** The words that each of these keys takes; none for one that takes something else. */
export const KEY_WORDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  SETTABLE.flatMap(([, key]) =>
    [nameOf(key), ...(key.git ? [key.git] : [])].map((name) => [name, wordsOf(key)]),
  ),
);

function wordsOf({ takes }: Key): readonly string[] {
  if (takes?.kind === 'switch') return ['true', 'false'];
  return takes?.kind === 'word' ? takes.words : [];
}

/** A key that stands for others below it, and is set through them. */
const isSection = ({ path }: Key): boolean =>
  ENTRIES.some(
    ([, other]) => other.path.length > path.length && path.every((word, at) => other.path[at] === word),
  );

/** The key of a name; `undefined` for none. Git's names are read as git reads them, in any case. */
export function findKey(asked: string): AskedKey | undefined {
  const byGit = ENTRIES.find(([, { git }]) => git?.toLowerCase() === asked.toLowerCase());
  if (byGit) return { ...entryOf(byGit), spelling: byGit[1].git ?? asked, isGits: true };
  const plain = ENTRIES.find(([, key]) => nameOf(key) === asked && !isSection(key));
  if (plain) return entryOf(plain);
  const labelled = SETTABLE.find(
    ([, key]) => key.takes?.kind === 'expressions' && asked.startsWith(`${nameOf(key)}.`),
  );
  const label = labelled && asked.slice(nameOf(labelled[1]).length + 1);
  if (!labelled || !label) return undefined;
  return { ...entryOf(labelled), spelling: asked, path: [...labelled[1].path, label] };
}

const entryOf = ([name, key]: readonly [KeyName, Key]): AskedKey => ({
  ...{ spelling: nameOf(key), name, key, path: key.path },
  isGits: false,
});

/** The keys below a word that is no key itself: `redaction.pii` has four. */
export const keysBelow = (word: string): string[] =>
  SETTABLE.map(([, key]) => nameOf(key)).filter((name) => name.startsWith(`${word}.`));

/** What some settings hold that no release knows: paths, with dots between the words. */
export function listUnknown(
  values: Readonly<Record<string, unknown>>,
  above: readonly string[] = [],
): string[] {
  return Object.entries(values).flatMap(([word, value]) => {
    const path = [...above, word];
    const below = ENTRIES.filter(([, key]) => path.every((one, at) => key.path[at] === one));
    if (below.length === 0) return [path.join('.')];
    const deeper = below.some(([, key]) => key.path.length > path.length);
    if (!deeper || value === null) return [];
    return typeof value === 'object' && !Array.isArray(value)
      ? listUnknown(value as Record<string, unknown>, path)
      : [path.join('.')];
  });
}
