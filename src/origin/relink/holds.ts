import { describeError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { oncePer } from '../../base/once.ts';
import { plainLine, plainLines } from '../../base/text/lines.ts';
import { readObjects } from '../../git/object/objects.ts';
import { cutBySize, findBlobs } from '../../git/object/sizes.ts';
import { type Git, runGit, splitNul } from '../../git/run.ts';

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

/**
 * Looks for lines in files, and keeps of these no others: hundreds of versions of a large file are more than memory should hold, so that they
 * are read some at a time. Two processes; more only for what is large.
 */
export function openHeld(git: Git, asked: readonly AskedFile[]): Held {
  const blobs = findBlobs(git, [...new Set(asked.map(([name]) => name))]);
  const wanted = new Map<ObjectId, Set<string>>();
  for (const [name, { text }] of asked) {
    const oid = blobs.get(name)?.oid;
    if (!oid) continue;
    const texts = wanted.get(oid) ?? new Set();
    wanted.set(oid, texts.add(plainLine(text)));
  }
  const held = new Map<string, ReadonlySet<string>>();
  for (const batch of cutBySize(new Map([...blobs.values()].map(({ oid, size }) => [oid, size] as const))))
    for (const [oid, { data }] of readObjects(git, batch)) {
      const texts = wanted.get(oid as ObjectId) ?? new Set();
      const found = new Set(plainLines(data.toString('utf8')).filter((line) => texts.has(line)));
      // The text as it was asked for: one that was cut out of a file keeps all of that in memory.
      held.set(oid, new Set([...texts].filter((text) => found.has(text))));
    }
  return {
    has: (name, { text }) => held.get(blobs.get(name ?? '')?.oid ?? '')?.has(plainLine(text)) ?? false,
    isThere: (name) => blobs.has(name),
  };
}

/**
 * Makes what finds the files of a commit that have a line, also as a part of a longer one; `undefined` where that cannot be told. One process for each
 * commit and line, which looks through all files that there are.
 */
export function openFilesWith(git: Git): (commit: string, line: Line) => readonly string[] | undefined {
  const look = (commit: string, text: string): readonly string[] | undefined => {
    if (text === '' || text.length > MAX_PATTERN || text.includes(UNREADABLE)) return undefined;
    try {
      const which = ['-z', '--files-with-matches', '--fixed-strings', '-e', text, commit, '--'];
      const { stdout } = runGit(git, ['grep', '--no-color', ...which], { okCodes: [0, 1] });
      return splitNul(stdout)
        .filter((name) => name !== '')
        .map((name) => name.slice(commit.length + 1));
    } catch (error) {
      log('warn', 'files of a commit not searched', { commit, error: describeError(error) });
      return undefined;
    }
  };
  const filesWith = oncePer((commit, text) => `${commit}\0${text}`, look);
  return (commit, line) => filesWith(commit, sameHoweverWritten(line.text));
}

/** The longest part of a line that is the same whichever quotes it has, and whatever ends it: {@link plainLine} takes these for one. */
const sameHoweverWritten = (text: string): string =>
  text
    .split(/["'`]|[\s;,]+$|^\s+/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');

/** More is no line that somebody wrote, and no argument of a process. */
const MAX_PATTERN = 4096;
/** What stands in a text for bytes that are no UTF-8. */
const UNREADABLE = '\uFFFD';
