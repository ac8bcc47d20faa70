import { join } from 'node:path';
import { disk, reading } from '../../base/file/disk.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { listWorktreeRoots } from '../../git/worktree/worktrees.ts';
import { searchIndex } from '../../session/search-cache.ts';
import { type Problem, type ProblemCode, readText, type Verification } from './problem.ts';
import { findBadLine } from './texts.ts';
import { listQuietly, walk } from './walk.ts';

/** With what each line begins, of a file of JSON strings or of JSON objects. */
type LineStart = '"' | '{';

/** A kind of JSON file below `<git-common-dir>/entire`, with the version that we write, or of a file of lines. */
interface Kind {
  /** From that folder on. */
  readonly path: RegExp;
  readonly version: number | LineStart;
  /** What it means when one cannot be read. */
  readonly code: ProblemCode;
}

const KINDS: readonly Kind[] = [
  { path: /^sessions\.json$/, version: 1, code: 'cache-unreadable' },
  { path: /^summaries\.json$/, version: 1, code: 'cache-unreadable' },
  {
    path: /^transcripts\/[^/]+\/(index|agents|totals|unfinished)\.json$/,
    version: 1,
    code: 'cache-unreadable',
  },
  { path: /^turns\/[^/]+\.json$/, version: 2, code: 'record-unreadable' },
  { path: /^tasks\/[^/]+\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^user-lines\/[^/]+\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^compactions\/[^/]+\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^compaction-looks\/[^/]+\.json$/, version: 1, code: 'cache-unreadable' },
  { path: /^positions\/[^/]+\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^reads\/[^/]+\.json$/, version: '"', code: 'record-unreadable' },
  { path: /^introductions\/[^/]+\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^agent-settings\/[^/]+\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^paused\.json$/, version: 1, code: 'privacy-unreadable' },
  { path: /^pauses\/[0-9a-f]{12}\/[^/]+\.json$/, version: 1, code: 'privacy-unreadable' },
  { path: /^private\/[^/]+\.json$/, version: 1, code: 'privacy-unreadable' },
  { path: /^forgotten\/[^/]+\.json$/, version: 1, code: 'privacy-unreadable' },
  { path: /^removals\/[^/]+\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^remote-urls\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^push-notice\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^snapshots\/[^/]+\/start\.json$/, version: 1, code: 'record-unreadable' },
  { path: /^snapshots\/[^/]+\/looks\.jsonl$/, version: '{', code: 'record-unreadable' },
  { path: /^snapshots\/[^/]+\/(edits\/)?edits(-[^/]+)?\.jsonl$/, version: '{', code: 'record-unreadable' },
  { path: /^owed\/[0-9a-f]{12}\.json$/, version: 1, code: 'owed-unreadable' },
];

/** Whether a file below `<git-common-dir>/entire` is one of those that are looked at here. */
export const isVerifiedRecord = (path: string): boolean => KINDS.some((kind) => kind.path.test(path));

/** Those that have checks of their own. */
const ELSEWHERE = new Set(['archive', 'blobs', 'snaps']);

/** Records and caches beside the states, and with `readData` the redacted lines in the caches. */
export function checkRecords(verification: Verification): void {
  checkCommonRecords(verification);
  checkSearchIndex(verification);
  for (const root of new Set([
    verification.work.repo.worktreeRoot,
    ...listWorktreeRoots(verification.work.repo),
  ]))
    checkMarks(verification, root);
}

/** The first bytes of a database. @see https://www.sqlite.org/fileformat.html#magic_header_string */
const SQLITE_HEADER = 'SQLite format 3\0';

/** The index of `entire search` is made again where it is damaged; that it is none at all is told as of other caches. */
function checkSearchIndex({ work, looked, report }: Verification): void {
  const file = searchIndex(work.repo.commonDir);
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  if (!stat || (stat.isFile() && stat.size === 0)) return;
  looked.records++;
  if (!stat.isFile() || !readBeginning(file).startsWith(SQLITE_HEADER))
    report({ code: 'cache-unreadable', where: file });
}

function readBeginning(file: string): string {
  const bytes = Buffer.alloc(SQLITE_HEADER.length);
  try {
    return reading(file, (fd) => bytes.toString('latin1', 0, disk.readSync(fd, bytes, 0, bytes.length, 0)));
  } catch {
    return ''; // gone meanwhile, or for somebody else
  }
}

