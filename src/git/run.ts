import { isUtf8 } from 'node:buffer';
import { type ChildProcess, spawn as spawnAsync, spawnSync } from 'node:child_process';
import type { SimpleGit } from 'simple-git';
import { describeError, EntireError } from '../base/errors.ts';
import { agentEnvironment, resolveProgram, type SearchPlace } from '../base/process/find-program.ts';
import type { Repo } from './locate.ts';
import { programPlaceAt } from './program-place.ts';

/**
 * The one door to git. Two ways through it:
 *
 * - {@link runGit}: synchronous, bytes in and out, 2 ms a call. Hooks use it, and whatever needs stdin or batches.
 * - {@link askGit}: simple-git, for the one-shot questions of commands. It takes 10 ms to load and keeps the
 *   process alive for 50 ms after a call, which a hook cannot afford.
 */

/** Where git is run, and with which environment. */
export interface Git {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Settings of the user's that would change what we read. */
export const FIXED = [
  ...['-c', 'core.quotepath=false'],
  ...['-c', 'submodule.recurse=false'],
  ...['-c', 'trailer.separators=:'],
  ...['-c', 'log.follow=false'],
  ...['-c', 'log.showRoot=true'],
] as const;

/** A background `git status` must never be the reason that a user's `git add` fails. Every process of ours has it. */
const NO_LOCKS = { GIT_OPTIONAL_LOCKS: '0' } as const;

/** Variables that git sets for its own hooks, or that say which configuration holds. All other `GIT_*` are dropped. */
const FROM_GIT_HOOK =
  /^GIT_(DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;
const CONFIGURATION = /^GIT_(CONFIG_.*|CEILING_DIRECTORIES|EXEC_PATH|TEMPLATE_DIR|SSL_.*|SSH.*|TRACE.*)$/;

/** Git for a repository we found ourselves: what the environment says about repositories is dropped. */
export function gitFor(repo: Repo): Git {
  const named = repo.isNamed ? { GIT_DIR: repo.gitDir, GIT_WORK_TREE: repo.worktreeRoot } : {};
  return { cwd: repo.worktreeRoot, env: { ...environment(CONFIGURATION), ...named } };
}

/** Git for a git hook: sees the index that git is about to commit, which need not be `.git/index`. */
export function gitForHook(repo: Repo): Git {
  return { cwd: repo.worktreeRoot, env: { ...environment(FROM_GIT_HOOK), ...environment(CONFIGURATION) } };
}

/** Git outside of any known repository. */
export const gitAt = (cwd: string): Git => ({ cwd, env: environment(CONFIGURATION) });

function environment(allowed: RegExp): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || allowed.test(name));
  // Literal pathspecs: a file can be named `:!x.txt`.
  return { ...inEnglish(Object.fromEntries(kept)), GIT_LITERAL_PATHSPECS: '1', GIT_TERMINAL_PROMPT: '0' };
}

/**
 * Messages of git in English, which we read in places; and everything else as the user has it: their filters and
 * `textconv` programs are started by git, and may know only the character set of their locale.
 *
 * @see https://www.gnu.org/software/gettext/manual/html_node/Locale-Environment-Variables.html
 */
