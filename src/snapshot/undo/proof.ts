import { EntireError } from '../../base/errors.ts';
import type { Replaced } from '../../base/file/swaps.ts';
import { sha256Of } from '../../base/hash.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { blobId, readTree } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { isFiltered, readIndexSizes } from '../../git/worktree/index-sizes.ts';
import type { ChangePart } from '../record/snapshot-record.ts';
import { putBlob } from '../store/blobs.ts';
import { readBlob } from '../store/chunks.ts';
import type { FileState, GitMode } from '../store/file-state.ts';
import type { LedgerEdit } from '../turn/ledger.ts';
import { fitTo, isTextOf, isWholeText, isWrittenAlike, variantsOf } from './before.ts';
import type { Proof } from './own-changes.ts';
import { beforeReplacing, growthOf, isAllOf, ownPart, parseReplaced } from './replaced.ts';
import { resolveGitStates } from './resolve.ts';

/**
 * Holds what clients told of a path against contents that are kept, and those that git has.
 *
 * @param readKnown the SHA-256 of versions of the path that were seen by their bytes; asked for where nothing else is of help
 */
export function proofFor(store: string, git: Git, path: RepoPath, readKnown: () => Set<string>): Proof {
  let known: Set<string> | undefined;
  const isKnown = (bytes: Buffer): boolean => {
    known ??= readKnown();
    return known.has(sha256Of(bytes));
  };
  const prove = (told: FileState): FileState | undefined => {
    const text = textOf(store, told);
    if (!text) return undefined;
    const found = variantsOf(text).find(isKnown);
    return found ? withBytes(store, told, found) : inHead(git, path, text);
  };
  return {
    isTextOf(told, known) {
      if (told.kind === 'file' && known.kind === 'file' && told.sha256 === known.sha256) return true;
      const text = textOf(store, told);
      if (!text) return false;
      // Too large to be read by a hook: of an edit of ours, and of what nobody wrote since, the size tells.
      if (known.kind === 'unkept') return variantsOf(text).some(({ length }) => length === known.size);
      if (variantsOf(text).some((bytes) => holds(known, bytes))) return true;
      // No hook runs the filter of a path: the index knows how long what it wrote was.
      if (known.kind === 'git' && isFiltered(git, path)) {
        const noted = readIndexSizes(git, [path]).get(path);
        return noted?.oid === known.oid && variantsOf(text).some(({ length }) => length === noted.size);
      }
      const bytes = textOf(store, asFile(store, git, path, known));
      return bytes !== undefined && isTextOf(text, bytes);
    },
    prove,
    byReplaced({ replaced: sha256, before, after }, known) {
      const replaced = sha256 === undefined ? undefined : parseReplaced(readIfSound(store, sha256));
      if (!replaced || after.kind === 'missing' || known.kind === 'link') return undefined;
      const bytes = textOf(store, after);
      const told = textOf(store, before);
      if (told) return besideOthers({ store, git, path }, replaced, known, { told, after });
      const back = bytes && beforeReplacing(bytes, replaced);
      if (known.kind === 'missing') {
        // It was there when the agent came to it: somebody made it since the prompt.
        const guessed = back && withBytes(store, after, back);
        const proven = guessed && prove(guessed);
        return { before: proven ?? guessed, after, isDoubtful: !proven };
      }
      const isOwn = back !== undefined && variantsOf(back).some((variant) => holds(known, variant));
      if (isOwn) return { before: known, after, isDoubtful: false };
      return partReplaced({ store, git, path }, replaced, known, after);
    },
    guess(told, after) {
      const text = textOf(store, told);
      if (!text || !isWholeText(text)) return undefined;
      const model = textOf(store, after);
      return withBytes(store, told, model ? fitTo(text, model) : text);
    },
  };
}

/**
 * What an edit made of a file into which somebody else had written, of which the client tells the text as well: only where the edit made
 * what there is of that text.
 */
function besideOthers(
  { store, git, path }: { readonly store: string; readonly git: Git; readonly path: RepoPath },
  replaced: Replaced,
  known: FileState,
  { told, after }: { readonly told: Buffer; readonly after: FileState },
): ChangePart | undefined {
  const isNoText = known.kind === 'missing' || (known.kind === 'git' && isFiltered(git, path));
  const [was, is] = [
    isNoText ? undefined : textOf(store, asFile(store, git, path, known)),
    textOf(store, after),
  ];
  if (!was || !is || !isAllOf(replaced, told, is)) return undefined;
  // A text without line ends of its own: nobody knows which ones others had written before the client made all of them alike.
  if (is.includes('\r\n') && !told.includes('\r\n')) return undefined;
  return ownChange(store, replaced, { known, was }, { after, is });
}

