import { readObjects } from '../git/object/objects.ts';
import { openUnchecked, readBlob } from '../snapshot/store/chunks.ts';
import type { FileState } from '../snapshot/store/file-state.ts';
import type { Work } from '../strategy/work.ts';

/** No text that anybody writes by hand is longer. */
const MAX_BYTES = 4 << 20;

/** `undefined` where the content is not kept. Line ends are those of the file, and count for nothing. */
export function readText(git: Blobs, store: string, state: FileState): string | undefined {
  const bytes = readBytes(git, store, state);
  return bytes && bytes.length <= MAX_BYTES ? bytes.toString('utf8').replaceAll('\r\n', '\n') : undefined;
}

function readBytes(git: Blobs, store: string, state: FileState): Buffer | undefined {
  if (state.kind === 'missing') return Buffer.alloc(0);
  if (state.kind === 'git') return git.read(state.oid);
  if (state.kind !== 'file' || state.size > MAX_BYTES) return undefined;
  try {
    return readBlob(store, state.sha256);
  } catch {
    return undefined; // it was dropped, or is damaged: `entire verify` says so
  }
}

/** Whether a word can stand in a content: one that is damaged has none, and git is not asked. */
export type MayHold = (store: string, state: FileState, word: string) => boolean;
/** The content that was looked into last is held: lines of a commit are asked about one after the other. */
export function openSearch(): MayHold {
  let last: { readonly key: string; readonly bytes: Buffer | undefined } | undefined;
  let room = Buffer.alloc(0);
  const makeRoom = (size: number): Buffer => {
    if (room.length < size) room = Buffer.alloc(2 * size);
    return room.subarray(0, size);
  };
  const read = openUnchecked(makeRoom);
  return (store, state, word) => {
    if (state.kind === 'missing') return false;
    if (state.kind !== 'file' || state.size > MAX_BYTES) return state.kind === 'git';
    const key = `${store}\0${state.sha256}`;
    if (last?.key !== key) last = { key, bytes: read(store, state.sha256) };
    return last.bytes?.includes(word) ?? false;
  };
}

/** Blobs that the repository has. */
export interface Blobs {
  /** That these will be asked for. */
  expect(states: { readonly before: FileState | undefined; readonly after: FileState }): void;
  read(oid: string): Buffer | undefined;
}

/** So many are read at once, and so many bytes of them are held. */
const AT_ONCE = 32;
const HELD_BYTES = 64 << 20;

/** Whatever is asked for first, all that is expected is read along with it, as far as it can be held: in which order it is asked for is not known. */
export function openBlobs({ git }: Work): Blobs {
  const expected = new Set<string>();
  /** The one that was read first goes first. */
  const held = new Map<string, Buffer | undefined>();
  let size = 0;
  const readSome = (oids: readonly string[]): void => {
    const found = readObjects(git, oids);
    for (const oid of oids) {
      const data = found.get(oid)?.data;
      expected.delete(oid);
      held.set(oid, data);
      size += data?.length ?? 0;
    }
  };
  const makeRoom = (): void => {
    for (const [oid, data] of held) {
      if (size <= HELD_BYTES) return;
      held.delete(oid);
      size -= data?.length ?? 0;
    }
  };
  return {
    expect({ before, after }) {
      for (const state of [before, after])
        if (state?.kind === 'git' && !held.has(state.oid)) expected.add(state.oid);
    },
    read(oid) {
      if (held.has(oid)) return held.get(oid);
      makeRoom();
      readSome([...new Set([oid, ...expected])].slice(0, AT_ONCE));
      while (expected.size > 0 && size < HELD_BYTES) readSome([...expected].slice(0, AT_ONCE));
      return held.get(oid);
    },
  };
}
