import { plainLine, plainLines } from '../../base/text/lines.ts';
import { readObjects } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';

interface Line {
  readonly text: string;
}

/** A file, by the name that git has for it, and a line that may stand in it. */
export type AskedFile = readonly [name: string, line: Line];

/** What some files hold. */
export interface Held {
  /** Whether a line stands in a file: none in one that is not there, or was not asked about it. */
  has(name: string | undefined, line: Line): boolean;
  /** Whether there is a file of that name, among those that were asked about. */
  isThere(name: string): boolean;
}

/** Files are read some at a time: hundreds of versions of a large one are more than memory should hold. */
const AT_ONCE = 128;

/** Looks for lines in files, and keeps of these no others. A process for so many files. */
export function openHeld(git: Git, asked: readonly AskedFile[]): Held {
  const wanted = new Map<string, Set<string>>();
  for (const [name, { text }] of asked) {
    const texts = wanted.get(name) ?? new Set();
    wanted.set(name, texts.add(plainLine(text)));
  }
  const held = new Map<string, ReadonlySet<string>>();
  const names = [...wanted.keys()];
  for (let at = 0; at < names.length; at += AT_ONCE)
    for (const [name, { data }] of readObjects(git, names.slice(at, at + AT_ONCE))) {
      const lines = plainLines(data.toString('utf8'));
      held.set(name, new Set(lines.filter((line) => wanted.get(name)?.has(line))));
    }
  return {
    has: (name, { text }) => (name !== undefined && held.get(name)?.has(plainLine(text))) || false,
    isThere: (name) => held.has(name),
  };
}
