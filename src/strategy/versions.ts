import { describeError } from '../base/errors.ts';
import { sha256Of } from '../base/hash.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { spareMemory } from '../base/memory.ts';
import { readObjects, type TreeEntry } from '../git/object/objects.ts';
import { readSizes } from '../git/object/sizes.ts';
import type { Git } from '../git/run.ts';
import { readBlob } from '../snapshot/store/chunks.ts';
import { canRun, type FileState } from '../snapshot/store/file-state.ts';
import { isBinary } from './attribution/texts.ts';
import { type LinedText, openLineSets } from './line-sets.ts';

/** Larger contents are not looked at. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Of more bytes in all, what git has is not looked at; what it has for older states ends at half of that. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Of more bytes in all, contents that a store keeps are not looked at. */
const MAX_KEPT_BYTES = 96 * 1024 * 1024;
/** Texts that are had at a time; others are read again. */
const MAX_HELD_BYTES = 6 * 1024 * 1024;

/** What was at a path, as far as it can be held against what was there at another time. */
export interface Version extends LinedText {
  readonly kind: 'missing' | 'file' | 'link';
  /** `undefined` where only the object's name is known, as of what is too large. */
  readonly sha256?: string | undefined;
  readonly canRun?: boolean;
  /** Latin-1, so that each byte is a character, with the line ends of Unix; of what is no text, or too large, it is not known. */
  readonly text?: string | undefined;
  /** What ends its lines; where that is not the same for all of them, its digest. `undefined` where there are none, or it is not known. */
  readonly ends?: string | undefined;
  /** As git has it, not as it is checked out. */
  readonly isGits?: boolean;
}

/** What tells versions, as far as they are known; `undefined` for any other. */
export interface Versions {
  ofState(state: FileState | undefined): Version | undefined;
  /** @param entry `undefined`: there is no file */
  ofEntry(entry: Pick<TreeEntry, 'oid' | 'mode'> | undefined): Version | undefined;
}

const MISSING: Version = { kind: 'missing', text: '', lines: openLineSets()('') };

/**
 * Reads versions of files. Two processes at most, which look up what git has; what git cannot read is not known, nor what would cost
 * too much in all.
 *
 * @param store of the session whose states are asked for
 * @param states those that may be asked for; the first ones are more likely to be known
 */
export function openVersions(
  git: Git,
  store: string,
  states: Iterable<FileState | undefined>,
  entries: Iterable<TreeEntry | undefined> = [],
): Versions {
  const named = [...entries].flatMap((entry) => entry?.oid ?? []);
  const older = [...states].flatMap((state) => (state?.kind === 'git' ? (state.oid as ObjectId) : []));
  const objects = readSmall(git, new Set(named), new Set(older));
  const once = holding();
  const linesOf = openLineSets();
  const toVersion = (bytes: Buffer | undefined, isRun: boolean, digest?: string): Version => {
    const sha256 = digest ?? (bytes && sha256Of(bytes));
    const isGits = digest === undefined;
    return fileVersion({ ...textOf(bytes, sha256), sha256, isGits, canRun: isRun }, linesOf);
  };
  const ofGit = (oid: string, mode: string): Version | undefined =>
    once(`${mode} ${oid}`, () => {
      if (mode === '160000') return undefined;
      if (mode === '120000') return linkTo(objects.get(oid)?.data);
      return toVersion(objects.get(oid)?.data, mode === '100755');
    });
  let left = MAX_KEPT_BYTES;
  return {
    ofEntry: (entry) => (entry ? ofGit(entry.oid, entry.mode) : MISSING),
    ofState(state) {
      if (state?.kind === 'missing') return MISSING;
      if (state?.kind === 'git') return ofGit(state.oid, state.mode);
      if (state?.kind === 'link') return { kind: 'link', sha256: state.sha256 };
      if (state?.kind !== 'file') return undefined;
      return once(`${canRun(state)} ${state.sha256}`, () => {
        left -= state.size > MAX_BYTES ? 0 : state.size;
        return toVersion(left < 0 ? undefined : readKept(store, state), canRun(state), state.sha256);
      });
    },
  };
}

/** The lines of a version are told when they are asked for. */
function fileVersion(
  file: Omit<Version, 'kind' | 'lines'>,
  linesOf: ReturnType<typeof openLineSets>,
): Version {
  let lines: { readonly told: Version['lines'] } | undefined;
  return {
    kind: 'file',
    ...file,
    get lines() {
      lines ??= { told: file.text === undefined ? undefined : linesOf(file.text) };
      return lines.told;
    },
  };
}

/** Reads what was not read, or not lately. */
function holding(): (key: string, read: () => Version | undefined) => Version | undefined {
  const held = new Map<string, Version | undefined>();
  let [bytes, since] = [0, 0];
  return (key, read) => {
    const isHeld = held.has(key);
    const version = isHeld ? held.get(key) : read();
    const size = isHeld ? 0 : (version?.text?.length ?? 0);
    bytes += size;
    since += size;
    if (since > 2 * MAX_HELD_BYTES) {
      spareMemory(0, 1);
      since = 0;
    }
    held.delete(key);
    held.set(key, version);
    for (const [oldest, other] of held) {
      if (bytes <= MAX_HELD_BYTES || oldest === key) break;
      held.delete(oldest);
      bytes -= other?.text?.length ?? 0;
    }
    return version;
  };
}

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

function textOf(bytes: Buffer | undefined, sha256: string | undefined): Pick<Version, 'text' | 'ends'> {
  if (!bytes || isBinary(bytes)) return {};
  const text = bytes.toString('latin1');
  const unix = text.replaceAll('\r\n', '\n');
  if (!unix.includes('\n')) return { text: unix };
  if (unix.length === text.length) return { text: unix, ends: '\n' };
  const isMixed = /(?<!\r)\n/.test(text);
  return { text: unix, ends: isMixed ? sha256 : '\r\n' };
}

const linkTo = (target: Buffer | undefined): Version => ({
  kind: 'link',
  sha256: target && sha256Of(target),
});

function readSmall(
  git: Git,
  named: ReadonlySet<ObjectId>,
  older: ReadonlySet<ObjectId>,
): ReturnType<typeof readObjects> {
  const oids = [...new Set([...named, ...older])];
  if (oids.length === 0) return new Map();
  try {
    const sizes = readSizes(git, oids);
    let total = 0;
    const small = oids.filter((oid) => {
      const size = sizes.get(oid) ?? Number.POSITIVE_INFINITY;
      const most = named.has(oid) ? MAX_TOTAL_BYTES : MAX_TOTAL_BYTES / 2;
      if (size > MAX_BYTES || total + size > most) return false;
      total += size;
      return true;
    });
    return readObjects(git, small);
  } catch (error) {
    log('warn', 'what git has of files is not compared', { error: describeError(error) });
    return new Map();
  }
}
