import type { PathChanges } from '../../git/commit/commits.ts';
import type { AttributedCommit } from '../attribution/commit.ts';

/** A commit that is made of one session's work alone. */
export const asSoleWork = (changes: PathChanges): AttributedCommit => ({
  changes,
  files: [...changes.keys()],
  left: new Set(),
  renamed: new Map(),
  foreign: new Set(),
  saved: new Set(),
  steps: new Map(),
  isByAgent: false,
});
