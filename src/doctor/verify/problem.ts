import { describeError, errnoOf } from '../../base/errors.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import type { Look } from '../../checkpoint/read/folders.ts';
import type { Work } from '../../strategy/work.ts';

/** Stable codes; `cli/verify/text.ts` says what each means, and what to do. */
export type ProblemCode =
  // git
  | 'ref-broken'
  | 'object-missing'
  | 'object-damaged'
  | 'history-incomplete'
  // checkpoints
  | 'metadata-missing'
  | 'metadata-invalid'
  | 'session-missing'
  | 'session-unlisted'
  | 'session-unread'
  | 'session-id-invalid'
  | 'file-missing'
  | 'chunk-missing'
  | 'hash-wrong'
  | 'line-invalid'
  | 'json-invalid'
  // steps
  | 'step-unmarked'
  | 'step-metadata-missing'
  // sessions
  | 'state-unreadable'
  | 'state-of-another'
  | 'state-name-invalid'
  | 'state-set-aside'
  | 'steps-missing'
  | 'tracking-not-a-file'
  | 'tracking-torn'
  | 'tracking-line-invalid'
  // beside them
  | 'record-unreadable'
  | 'cache-unreadable'
  | 'privacy-unreadable'
  | 'owed-unreadable'
  | 'version-unknown'
  | 'ledger-line-invalid'
  // kept for undo
  | 'snapshot-unreadable'
  | 'snapshot-content-missing'
  | 'snapshot-content-damaged'
  | 'check-failed';

/** Something that is not as we write it. */
export interface Problem {
  readonly code: ProblemCode;
  /** A file, or `<branch or commit>:<path>`. As it is on disk: whoever prints it sanitises it. */
  readonly where: string;
  /** What is known beyond the code. */
  readonly detail?: string | undefined;
}

/** What was looked at. */
export type Looked = Record<'checkpoints' | 'steps' | 'sessions' | 'records' | 'texts', number>;

/** What checks work with. */
export interface Verification {
  readonly work: Work;
  /** Every stored text is read, and not only what leads to it. */
  readonly readData: boolean;
  /** Objects of the repository, through one process. */
  readonly look: Look;
  readonly looked: Looked;
  report(problem: Problem): void;
  /** Told of what is being done, for whoever waits. */
  step(what: string, done?: number, total?: number): void;
}

/** The text of a file; `undefined` when there is none, otherwise where it is, and what keeps it from being read. */
export function readText(file: string): string | undefined | Pick<Problem, 'where' | 'detail'> {
  try {
    return readOwnText(file, 'record');
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? undefined : { where: file, detail: describeError(error) };
  }
}
