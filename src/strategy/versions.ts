import { createHash } from 'node:crypto';
import { describeError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { plainLine } from '../base/plain-line.ts';
import { readObjects, type TreeEntry } from '../git/objects.ts';
import type { Git } from '../git/run.ts';
import { readSizes } from '../git/sizes.ts';
import { readBlob } from '../snapshot/chunks.ts';
import { canRun, type FileState } from '../snapshot/file-state.ts';
import { isBinary } from './attribution/texts.ts';

/** Larger contents are not looked at. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Of more bytes in all, what git has is not looked at. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** What was at a path, as far as it can be held against what was there at another time. */
export interface Version {
  readonly kind: 'missing' | 'file' | 'link';
  /** `undefined` where only the object's name is known, as of what is too large. */
  readonly sha256?: string | undefined;
  readonly canRun?: boolean;
  /** Latin-1, so that each byte is a character, with the line ends of Unix; of what is no text, or too large, it is not known. */
  readonly text?: string | undefined;
  /** Lines of the text without what a formatter decides, blank ones left out. */
  readonly lines?: ReadonlySet<string>;
}

/** What tells versions, as far as they are known; `undefined` for any other. */
export interface Versions {
  ofState(state: FileState | undefined): Version | undefined;
  /** @param entry `undefined`: there is no file */
  ofEntry(entry: Pick<TreeEntry, 'oid' | 'mode'> | undefined): Version | undefined;
}

const MISSING: Version = { kind: 'missing', text: '', lines: new Set() };

/**
 * Reads versions of files. Two processes at most, which look up what git has; what git cannot read is not known.
 *
 * @param store of the session whose states are asked for
 */
export function openVersions(
  git: Git,
  store: string,
  states: Iterable<FileState | undefined>,
  entries: Iterable<TreeEntry | undefined> = [],
): Versions {
  const oids = new Set<ObjectId>();
  for (const state of states) if (state?.kind === 'git') oids.add(state.oid as ObjectId);
  for (const entry of entries) if (entry) oids.add(entry.oid);
  const objects = readSmall(git, [...oids]);
  const known = new Map<string, Version | undefined>();
  const once = (key: string, read: () => Version | undefined): Version | undefined => {
    if (!known.has(key)) known.set(key, read());
    return known.get(key);
  };
  const ofGit = (oid: string, mode: string): Version | undefined =>
    once(`${mode} ${oid}`, () => {
      if (mode === '160000') return undefined;
      if (mode === '120000') return linkTo(objects.get(oid)?.data);
      return { ...textVersion(objects.get(oid)?.data), canRun: mode === '100755' };
    });
  return {
    ofEntry: (entry) => (entry ? ofGit(entry.oid, entry.mode) : MISSING),
    ofState(state) {
      if (state?.kind === 'missing') return MISSING;
      if (state?.kind === 'git') return ofGit(state.oid, state.mode);
      if (state?.kind === 'link') return { kind: 'link', sha256: state.sha256 };
      if (state?.kind !== 'file') return undefined;
      return once(`${canRun(state)} ${state.sha256}`, () => ({
        ...textVersion(readKept(store, state)),
        sha256: state.sha256,
        canRun: canRun(state),
      }));
    },
  };
}

const plainLines = (text: string): Set<string> =>
  new Set(
    text
      .split('\n')
      .map(plainLine)
      .filter((line) => line !== ''),
  );

/** Whether both have the same content; `undefined` where that is not known. Of modes it says nothing. */
export function isSameContent(a: Version, b: Version): boolean | undefined {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'missing') return true;
  if (a.text !== undefined && b.text !== undefined) return a.text === b.text;
  return a.sha256 === undefined || b.sha256 === undefined ? undefined : a.sha256 === b.sha256;
}

/** The bytes of a file that a store keeps; `undefined` for what is no file, too large, or gone as after gc. */
export function readKept(store: string, state: FileState | undefined): Buffer | undefined {
  if (state?.kind !== 'file' || state.size > MAX_BYTES) return undefined;
  try {
    return readBlob(store, state.sha256);
  } catch {
    return undefined;
  }
}

function textVersion(bytes: Buffer | undefined): Version {
  const sha256 = bytes && digestOf(bytes);
  if (!bytes || isBinary(bytes)) return { kind: 'file', sha256 };
  const text = bytes.toString('latin1').replaceAll('\r\n', '\n');
  return { kind: 'file', sha256, text, lines: plainLines(text) };
}

const linkTo = (target: Buffer | undefined): Version => ({
  kind: 'link',
  sha256: target && digestOf(target),
});

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function readSmall(git: Git, oids: readonly ObjectId[]): ReturnType<typeof readObjects> {
  if (oids.length === 0) return new Map();
  try {
    let total = 0;
    const small = [...readSizes(git, oids)].flatMap(([oid, size]) => {
      if (size > MAX_BYTES || total + size > MAX_TOTAL_BYTES) return [];
      total += size;
      return oid;
    });
    return readObjects(git, small);
  } catch (error) {
    log('warn', 'what git has of files is not compared', { error: describeError(error) });
    return new Map();
  }
}