/** The change of which {@link ownPart} knows. */
function ownChange(
  store: string,
  replaced: Replaced,
  { known, was }: { readonly known: FileState; readonly was: Buffer },
  { after, is }: { readonly after: FileState; readonly is: Buffer },
): ChangePart | undefined {
  const own = ownPart(replaced, was, is);
  if (!own) return undefined;
  const stateOf = (bytes: Buffer): FileState =>
    bytes === was ? known : bytes === is ? after : withBytes(store, after, bytes);
  return { before: stateOf(own.before), after: stateOf(own.after), isDoubtful: false };
}

/**
 * What a patch moved was, by what it became: the file as it is in its new place, less what the patch replaced in it. Where that cannot be
 * told the new file stays: it may hold lines of somebody else.
 */
export function withMoved(store: string, edits: readonly LedgerEdit[]): LedgerEdit[] {
  const result = [...edits];
  const placeOf = (at: string, path: string): string => `${at} ${path}`;
  const places = new Map(edits.map(({ at, path }, place) => [placeOf(at, path), place]));
  for (const [at, edit] of edits.entries()) {
    if (edit.movedTo === undefined || edit.after.kind !== 'missing') continue;
    const place = places.get(placeOf(edit.at, edit.movedTo));
    const there = place === undefined ? undefined : edits[place];
    if (place === undefined || !there) continue;
    const bytes = textOf(store, there.after);
    const replaced = edit.replaced && parseReplaced(readIfSound(store, edit.replaced));
    const told = bytes && (replaced && replaced.swaps.length > 0 ? beforeReplacing(bytes, replaced) : bytes);
    if (bytes && told && isWrittenAlike(told, bytes))
      result[at] = { ...edit, before: withBytes(store, there.after, told), isExact: true };
    else {
      result[at] = { ...edit, before: there.after };
      result[place] = { ...there, before: there.after, isExact: true };
    }
  }
  return result;
}

/** Whose work the difference is between a version that is known and what was there behind an edit that replaced some texts. */
function partReplaced(
  { store, git, path }: { readonly store: string; readonly git: Git; readonly path: RepoPath },
  replaced: Replaced,
  known: FileState,
  after: FileState,
): ChangePart {
  const all = (isKnown: boolean): ChangePart => ({ before: known, after, isDoubtful: !isKnown });
  const isGrownFrom = (size: number) => 'size' in after && size + growthOf(replaced) === after.size;
  // No hook runs the filter of a path, and what is too large for it is not read: the size tells.
  if (known.kind === 'git' && isFiltered(git, path)) {
    const noted = readIndexSizes(git, [path]).get(path);
    return all(noted?.oid === known.oid && isGrownFrom(noted.size));
  }
  const [was, is] = [textOf(store, asFile(store, git, path, known)), textOf(store, after)];
  if (!was) return all(true); // nobody can go back to it
  if (!is) return all(isGrownFrom(was.length));
  if (isAllOf(replaced, was, is)) return all(true);
  return ownChange(store, replaced, { known, was }, { after, is }) ?? all(false);
}

function withBytes(store: string, told: FileState, bytes: Buffer): FileState {
  const sha256 = putBlob(store, bytes);
  const mode = told.kind === 'file' ? told.mode : 0o644;
  return { kind: 'file', sha256, size: bytes.length, mode };
}

/** The version of the last commit, where a text is that: nothing is known of the start of the turn. */
function inHead(git: Git, path: RepoPath, text: Buffer): FileState | undefined {
  const entry = readTree(git, 'HEAD', [path])?.get(path);
  if (entry?.mode !== '100644' && entry?.mode !== '100755') return undefined;
  const state = { kind: 'git', oid: entry.oid, mode: entry.mode satisfies GitMode } as const;
  return variantsOf(text).some((bytes) => holds(state, bytes)) ? state : undefined;
}

/** As git would check it out: its attributes may stand for another encoding. */
function asFile(store: string, git: Git, path: RepoPath, state: FileState): FileState | undefined {
  if (state.kind !== 'git') return state;
  const resolved = resolveGitStates(store, git, [[path, state]])(path, state);
  return typeof resolved === 'string' ? undefined : resolved;
}

const holds = (state: FileState, bytes: Buffer): boolean =>
  state.kind === 'file'
    ? state.sha256 === sha256Of(bytes)
    : state.kind === 'git' && state.oid === blobId(bytes, state.oid as ObjectId);

const textOf = (store: string, state: FileState | undefined): Buffer | undefined =>
  state?.kind === 'file' ? readIfSound(store, state.sha256) : undefined;

/** One content that is damaged must not keep the rest of the turn from its record. */
export function readIfSound(store: string, sha256: string): Buffer | undefined {
  try {
    return readBlob(store, sha256);
  } catch (error) {
    if (!(error instanceof EntireError) || error.code !== 'SNAPSHOT_DAMAGED') throw error;
    log('warn', 'kept for undo: damaged', { error: error.message });
    return undefined;
  }
}
