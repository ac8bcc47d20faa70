import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { type Change, importing, renderChange, renderData } from './objects.ts';
import { refFailure } from './ref-failure.ts';
import { type Git, gitText, runGit } from './run.ts';

/** A commit to be made again on another one. */
interface Replayed {
  /** Whose message, author and committer it takes. */
  readonly like: ObjectId;
  readonly changes: readonly Change[];
}

/**
 * Makes commits again on top of `onto`, the oldest first, with the names, dates and messages of those they are made of, and
 * leaves the last one at `ref`, whatever was there. Two processes.
 *
 * @throws {EntireError} `REF_LOCKED`, `GIT_FAILED`
 */
export function replayCommits(
  git: Git,
  { ref, onto, commits }: { ref: string; onto: ObjectId; commits: readonly Replayed[] },
): ObjectId {
  const format = '--format=%an <%ae> %ad%x00%cn <%ce> %cd%x00%B%x00';
  const args = ['log', '--no-walk=unsorted', '--no-show-signature', '--no-color', '--encoding=UTF-8'];
  const asked = [...args, '--date=raw', '--no-patch', format, '--stdin'];
  const fields = gitText(git, asked, { input: commits.map(({ like }) => `${like}\n`).join('') })
    .split('\0')
    .map((field) => field.replace(/^\n/, ''));
  const parts: Array<string | Uint8Array> = ['feature done\n', `reset ${ref}\nfrom ${onto}\n\n`];
  commits.forEach(({ changes }, index) => {
    const [author = '', committer = '', message = ''] = fields.slice(index * 3, index * 3 + 3);
    parts.push(`commit ${ref}\nmark :${index + 1}\nauthor ${author}\ncommitter ${committer}\n`);
    parts.push(...renderData(message));
    for (const change of changes) parts.push(...renderChange(change));
    parts.push('\n');
  });
  parts.push(`get-mark :${commits.length}\ndone\n`);
  const input = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const config = ['-c', 'pack.compression=0', '-c', `fastimport.unpackLimit=${2 ** 31 - 1}`];
  const { code, stdout, stderr } = importing(git, () =>
    runGit(
      git,
      [...config, 'fast-import', '--quiet', '--done', '--force', '--depth=0', '--date-format=raw'],
      {
        input,
        okCodes: [0, 1],
        noHooks: true,
      },
    ),
  );
  const oid = parseObjectId(stdout.toString('latin1').trim());
  if (code !== 0 || !oid) throw refFailure(`${ref} could not be written`, stderr);
  return oid;
}
