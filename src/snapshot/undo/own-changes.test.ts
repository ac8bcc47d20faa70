import { describe, expect, it } from 'vitest';
import type { RepoPath } from '../../base/repo-path.ts';
import type { FileState } from '../store/file-state.ts';
import type { LedgerEdit } from '../turn/ledger.ts';
import { ownChanges, type Proof } from './own-changes.ts';

const file = (name: string): FileState => ({ kind: 'file', sha256: name, size: 1, mode: 0o644 });
const edit = (before: string | undefined, after: string, isExact = false): LedgerEdit => ({
  at: '',
  path: 'f' as RepoPath,
  before: before === undefined ? undefined : file(before),
  isExact,
  replaced: undefined,
  movedTo: undefined,
  shells: 0,
  after: file(after),
  tool: '',
  agentId: undefined,
  source: 'tool',
  isLook: false,
});

/** Texts are told by the name of the version, or by a name that says nothing. */
const proof: Proof = {
  isTextOf: (told, known) => 'sha256' in told && 'sha256' in known && told.sha256 === known.sha256,
  byReplaced: () => undefined,
  prove: (told) => ('sha256' in told && told.sha256 === 'read' ? told : undefined),
  guess: (told) => ('sha256' in told && told.sha256 === 'lossy' ? undefined : told),
};
const changes = (...edits: LedgerEdit[]) =>
  ownChanges(
    edits,
    {
      atPrompt: file('prompt'),
      now: edits.at(-1)?.after as FileState,
      mayBeShells: () => false,
      isComplete: true,
    },
    proof,
  ).map(({ before, after, isDoubtful }) => {
    const name = (state: FileState | undefined) => (state && 'sha256' in state ? state.sha256 : state?.kind);
    return `${name(before)} > ${name(after)}${isDoubtful ? ', doubtful' : ''}`;
  });

describe('what an agent made of a path', () => {
  it('is one change where each edit went on from the one before', () => {
    expect(changes(edit('prompt', 'a'), edit('a', 'b'), edit(undefined, 'c'))).toEqual(['prompt > c']);
  });

  it('is one for each stretch where somebody wrote in between', () => {
    expect(changes(edit('prompt', 'a'), edit('read', 'b'), edit('b', 'c'))).toEqual([
      'prompt > a',
      'read > c',
    ]);
    expect(changes(edit('own', 'a', true), edit('a', 'b'))).toEqual(['own > b']);
  });

  it('is doubtful where a text is none of the versions that are known', () => {
    expect(changes(edit('text', 'a'))).toEqual(['text > a, doubtful']);
    expect(changes(edit('prompt', 'a'), edit('lossy', 'b'))).toEqual(['prompt > a', 'a > b, doubtful']);
  });

  it('has no part for an edit whose hook ran beside that of another', () => {
    expect(changes(edit('prompt', 'b'), edit('a', 'b'))).toEqual(['prompt > b']);
  });
});
