/** What can go wrong with one operation; the words are those of `ENTIRE_TEST_FAULT` in `entire-faulty.ts`. */
export const FAULTS = [
  'ENOSPC',
  'EIO',
  'EACCES',
  'EROFS',
  'EMFILE',
  'short write',
  'answer lost',
  'git does not start',
  'git killed at once',
  'git killed when done',
  'git says the disk is full',
  'killed',
] as const;

export type Fault = (typeof FAULTS)[number];

const GIT_FAULTS: readonly Fault[] = [
  'git does not start',
  'git killed at once',
  'git killed when done',
  'git says the disk is full',
  'killed',
];

/**
 * Calls that a system refuses for these reasons; every call can meet a broken disk. A kill is tried before the calls
 * that change something: between two of them it finds the same disk.
 */
const CAN_FAIL_WITH: Partial<Record<Fault, RegExp>> = {
  ENOSPC: /^(openSync w|(write|writeFile|appendFile|mkdir|rename|fsync|close)Sync )/,
  EACCES:
    /^(open|readFile|writeFile|appendFile|mkdir|readdir|rename|rm|rmdir|unlink|stat|lstat|readlink|realpath|chmod|utimes)Sync /,
  EROFS: /^(openSync w|(writeFile|appendFile|mkdir|rename|rm|rmdir|unlink|chmod|utimes)Sync )/,
  EMFILE: /^(open|readFile|writeFile|appendFile|readdir)Sync /,
  'short write': /^writeSync /,
  'answer lost': /^renameSync /,
  killed: /^(openSync w|(write|writeFile|appendFile|mkdir|rename|rm|rmdir|unlink|chmod|utimes)Sync )/,
};

/** The faults that an operation, as `entire-faulty.ts` reports it, can meet. */
export function faultsOf(operation: string): Fault[] {
  if (operation.startsWith('git ')) return [...GIT_FAULTS];
  return FAULTS.filter((fault) => {
    if (fault === 'EIO') return true;
    return CAN_FAIL_WITH[fault]?.test(operation) ?? false;
  });
}
