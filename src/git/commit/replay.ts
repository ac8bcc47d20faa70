import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { type Change, renderChange, renderData, runFastImport } from '../object/objects.ts';
import { type Git, gitText } from '../run.ts';

/** A commit to be made again on another one. */
interface Replayed {
  /** Whose message, author and committer it takes. */
  readonly like: ObjectId;
  readonly changes: readonly Change[];
}

/**
 * Makes commits again on top of `onto`, the oldest first, with the names, dates and messages of those they are made of, and
 * leaves the last one at `ref`, whatever was there. Three processes.
 *
 * @returns the new commits, the oldest first
 * @throws {EntireError} `REF_LOCKED`, `GIT_FAILED`
 */
export function replayCommits(
  git: Git,
  { ref, onto, commits }: { ref: string; onto: ObjectId; commits: readonly Replayed[] },
): ObjectId[] {
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
  const options = ['--force', '--date-format=raw'];
  const count = commits.reduce((sum, { changes }) => sum + changes.length, 0);
  const tip = runFastImport(git, parts, { options, count, what: `${ref} could not be written` });
  const made = gitText(git, ['rev-list', '--reverse', '--first-parent', `${onto}..${tip}`, '--']);
  return made.split('\n').flatMap((line) => parseObjectId(line) ?? []);
}
