import { basename } from 'node:path';
import { collapse, truncate } from '../base/text/text.ts';
import { type BoundedOutput, runGitBounded } from '../git/object/bounded.ts';
import { freeRef, LOCK_HERE } from '../git/ref/ref-failure.ts';
import { hideCredentials } from '../git/remote/remotes.ts';
import type { Git } from '../git/run.ts';
import type { Destination } from './destination.ts';

/** How to reach a remote, and for how long to try. */
export interface Line {
  readonly git: Git;
  readonly to: Destination;
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
  /** For the sentence that says so. */
  readonly limitMs: number;
  readonly interactive: boolean;
  /** `core.sshCommand` */
  readonly sshCommand: string | undefined;
}

/** Why a remote did not do what it was asked. */
export interface Failure {
  readonly code:
    | 'timeout'
    | 'offline'
    | 'auth'
    | 'missing'
    | 'refused'
    | 'moved'
    | 'unsound'
    | 'locked'
    | 'failed';
  /** One line, without credentials; not made safe for a terminal. */
  readonly reason: string;
}

/** What a remote answered. */
export type Answer<T> = { readonly value: T } | { readonly failure: Failure };

/** Fetches a branch of the user's from a remote into its tracking ref. */
export async function fetchBranch(
  line: Omit<Line, 'to'>,
  remote: string,
  branch: string,
): Promise<Answer<'fetched'>> {
  const refspec = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`;
  const options = ['--quiet', '--no-recurse-submodules', '--refmap='];
  const output = await run(line, ['fetch', ...options, '--', remote, refspec]);
  return output.code === 0 ? { value: 'fetched' } : { failure: explain(output, line.limitMs) };
}

/** Runs git against a remote, for as long as there is time; once more where only the lock of a git that died was in the way. */
export async function run(line: Omit<Line, 'to'>, args: readonly string[]): Promise<BoundedOutput> {
  const { deadlineMs, interactive, sshCommand } = line;
  // A git that outlives us, because we were killed, gives up by itself.
  const seconds = Math.max(1, Math.ceil((deadlineMs - performance.now()) / 1000));
  const slow = ['-c', 'http.lowSpeedLimit=1', '-c', `http.lowSpeedTime=${seconds}`];
  const ssh = sshEnvironment(sshCommand, interactive, seconds);
  const once = () => runGitBounded(line.git, [...slow, ...args], { deadlineMs, interactive, env: ssh });
  const output = await once();
  return output.code !== 0 && freeRef(output.stderr) ? once() : output;
}

/** Ssh must not ask where nobody answers. Other programs than OpenSSH do not know these options. */
export function sshEnvironment(
  configured: string | undefined,
  interactive: boolean,
  seconds: number,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const command = env.GIT_SSH_COMMAND ?? configured ?? (env.GIT_SSH ? undefined : 'ssh');
  const program = basename(command?.split(' ')[0] ?? '');
  if (command === undefined || !/^ssh(\.exe)?$/i.test(program)) return {};
  const options = [`ConnectTimeout=${seconds}`, ...(interactive ? [] : ['BatchMode=yes'])];
  return { GIT_SSH_COMMAND: [command, ...options.map((option) => `-o ${option}`)].join(' ') };
}

/** The remote's branch is not where we believed it to be. */
const MOVED =
  /\[rejected\] \((fetch first|non-fast-forward|stale info)\)|\[remote rejected\] \((failed to update ref|incorrect old value provided|reference already exists|cannot lock ref)/;
const KINDS: readonly (readonly [Failure['code'], RegExp])[] = [
  ['moved', MOVED],
  ['locked', LOCK_HERE],
  ['refused', /\[remote rejected\]|\[rejected\]|pre-receive hook declined|protected branch/],
  [
    'auth',
    /authentication failed|could not read (username|password)|permission denied|terminal prompts disabled|returned error: 40[13]|host key verification failed|access denied/i,
  ],
  [
    'missing',
    /repository not found|does not appear to be a git repository|returned error: 404|repository '.*' not found/i,
  ],
  [
    'offline',
    /could not resolve host|unable to access|connection (refused|timed out|reset)|network is unreachable|unable to connect|no route to host|name or service not known|could not read from remote/i,
  ],
];

/** Says in one line what went wrong, from what git printed. */
export function explain(
  { stdout, stderr, timedOut, code }: Pick<BoundedOutput, 'stdout' | 'stderr' | 'timedOut' | 'code'>,
  limitMs: number,
): Failure {
  if (timedOut) return { code: 'timeout', reason: `no answer within ${limitMs / 1000} s` };
  const unsound = /error: (object \w+: .+)/.exec(stderr)?.[1];
  if (unsound && stderr.includes('fsck error'))
    return { code: 'unsound', reason: `it sent what git refuses: ${collapse(unsound)}` };
  const rejected = stdout.split('\n').find((text) => text.startsWith('!'));
  // Some sentences go on in the next line.
  const lines = stderr
    .replace(/:\n\s*/g, ': ')
    .split('\n')
    .map((text) => text.trim());
  const said = [
    /^remote: (?:(?:fatal|error|GitLab): )?(.*\w.*)/i,
    /^fatal: (.+)/,
    /^(?:error|ssh): (.+)/,
  ].flatMap((form) => lines.flatMap((text) => form.exec(text)?.[1] ?? []));
  const summary = rejected?.split('\t').at(-1)?.trim();
  const told = [summary, said[0] ?? lines.at(-1)].filter(Boolean).join(': ') || `git exited with ${code}`;
  const [kind] = KINDS.find(([, form]) => form.test(`${summary ?? ''}\n${stderr}`)) ?? ['failed' as const];
  const lock = kind === 'locked' && LOCK_HERE.exec(stderr)?.[1];
  if (lock) return { code: kind, reason: `a ref is locked: '${lock}': File exists` };
  return { code: kind, reason: truncate(hideCredentials(collapse(told)), 300, '...') };
}