function inEnglish({ LC_ALL, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const messages = { LC_MESSAGES: 'C', LANGUAGE: 'C' };
  if (!LC_ALL) return { ...env, ...messages };
  // What it stands above must not come through when it is gone.
  const others = Object.entries(env).filter(([name]) => !name.startsWith('LC_'));
  return { ...Object.fromEntries(others), LANG: LC_ALL, ...messages };
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  /** Exit codes that are an answer, not a failure. Default: 0 only. */
  readonly okCodes?: readonly number[];
  /** That there is no such revision is an answer as well, with code 128. Whatever else git dies of is a failure. */
  readonly okUnknown?: boolean;
  /** For commands that write: none of the user's git hooks run. */
  readonly noHooks?: boolean;
  /** After so long it is killed, and has failed. For what may wait for a person. */
  readonly timeoutMs?: number;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  /** What git said to people; worth telling when `code` is not 0. */
  readonly stderr: string;
}

/** How git says that a revision, or what it leads to, does not exist. */
const UNKNOWN_REVISION = /^fatal: (bad (revision|object)|not a (valid object|tree))\b/im;

const places = new Map<string, readonly string[]>();
const programs = new Map<string, string>();

/** From where nothing is started, for a folder; looked up once. */
function placeOf({ cwd, env }: Git): SearchPlace {
  const forbidden = places.get(cwd) ?? programPlaceAt(cwd, env).forbidden;
  places.set(cwd, forbidden);
  return { env, forbidden };
}

/**
 * Git is found as all programs are that we start: never where the repository is.
 *
 * @throws {EntireError} `GIT_FAILED`; what the disk refuses, as it comes
 */
export function findGitProgram(git: Git): string {
  if (git.env.PATH === undefined) return 'git'; // the system's own folders
  const key = `${git.cwd}\0${git.env.PATH}`;
  const place = placeOf(git);
  try {
    const program = programs.get(key) ?? resolveProgram('git', place);
    programs.set(key, program);
    return program;
  } catch (cause) {
    throw new EntireError('GIT_FAILED', `git could not be started: ${describeError(cause)}`, { cause });
  }
}

type Spawn = typeof spawnSync;
let spawn: Spawn = spawnSync;

/** Replaces the way git is started; returns a function that puts the real one back. For tests only. */
export function replaceSpawn(next: Spawn): () => void {
  spawn = next;
  return () => {
    spawn = spawnSync;
  };
}

/** Runs git and waits for it. @throws {EntireError} `GIT_FAILED` when it cannot start, dies, or exits otherwise */
export function runGit(git: Git, args: readonly string[], options: RunOptions = {}): GitOutput {
  const flags = options.noHooks ? [...FIXED, '-c', 'core.hooksPath=/dev/null'] : FIXED;
  const result = spawn(findGitProgram(git), [...flags, ...args], {
    cwd: git.cwd,
    env: localEnvironmentOf(git),
    input: options.input ?? '',
    maxBuffer: 1 << 30,
    timeout: options.timeoutMs,
    windowsHide: true,
  });
  const code = result.status;
  const isUnknown = code === 128 && options.okUnknown && UNKNOWN_REVISION.test(result.stderr.toString());
  if (result.error || code === null || !((options.okCodes ?? [0]).includes(code) || isUnknown)) {
    const reason =
      result.error?.message ?? (result.stderr?.toString().trim() || `exit status ${code ?? result.signal}`);
    throw new EntireError('GIT_FAILED', `git ${commandOf(args)} failed: ${reason}`, { cause: result.error });
  }
  return { code, stdout: result.stdout as Buffer, stderr: result.stderr.toString('utf8').trim() };
}

/** The command among the arguments, behind settings for it and its folder. */
const commandOf = (args: readonly string[]): string | undefined =>
  args.find((arg, at) => !arg.startsWith('-') && !/^-c$/i.test(args[at - 1] ?? ''));

/** {@link runGit}, stdout as text without the last newline. */
export function gitText(git: Git, args: readonly string[], options?: RunOptions): string {
  return runGit(git, args, options).stdout.toString('utf8').replace(/\n$/, '');
}

/** How {@link startGit} starts git. */
export interface StartOptions {
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** `terminal`: it has all three of our streams, and what the user has set holds. */
  readonly stdin: 'ignore' | 'pipe' | 'terminal';
  /** The leader of a process group of its own, without a terminal. */
  readonly detached?: boolean;
  readonly isLocal?: boolean; // it talks to no remote: filters, pagers and `textconv` programs are looked up as the person has it
}

/** Starts git and does not wait for it; none of the user's git hooks run. The caller looks after its end. */
export function startGit(
  git: Git,
  args: readonly string[],
  { env, stdin, detached = false, isLocal = false }: StartOptions,
): ChildProcess {
  const isShown = stdin === 'terminal';
  const flags = [...(isShown ? [] : FIXED), '-c', 'core.hooksPath=/dev/null'];
  return spawnAsync(findGitProgram(git), [...flags, ...args], {
    cwd: git.cwd,
    env: isLocal ? { ...localEnvironmentOf(git), ...env } : environmentOf(git, env),
    stdio: isShown ? 'inherit' : [stdin, 'pipe', 'pipe'],
    detached,
    windowsHide: true,
  });
}

/** The environment of a git that is not waited for: what it starts to get there (ssh) comes from elsewhere first, too. */
export const environmentOf = (git: Git, env?: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  agentEnvironment({ ...placeOf(git), env: { ...localEnvironmentOf(git), ...env } });
/** The environment of a git that starts nothing to get anywhere: as it was given, and without locks that are not needed. */
export const localEnvironmentOf = (git: Git): NodeJS.ProcessEnv => ({ ...git.env, ...NO_LOCKS });

/** Asks git one question on behalf of a command. @throws {EntireError} `GIT_FAILED` */
export async function askGit(git: Git, ...args: readonly string[]): Promise<string> {
  const { simpleGit } = await import('simple-git');
  // simple-git refuses an environment that names an editor, a pager or an askpass program: pass what git needs.
  const needed =
    /^(GIT_.*|PATH|HOME|USERPROFILE|SystemRoot|XDG_CONFIG_HOME|LANG|LANGUAGE|LC_.*|TMPDIR|TEMP)$/;
  const kept = Object.fromEntries(Object.entries(git.env).filter(([name]) => needed.test(name)));
  const env = { ...kept, ...NO_LOCKS };
  const allowEnvironment = Object.keys(env).filter((name) => name.startsWith('GIT_'));
  try {
    const client: SimpleGit = simpleGit({
      ...{ baseDir: git.cwd, binary: findGitProgram(git), allowEnvironment },
      unsafe: { allowUnsafeCustomBinary: true }, // a path may hold any character
    }).env(env);
    return (await client.raw([...FIXED, ...args])).replace(/\n$/, '');
  } catch (cause) {
    throw new EntireError('GIT_FAILED', `git ${args[0]} failed: ${(cause as Error).message.trim()}`, {
      cause,
    });
  }
}

/**
 * Splits the output of a git command that was given `-z`. A file name can be any bytes: a part that is not UTF-8 comes
 * as the text nearest to it with a NUL at the end, which `parseRepoPath` refuses.
 */
export function splitNul(output: Buffer): string[] {
  if (isUtf8(output)) return output.toString('utf8').split('\0');
  const parts: string[] = [];
  for (let at = 0, end = 0; end < output.length; at = end + 1) {
    end = output.indexOf(0, at);
    if (end === -1) end = output.length;
    const part = output.subarray(at, end);
    parts.push(isUtf8(part) ? part.toString('utf8') : `${part.toString('utf8')}\0`);
  }
  return parts;
}

/** One line on a process: its parent, its state, when it began, and its command line. Empty where there is no `ps`. */
export const runPs = (pid: number): string =>
  askPs(['-ww', '-o', 'ppid=,stat=,lstart=,command=', '-p', String(pid)]);

/** The parent of each process: lines of two numbers. Empty where there is no `ps`. */
export const listProcesses = (): string => askPs(['-A', '-o', 'pid=,ppid=']);

function askPs(args: readonly string[]): string {
  try {
    const ps = resolveProgram('ps', placeOf({ cwd: process.cwd(), env: process.env }));
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }; // dates are compared by who has other ones
    return spawn(ps, args, { encoding: 'utf8', env, windowsHide: true }).stdout ?? '';
  } catch {
    return '';
  }
}

/** Git holds each entry of an index or a tree against each path that it is named: more of them than this are not. */
export const MAX_NAMED = 200;

/** {@link inBatches}; one part without a path where they are many. Then git tells of everything, and the caller takes what it asked for. */
export const inBatchesOrAll = (paths: readonly string[]): string[][] =>
  paths.length > MAX_NAMED ? [[]] : inBatches(paths);

/** Longest list of paths given to one git process, in bytes. */
const MAX_ARGUMENT_BYTES = 64 * 1024;

/** Cuts a list of paths so that each part fits on a command line; no part for an empty list. */
export function inBatches(paths: readonly string[]): string[][] {
  const result: string[][] = paths.length === 0 ? [] : [[]];
  let size = 0;
  for (const path of paths) {
    size += Buffer.byteLength(path) + 1;
    if (size > MAX_ARGUMENT_BYTES) {
      result.push([]);
      size = Buffer.byteLength(path) + 1;
    }
    result.at(-1)?.push(path);
  }
  return result;
}

/**
 * Does with one process what is to be done to many things. Where that fails, each half is done by itself, down to those that it fails
 * for: one bad file among thousands costs some processes more, and not thousands.
 *
 * @param onFailed what becomes of one that it fails for
 */
export function byHalves<T, R>(
  items: readonly T[],
  act: (items: readonly T[]) => readonly R[],
  onFailed: (item: T, error: unknown) => readonly R[],
): readonly R[] {
  try {
    return items.length === 0 ? [] : act(items);
  } catch (error) {
    const [first] = items;
    if (items.length === 1 && first !== undefined) return onFailed(first, error);
    const half = Math.ceil(items.length / 2);
    const parts = [items.slice(0, half), items.slice(half)];
    return parts.flatMap((part) => byHalves(part, act, onFailed));
  }
}
