import { join } from 'node:path';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import type { Repo } from '../locate.ts';
import { type Git, gitAt, gitFor, gitText, runGit } from '../run.ts';
import { showWithGit } from '../show.ts';
import { writeBlobs } from './blobs.ts';
import { blobId, type FileMode, type Identity, renderChange, renderData } from './objects.ts';

/** A file as a tree has it. */
export interface AsideFile {
  readonly path: string;
  readonly mode: FileMode;
  readonly oid: ObjectId;
}

/** Two versions of some files, to be written as a commit and its parent. A file that is in one of them alone was added or deleted. */
export interface CommitPair {
  readonly before: readonly AsideFile[];
  readonly after: readonly AsideFile[];
  readonly message: string;
  readonly author: Identity;
  /** As git stores it, `<seconds> <zone>`. */
  readonly date: string;
}

/** Objects that lie in a temporary folder and are seen beside those of the repository. */
export interface Aside {
  /** Reads both, and writes into the folder. */
  readonly git: Git;
  /** A blob of these bytes. */
  addBlob(bytes: Uint8Array): ObjectId;
  /** The blob that `git add` would make of these bytes at a path. @throws {EntireError} `GIT_FAILED` where a filter fails */
  addFiltered(path: string, bytes: Uint8Array): ObjectId;
  /** The later commit of each pair. */
  addPairs(pairs: readonly CommitPair[]): ObjectId[];
  /** {@link showWithGit}. */
  show(args: readonly string[]): Promise<number>;
}

/** So many bytes wait in memory until they are written. */
const MAX_WAITING_BYTES = 32 << 20;

const STOPPED_BY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `body` with a place for objects that nobody needs afterwards: the repository is read and never written. The folder is gone when
 * `body` is over, in whichever way, and when we are told to stop.
 */
export async function withObjectsAside<T>(repo: Repo, body: (aside: Aside) => Promise<T>): Promise<T> {
  const folder = makeTemporaryFolder('entire-objects-');
  const remove = (): void => disk.rmSync(folder, { recursive: true, force: true });
  const stop = (signal: NodeJS.Signals): void => {
    remove();
    leave();
    process.kill(process.pid, signal);
  };
  const watch = (): void => {
    for (const signal of STOPPED_BY) process.on(signal, stop);
  };
  const leave = (): void => {
    for (const signal of STOPPED_BY) process.off(signal, stop);
  };
  // While git was waited for, no signal came through.
  const hear = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  watch();
  try {
    return await body({
      ...openAside(repo, folder),
      async show(args) {
        await hear();
        leave();
        return showWithGit(withFolder(gitFor(repo), repo, folder), args).finally(watch);
      },
    });
  } finally {
    await hear();
    leave();
    remove();
  }
}

const objectsIn = (folder: string): string => join(folder, 'aside.git', 'objects');

/** A path may hold what separates paths: git takes it in quotes. */
const quote = (path: string): string => `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;

const withFolder = (git: Git, { commonDir }: Repo, folder: string): Git => ({
  ...git,
  env: {
    ...git.env,
    GIT_OBJECT_DIRECTORY: objectsIn(folder),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quote(join(commonDir, 'objects')),
  },
});

function openAside(repo: Repo, folder: string): Omit<Aside, 'show'> {
  const format = gitText(gitFor(repo), ['rev-parse', '--show-object-format']);
  const like = '0'.repeat(format === 'sha256' ? 64 : 40) as ObjectId;
  const dir = join(folder, 'aside.git');
  runGit(gitAt(folder), ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, dir]);
  const outside = gitAt(folder);
  // Commits need a ref to be written at once: those of a repository that is thrown away.
  const scratch: Git = {
    cwd: folder,
    env: { ...withFolder(outside, repo, folder).env, GIT_DIR: dir },
  };
  const git = withFolder(gitFor(repo), repo, folder);
  const written = new Set<ObjectId>();
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const flush = (): void => {
    writeBlobs(scratch, waiting);
    waiting = [];
    waitingBytes = 0;
  };
  return {
    git,
    addBlob(bytes) {
      const oid = blobId(bytes, like);
      if (written.has(oid)) return oid;
      written.add(oid);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes > MAX_WAITING_BYTES) flush();
      return oid;
    },
    addFiltered(path, bytes) {
      const args = ['-c', 'core.safecrlf=false', 'hash-object', '-w', `--path=${path}`, '--stdin'];
      return gitText(git, args, { input: bytes }) as ObjectId;
    },
    addPairs(pairs) {
      flush();
      return writePairs(scratch, pairs);
    },
  };
}

/** All with one process. @see https://git-scm.com/docs/git-fast-import */
function writePairs(scratch: Git, pairs: readonly CommitPair[]): ObjectId[] {
  if (pairs.length === 0) return [];
  const parts = pairs.flatMap((pair, at) => {
    const ref = `refs/heads/${at}`;
    const [first, second] = [2 * at + 1, 2 * at + 2];
    return [
      ...renderCommit(ref, first, { ...pair, message: '' }, pair.before),
      ...renderCommit(ref, second, pair, pair.after, `from :${first}\ndeleteall\n`),
    ];
  });
  const marks = pairs.map((_, at) => `get-mark :${2 * at + 2}\n`);
  const input = Buffer.concat(
    ['feature done\n', ...parts, ...marks, 'done\n'].map((part) =>
      typeof part === 'string' ? Buffer.from(part) : part,
    ),
  );
  const args = ['-c', 'fastimport.unpackLimit=1', '-c', 'pack.compression=0'];
  const how = ['--quiet', '--done', '--depth=0', '--date-format=raw-permissive'];
  const { stdout } = runGit(scratch, [...args, 'fast-import', ...how], { input });
  return stdout
    .toString('latin1')
    .split('\n')
    .flatMap((line) => parseObjectId(line.trim()) ?? []);
}

function renderCommit(
  ref: string,
  mark: number,
  { author, date, message }: Pick<CommitPair, 'author' | 'date' | 'message'>,
  files: readonly AsideFile[],
  start = '',
): Array<string | Uint8Array> {
  const clean = (text: string): string => text.replace(/[<>\n\0]/g, '').trim();
  const person = `${clean(author.name)} <${clean(author.email)}> ${date}`;
  return [
    `commit ${ref}\nmark :${mark}\nauthor ${person}\ncommitter ${person}\n`,
    ...renderData(message),
    start,
    ...files.flatMap((file) => renderChange(file)),
    '\n',
  ];
}