/** What turns and tasks of a worktree began with; v0.4.4 gave them no version. */
function checkMarks({ looked, report }: Verification, root: string): void {
  for (const name of listQuietly(root, '.entire', 'tmp')) {
    if (!/^pre-(prompt|task)-.+\.json$/.test(name)) continue;
    const file = join(root, '.entire', 'tmp', name);
    const text = readText(file);
    if (text === undefined) continue; // it ended meanwhile
    looked.records++;
    if (typeof text !== 'string') report({ code: 'record-unreadable', ...text });
    else if (!isObject(parseJson(text))) report({ code: 'record-unreadable', where: file });
  }
}

function checkCommonRecords({ work, readData, looked, report }: Verification): void {
  const own = join(work.repo.commonDir, 'entire');
  for (const { file } of walk(own, (name) => ELSEWHERE.has(name))) {
    const path = file.slice(own.length + 1).replaceAll('\\', '/');
    const kind = KINDS.find((one) => one.path.test(path));
    const isCache = /^transcripts\/[^/]+\/redacted\.jsonl$/.test(path);
    if (!kind && !(isCache && readData)) continue;
    const text = readText(file);
    if (text === undefined) continue; // it went meanwhile
    looked.records++;
    if (typeof text !== 'string') report({ code: kind?.code ?? 'cache-unreadable', ...text });
    else if (kind) for (const problem of judgeRecord(file, text, kind)) report(problem);
    // What a killed process left at its end is cut off by the next one.
    else if (findBadLine(text.slice(0, text.lastIndexOf('\n') + 1)) !== undefined)
      report({ code: 'cache-unreadable', where: file });
  }
}

/** Whether a text is JSON of the version that its kind has. */
export function judgeRecord(
  file: string,
  text: string,
  { version, code }: Pick<Kind, 'version' | 'code'>,
): Problem[] {
  if (typeof version === 'string') {
    // A write that was cut short was done again: only the beginning of a line is sure.
    const at = text.split('\n').findIndex((line) => line !== '' && !line.startsWith(version));
    return at === -1 ? [] : [{ code, where: file, detail: `line ${at + 1}` }];
  }
  const value = parseJson(text);
  if (!isObject(value)) return [{ code, where: file }];
  if (value.version === version) return [];
  const isOther = typeof value.version === 'number';
  return [
    isOther ? { code: 'version-unknown', where: file, detail: `${value.version}` } : { code, where: file },
  ];
}

/** What a line of each ledger must say. */
const LEDGERS: ReadonlyArray<readonly [string, (line: Record<string, unknown>) => boolean]> = [
  ['verdicts.1.jsonl', isVerdict],
  ['verdicts.jsonl', isVerdict],
  [
    'pushes.jsonl',
    ({ id, at, state, to, result }) =>
      typeof id === 'string' &&
      typeof at === 'string' &&
      ((state === 'started' && typeof to === 'string') || (state === 'ended' && typeof result === 'string')),
  ],
];

function isVerdict({ commit, at, reason, sessions }: Record<string, unknown>): boolean {
  const isText = [commit, at, reason].every((value) => typeof value === 'string');
  return isText && (sessions === undefined || Array.isArray(sessions));
}

/** The verdicts on commits, and the pushes. */
export function checkLedgers({ work, looked, report }: Verification): void {
  for (const [name, isSound] of LEDGERS) {
    const file = join(work.repo.commonDir, 'entire', name);
    if (!listQuietly(join(work.repo.commonDir, 'entire')).includes(name)) continue;
    const text = readText(file);
    if (text === undefined) continue;
    looked.records++;
    if (typeof text !== 'string') report({ code: 'ledger-line-invalid', ...text });
    else for (const problem of judgeLedger(file, text, isSound)) report(problem);
  }
}

/** Whether every line of a ledger says what it must; empty ones are none. */
export function judgeLedger(
  file: string,
  text: string,
  isSound: (line: Record<string, unknown>) => boolean,
): Problem[] {
  const bad = text.split('\n').flatMap((line, index) => {
    const value = line === '' ? undefined : parseJson(line);
    return line === '' || (isObject(value) && isSound(value)) ? [] : [index + 1];
  });
  if (bad.length === 0) return [];
  const more = bad.length > 1 ? `, and ${bad.length - 1} more` : '';
  return [{ code: 'ledger-line-invalid', where: file, detail: `line ${bad[0]}${more}` }];
}
