import { EntireError } from '../base/errors.ts';
import { randomHex } from '../base/hash.ts';
import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { importing } from '../git/object/objects.ts';
import { updateRefs } from '../git/ref/refs.ts';
import { type Git, gitText, runGit } from '../git/run.ts';
import { redactText } from './redact/redact.ts';

/** New branches grow here; one that a killed process left is removed by the next. */
export const WORKSHOP = 'refs/entire/scrub/';
/** Marks of commits are git's own and small. */
const FIRST_BLOB = 1_000_000_000;

/**
 * Writes all commits of a branch again with other blobs, and moves the branch if it still is where it was. Authors, dates
 * and parents stay; subjects are redacted; signatures go, since they would be wrong.
 *
 * @returns the new tip
 * @throws {EntireError} `REF_MOVED` when somebody moved the branch meanwhile; it is as it was then
 * @see https://git-scm.com/docs/git-fast-export
 */
export async function rewriteBranch(
  git: Git,
  ref: string,
  tip: ObjectId,
  blobs: ReadonlyMap<ObjectId, Buffer>,
): Promise<ObjectId> {
  const temporary = `${WORKSHOP}${randomHex(6)}`;
  const args = ['fast-export', '--no-data', '--reencode=no', '--signed-tags=strip', ref];
  const { input, last } = await rewriteStream(runGit(git, args).stdout, temporary, blobs);
  const stored = ['-c', 'pack.compression=0', 'fast-import', '--quiet', '--done', '--force'];
  const stream = Buffer.concat([...input, Buffer.from(`get-mark :${last}\ndone\n`)]);
  const { stdout } = importing(git, () => runGit(git, stored, { input: stream, noHooks: true }));
  const to = parseObjectId(stdout.toString('latin1').trim());
  if (!to) throw new EntireError('GIT_FAILED', `${ref} could not be rewritten`);
  try {
    updateRefs(git, [{ ref, from: tip, to }]);
  } finally {
    updateRefs(git, [{ ref: temporary, from: to, to: undefined }]);
  }
  return to;
}

async function rewriteStream(
  exported: Buffer,
  temporary: string,
  blobs: ReadonlyMap<ObjectId, Buffer>,
): Promise<{ input: Buffer[]; last: string }> {
  const input: Buffer[] = [Buffer.from('feature done\n')];
  const marks = new Map<string, number>();
  for (const [oid, data] of blobs) {
    const mark = FIRST_BLOB + marks.size;
    marks.set(oid, mark);
    input.push(Buffer.from(`blob\nmark :${mark}\ndata ${data.length}\n`), data, Buffer.from('\n'));
  }
  let last = '';
  for (let at = 0; at < exported.length; ) {
    const end = exported.indexOf(0x0a, at);
    const line = exported.toString('utf8', at, end);
    const raw = exported.subarray(at, end + 1);
    at = end + 1;
    const size = /^data (\d+)$/.exec(line)?.[1];
    const [, mode, oid = '', path] = /^M (\d+) ([0-9a-f]{40,64}) (.*)$/s.exec(line) ?? [];
    if (size !== undefined) {
      const message = exported.subarray(at, at + Number(size));
      at += Number(size);
      const text = message.toString('utf8');
      const redacted = await redactText(text);
      const kept = redacted === text ? message : Buffer.from(redacted); // other encodings than UTF-8 stay whole
      input.push(Buffer.from(`data ${kept.length}\n`), kept);
    } else if (marks.has(oid)) input.push(Buffer.from(`M ${mode} :${marks.get(oid)} ${path}\n`));
    else if (/^(?:commit|reset) refs\//.test(line))
      input.push(Buffer.from(`${line.split(' ')[0]} ${temporary}\n`));
    else input.push(raw);
    last = /^mark :(\d+)$/.exec(line)?.[1] ?? last;
  }
  return { input, last };
}

/**
 * Whether a message of a branch's commits gives a secret away.
 *
 * @throws {EntireError} `REDACTION_FAILED`, `GIT_FAILED`
 */
export async function hasSecretMessage(git: Git, ref: string): Promise<boolean> {
  const all = gitText(git, ['log', '-z', '--encoding=UTF-8', '--format=%B', ref, '--']);
  if ((await redactText(all)) === all) return false;
  for (const message of new Set(all.split('\0'))) if ((await redactText(message)) !== message) return true;
  return false;
}

/** Removes what processes left that were killed. */
export function sweepWorkshop(git: Git): void {
  const listed = gitText(git, ['for-each-ref', '--format=%(refname) %(objectname)', WORKSHOP]).trim();
  for (const line of listed === '' ? [] : listed.split('\n')) {
    const [ref = '', oid = ''] = line.split(' ');
    updateRefs(git, [{ ref, from: oid as ObjectId, to: undefined }]);
  }
}
