import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { LINK_FIELDS, type Links, readLinks, WITH_NOTES } from './commit/links.ts';
import { type Git, runGit } from './run.ts';
import { askAside } from './talk.ts';

/** One commit as a history shows it. */
export interface LogRow {
  readonly oid: ObjectId;
  readonly parents: readonly ObjectId[];
  /** When it was committed: RFC 3339 in the committer's own time zone. */
  readonly committedAt: string;
  /** When it was written, which stays when it is rebased: RFC 3339 in the author's own time zone. */
  readonly authoredAt: string;
  readonly subject: string;
  /** The whole message. */
  readonly message: string;
  /** The checkpoints that it names: of a commit that others were squashed into also theirs. */
  readonly links: Links;
  /** Values of the other trailers that were asked for, in their order. */
  readonly trailers: Readonly<Record<string, readonly string[]>>;
}

/** Which commits, newest first. */
export interface LogQuery {
  /** Revisions and options that select, as for `git log`. */
  readonly range: readonly string[];
  /** All that there are, without it. */
  readonly limit?: number;
  readonly skip?: number;
  /** Only messages that hold this text, or one of these. Git searches on until `limit` of them are found. */
  readonly containing?: string | readonly string[];
  /** Only commits since then. Git does not look below an older one, so that those are not even read. */
  readonly since?: Date | undefined;
  /** Further trailers to read. */
  readonly trailers?: readonly string[];
  /** Paths that must have changed, with git's magic. */
  readonly paths?: readonly string[];
}

/**
 * Reads commits with one process that stops when it has found enough. `undefined` where a revision does not exist or
 * this git does not know an option.
 */
export function readLog(git: Git, query: LogQuery): LogRow[] | undefined {
  const { code, stdout } = runGit(withMagic(git, query), argumentsFor(query), { okCodes: [0, 128, 129] });
  return code === 0 ? parseLog(stdout, query.trailers) : undefined;
}

/** A commit that names checkpoints. */
export interface LinkedRow {
  readonly oid: ObjectId;
  /** When it was committed, in milliseconds since 1970. */
  readonly atMs: number;
  readonly links: Links;
}

/** Commits of a history whose messages or notes hold a text, newest first, while its caller does something else. Of many, and little of each. */
export async function readLinkedAside(git: Git, revision: string, containing: string): Promise<LinkedRow[]> {
  const shown = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', '--no-patch', WITH_NOTES];
  const format = `--format=%H%x00%ct%x00${LINK_FIELDS}`;
  const args = ['log', ...shown, format, '--fixed-strings', `--grep=${containing}`, revision, '--'];
  const stdout = await askAside(git, args, { okCodes: [0, 128, 129] });
  const fields = stdout.toString('utf8').split('\0');
  const rows: LinkedRow[] = [];
  for (let at = 0; at + 5 <= fields.length; at += 5) {
    const links = readLinks(fields[at + 2], fields[at + 3], fields[at + 4]);
    rows.push({ oid: fields[at] as ObjectId, atMs: Number(fields[at + 1]) * 1000, links });
  }
  return rows;
}

const withMagic = (git: Git, { paths }: LogQuery): Git =>
  paths ? { ...git, env: { ...git.env, GIT_LITERAL_PATHSPECS: '0' } } : git;

function argumentsFor(query: LogQuery): string[] {
  const keys = query.trailers ?? [];
  const trailers = keys.map((key) => `%x00%(trailers:key=${key},valueonly,unfold)`);
  const format = `--format=%H%x00%P%x00%cI%x00%aI%x00%s%x00${LINK_FIELDS}${trailers.join('')}`;
  const args = [
    '-z',
    '--no-show-signature',
    '--no-color',
    '--encoding=UTF-8',
    '--no-patch',
    WITH_NOTES,
    format,
  ];
  const some = [`--skip=${query.skip ?? 0}`];
  if (query.limit !== undefined) some.push(`--max-count=${query.limit}`);
  const wanted = [query.containing ?? []].flat();
  const grep = wanted.length === 0 ? [] : ['--fixed-strings', ...wanted.map((text) => `--grep=${text}`)];
  if (query.since) some.push(`--since=${query.since.toISOString()}`);
  return ['log', ...args, ...some, ...grep, ...query.range, '--', ...(query.paths ?? [])];
}

function parseLog(output: Buffer, keys: readonly string[] = []): LogRow[] {
  const fields = output.toString('utf8').split('\0');
  const width = 8 + keys.length;
  const rows: LogRow[] = [];
  for (let at = 0; at + width <= fields.length; at += width) {
    const [oid, parents, committedAt, authoredAt, subject, message, note, own, ...values] = fields.slice(
      at,
      at + width,
    );
    rows.push({
      oid: parseObjectId(oid) as ObjectId,
      parents: (parents ?? '').split(' ').flatMap((parent) => parseObjectId(parent) ?? []),
      committedAt: committedAt ?? '',
      authoredAt: authoredAt ?? '',
      subject: subject ?? '',
      message: message ?? '',
      links: readLinks(message, note, own),
      trailers: Object.fromEntries(
        keys.map((key, index) => [key, (values[index] ?? '').replace(/\n$/, '').split('\n')]),
      ),
    });
  }
  return rows;
}

/** Who made the newest commit whose message holds a text: `Name <mail>`. */
export function readAuthor(
  git: Git,
  query: { range: readonly string[]; containing: string },
): string | undefined {
  if (query.range.length === 0) return undefined;
  const args = [
    'log',
    '-1',
    '--no-show-signature',
    '--no-color',
    '--encoding=UTF-8',
    '--no-patch',
    '--format=%an <%ae>',
  ];
  const grep = ['--fixed-strings', `--grep=${query.containing}`];
  const { code, stdout } = runGit(git, [...args, ...grep, ...query.range, '--'], { okCodes: [0, 128] });
  return code === 0 ? stdout.toString('utf8').trim() || undefined : undefined;
}
