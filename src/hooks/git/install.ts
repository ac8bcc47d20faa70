import { join } from 'node:path';
import { describeError, EntireError, FileRefused } from '../../base/errors.ts';
import { disk, listNames, lstatIfExists } from '../../base/file/disk.ts';
import { readUserBytes, readUserText } from '../../base/file/small-file.ts';
import { createFileAtomic, writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import {
  type ChainedHook,
  classifyScript,
  dependsOnName,
  findGenerator,
  GIT_HOOKS,
  type GitHook,
  type Launcher,
  renderCall,
  renderShim,
} from './shims.ts';

/** What a person should know about one hook; the texts are the caller's. */
export type HookNotice =
  | { readonly kind: 'backed-up'; readonly hook: GitHook; readonly backup: string }
  /** Git would not have run it where it stood, and we do not either. */
  | { readonly kind: 'not-executable'; readonly hook: GitHook; readonly backup: string }
  /** Our script with lines of the user's own: left alone. */
  | { readonly kind: 'extended'; readonly hook: GitHook }
  | { readonly kind: 'backup-left'; readonly hook: GitHook; readonly backup: string };

export interface GitHooksReport {
  /** Scripts written, or on removal deleted. */
  readonly count: number;
  readonly notices: readonly HookNotice[];
}

const NOTHING: GitHooksReport = { count: 0, notices: [] };

/**
 * Puts our scripts into `hooksDir`, 0755. A foreign hook that stands there is kept as `<hook>.pre-entire`
 * (`.pre-entire.1` … where that name is taken by another text) and goes on running. Files that are right already
 * are not written.
 *
 * @throws {EntireError} `WRITE_FAILED`, naming the hook
 */
export function installGitHooks(hooksDir: string, launcher?: Launcher): GitHooksReport {
  ensureFolder(hooksDir);
  return collect((hook) => installOne(hooksDir, hook, launcher), 'install');
}

/**
 * Installs again what somebody deleted or overwrote since, and what an older release did not know. Six small reads when nothing is to do; called at the
 * start of every turn.
 *
 * @throws {EntireError} `WRITE_FAILED`
 */
export function ensureGitHooks(hooksDir: string, launcher?: Launcher): GitHooksReport {
  return missingGitHooks(hooksDir, launcher).length === 0 ? NOTHING : installGitHooks(hooksDir, launcher);
}

/** The hooks that git would not run for us as they are: missing, overwritten, of an older release, not executable. */
export function missingGitHooks(hooksDir: string, launcher?: Launcher): GitHook[] {
  return GIT_HOOKS.filter((hook) => {
    const file = join(hooksDir, hook);
    const text = readScript(file);
    if (text === undefined || !isExecutable(file)) return true;
    if (classifyScript(hook, text) === 'extended') return false;
    const lines = new Set(text.split('\n'));
    return !renderCall(hook, launcher).every((line) => lines.has(line));
  });
}

/** The hooks in `hooksDir` that call us, in whatever form. */
export function findGitHooks(hooksDir: string): GitHook[] {
  return GIT_HOOKS.filter((hook) => (readScript(join(hooksDir, hook)) ?? '').includes(`hooks git ${hook}`));
}

/** Whether {@link removeGitHooks} would have something to do. */
export function holdsGitHooks(hooksDir: string): boolean {
  return GIT_HOOKS.some((hook) => {
    if (listMovedAside(hooksDir, hook).length > 0) return true;
    const text = readScript(join(hooksDir, hook));
    if (text === undefined) return listBackups(hooksDir, hook).length > 0;
    return classifyScript(hook, text) === 'ours';
  });
}

/**
 * Deletes our scripts and puts back what stood there before us: the newest, where there were several, since that
 * is what ran when we came last. Foreign scripts, and ours with lines of the user's own, are left alone.
 *
 * @throws {EntireError} `WRITE_FAILED` naming every hook that could not be removed
 */
export function removeGitHooks(hooksDir: string): GitHooksReport {
  return collect((hook) => removeOne(hooksDir, hook), 'remove');
}

/** How to start the program that runs now, wherever it lies and whatever PATH says. */
export function runningProgram(): readonly string[] {
  const script = process.argv[1];
  // Bun's executable keeps its scripts in a file system of its own.
  const compiled = script === undefined || /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(script);
  return compiled ? [process.execPath] : [process.execPath, disk.realpathSync(script)];
}

function collect(act: (hook: GitHook) => GitHooksReport, verb: string): GitHooksReport {
  const reports: GitHooksReport[] = [];
  const failures: string[] = [];
  for (const hook of GIT_HOOKS) {
    try {
      reports.push(act(hook));
    } catch (error) {
      failures.push(`${hook}: ${describeError(error)}`);
    }
  }
  if (failures.length > 0)
    throw new EntireError('WRITE_FAILED', `failed to ${verb} git hooks: ${failures.join('; ')}`);
  return {
    count: reports.reduce((sum, { count }) => sum + count, 0),
    notices: reports.flatMap(({ notices }) => notices),
  };
}

function installOne(hooksDir: string, hook: GitHook, launcher: Launcher): GitHooksReport {
  const file = join(hooksDir, hook);
  const notices: HookNotice[] = [];
  const text = readScript(file);
  const kind = text === undefined ? 'ours' : classifyScript(hook, text);
  if (kind === 'extended') return { count: 0, notices: [{ kind: 'extended', hook }] };
  if (kind === 'foreign') {
    const backup = keepForeign(hooksDir, hook);
    if (backup !== undefined) notices.push({ kind: 'backed-up', hook, backup });
  }
  const backups = listBackups(hooksDir, hook);
  for (const backup of backups) {
    if (!isExecutable(join(hooksDir, backup))) notices.push({ kind: 'not-executable', hook, backup });
  }
  const chained = backups.map((name): ChainedHook => {
    const script = readScript(join(hooksDir, name)) ?? '';
    return { name, sourced: dependsOnName(script), isPreCommit: findGenerator(script) === 'pre-commit' };
  });
  const wanted = renderShim(hook, chained, launcher);
  const isRight = text === wanted && isExecutable(file);
  if (!isRight) {
    writeFileAtomic(file, wanted, { mode: 0o755 });
    if (!isExecutable(file)) disk.chmodSync(file, 0o755); // the mode of the file that stood there
  }
  // Only now that ours stands: Lefthook refuses to install over one that it moved aside before.
  for (const aside of listMovedAside(hooksDir, hook)) disk.unlinkSync(join(hooksDir, aside));
  return { count: isRight ? 0 : 1, notices };
}

/**
 * Stores the foreign script under a name of its own, before ours replaces it. It is copied and not moved: of two
 * processes that do this at once, the later would move our script. A symbolic link is moved, since a copy would
 * look for its neighbours in the wrong folder.
 *
 * @returns the new backup's name; `undefined` when the script is kept already
 */
function keepForeign(hooksDir: string, hook: GitHook): string | undefined {
  const file = join(hooksDir, hook);
  const stat = disk.lstatSync(file);
  if (stat.isSymbolicLink()) {
    const backup = freeBackupName(hook, listBackups(hooksDir, hook));
    disk.renameSync(file, join(hooksDir, backup));
    return backup;
  }
  const bytes = readUserBytes(file, 'script');
  if (bytes === undefined) return undefined;
  // Another process has kept it and put ours there since we looked.
  if (classifyScript(hook, bytes.toString('utf8')) !== 'foreign') return undefined;
  const refused: string[] = [];
  for (;;) {
    const backups = listBackups(hooksDir, hook);
    if (backups.some((name) => hasBytes(join(hooksDir, name), bytes))) return undefined;
    const older = findOlderVersion(hooksDir, backups, bytes.toString('utf8'));
    if (older !== undefined) {
      writeFileAtomic(join(hooksDir, older), bytes, { mode: stat.mode });
      disk.chmodSync(join(hooksDir, older), stat.mode & 0o7777); // whatever the umask is
      return undefined;
    }
    const backup = freeBackupName(hook, [...backups, ...refused]);
    // Where another process was faster, it may have kept the same script: then it must not be kept, and run, twice.
    if (createFileAtomic(join(hooksDir, backup), bytes, { mode: stat.mode })) return backup;
    refused.push(backup); // on a disk that ignores case it can be there by another name
  }
}

/** The backup of what a hook manager wrote before, which it has now replaced itself: both would run its hooks twice. */
function findOlderVersion(hooksDir: string, backups: readonly string[], text: string): string | undefined {
  const generator = findGenerator(text);
  if (generator === undefined) return undefined;
  return backups.find((name) => {
    const file = join(hooksDir, name);
    return !disk.lstatSync(file).isSymbolicLink() && findGenerator(readScript(file) ?? '') === generator;
  });
}

/**
 * Scripts of ours that a hook manager moved out of its way: pre-commit, which calls the script from its own, and
 * Lefthook, which does not.
 */
function listMovedAside(hooksDir: string, hook: GitHook): string[] {
  return [`${hook}.legacy`, `${hook}.old`].filter((name) => {
    const text = readScript(join(hooksDir, name));
    return text !== undefined && classifyScript(hook, text) === 'ours';
  });
}

function removeOne(hooksDir: string, hook: GitHook): GitHooksReport {
  const file = join(hooksDir, hook);
  const text = readScript(file);
  const kind = text === undefined ? undefined : classifyScript(hook, text);
  const backups = listBackups(hooksDir, hook);
  if (kind === 'extended') return { count: 0, notices: [{ kind: 'extended', hook }] };
  const aside = listMovedAside(hooksDir, hook);
  for (const name of aside) disk.unlinkSync(join(hooksDir, name));
  if (kind === 'foreign') {
    // What ours called for pre-commit is what pre-commit moves aside and calls itself.
    const own = backups.filter((name) => findGenerator(readScript(join(hooksDir, name)) ?? '') === undefined);
    const called = aside.includes(`${hook}.legacy`) ? own.at(-1) : undefined;
    if (called !== undefined) disk.renameSync(join(hooksDir, called), join(hooksDir, `${hook}.legacy`));
    const left = backups.filter((name) => name !== called);
    return { count: aside.length > 0 ? 1 : 0, notices: leftBehind(hook, left) };
  }
  const newest = backups.at(-1);
  if (newest !== undefined) disk.renameSync(join(hooksDir, newest), file);
  else if (kind === 'ours') disk.unlinkSync(file);
  return { count: kind === 'ours' ? 1 : 0, notices: leftBehind(hook, backups.slice(0, -1)) };
}

const leftBehind = (hook: GitHook, backups: readonly string[]): HookNotice[] =>
  backups.map((backup) => ({ kind: 'backup-left', hook, backup }));

/** Backups of `hook`, oldest first. */
function listBackups(hooksDir: string, hook: GitHook): string[] {
  const prefix = `${hook}.pre-entire`;
  const number = (name: string): number =>
    name === prefix ? 0 : Number(/^\.([1-9]\d*)$/.exec(name.slice(prefix.length))?.[1] ?? Number.NaN);
  return listNames(hooksDir)
    .filter((name) => name.startsWith(prefix) && !Number.isNaN(number(name)))
    .sort((a, b) => number(a) - number(b));
}

function freeBackupName(hook: GitHook, backups: readonly string[]): string {
  const first = `${hook}.pre-entire`;
  for (let n = 1, name = first; ; name = `${first}.${n++}`) if (!backups.includes(name)) return name;
}

/** Text of a script; of a dangling link, and of what is no file that a script could be, the empty text, which is foreign. */
export function readScript(file: string): string | undefined {
  if (lstatIfExists(file) === undefined) return undefined;
  try {
    return readUserText(file, 'script') ?? '';
  } catch (error) {
    if (error instanceof FileRefused) return '';
    throw error;
  }
}

function hasBytes(file: string, bytes: Buffer): boolean {
  const stat = disk.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === bytes.length && bytes.equals(disk.readFileSync(file));
}

function isExecutable(file: string): boolean {
  const mode = disk.statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform === 'win32' || (mode & 0o111) !== 0;
}

function ensureFolder(dir: string): void {
  const stat = disk.statSync(dir, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return;
  if (stat) {
    throw new EntireError('WRITE_FAILED', `${dir} is not a folder, so git runs no hooks.`, {
      hint: 'Check `git config core.hooksPath`.',
    });
  }
  disk.mkdirSync(dir, { recursive: true, mode: 0o755 });
}
