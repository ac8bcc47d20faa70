import { EntireError } from '../../base/errors.ts';
import { type SearchPlace, safeSearchPath } from '../../base/process/find-program.ts';
import { type BoundedEnd, runBounded } from '../../base/process/program.ts';
import { parseJson } from '../../base/text/json.ts';
import { VERSION } from '../../base/version.ts';

/** The only version of the protocol that there is. */
export const PROTOCOL_VERSION = 1;

/** An executable, and for which worktree it is asked. */
export interface Plugin extends SearchPlace {
  readonly program: string;
  /** Worktree root, physical; the executable runs in it. */
  readonly root: string;
}

/** What one call may take. A plugin may have to start its client to answer, and an agent waits for its hooks. */
export interface Limits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const MiB = 1024 * 1024;
export const QUESTION: Limits = { timeoutMs: 5_000, maxBytes: MiB };
export const HOOK: Limits = { timeoutMs: 10_000, maxBytes: 10 * MiB };
export const INSTALL: Limits = { timeoutMs: 30_000, maxBytes: MiB };
export const TRANSCRIPT: Limits = { timeoutMs: 20_000, maxBytes: 64 * MiB };

/** So much of what it said on stderr is told on. */
const MAX_WORDS = 300;

/** What it printed. @throws {EntireError} `PLUGIN_FAILED` in words, whatever it did instead of answering */
export function call(
  plugin: Plugin,
  args: readonly [string, ...string[]],
  limits: Limits,
  input: string | Uint8Array = '',
): Buffer {
  const { program, root, env } = plugin;
  const end = runBounded({
    ...{ program, args, input, ...limits, cwd: root },
    env: {
      ...env,
      PATH: safeSearchPath(plugin),
      ENTIRE: '0', // what it starts is no session of anybody's
      ENTIRE_REPO_ROOT: root,
      ENTIRE_PROTOCOL_VERSION: String(PROTOCOL_VERSION),
      ENTIRE_CLI_VERSION: VERSION,
    },
  });
  const reason = reasonOf(end, limits);
  if (reason !== undefined)
    throw new EntireError('PLUGIN_FAILED', `${program} ${args[0]} ${reason}`, {
      hint: `Run \`${program} ${args[0]}\` by hand to see what it says.`,
    });
  return end.stdout;
}

/** {@link call} for an answer in JSON. @throws {EntireError} `PLUGIN_FAILED` */
export function ask(...asked: Parameters<typeof call>): unknown {
  const [{ program }, [command]] = asked;
  const value = parseJson(
    call(...asked)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  );
  if (value === undefined) throw misfit(program, command, 'no JSON');
  return value;
}

/** The answer is there, and is not one. */
export const misfit = (program: string, command: string, what: string): EntireError =>
  new EntireError('PLUGIN_FAILED', `${program} ${command} answered with ${what}`, {
    hint: 'docs/agents/external.md says what each call answers.',
  });

function reasonOf(
  { code, failure, stderr }: BoundedEnd,
  { timeoutMs, maxBytes }: Limits,
): string | undefined {
  if (failure === 'time') return `had not ended after ${timeoutMs / 1000} s, and was killed`;
  if (failure === 'size') return `printed more than ${maxBytes / MiB} MiB, and was killed`;
  if (failure) return `could not be started (${failure.errno})`;
  if (code === 0) return undefined;
  const words = stderr.trim().replace(/\s+/g, ' ').slice(0, MAX_WORDS);
  const how = code === undefined ? 'was killed by a signal' : `failed with exit code ${code}`;
  return words === '' ? how : `${how}: ${words}`;
}
