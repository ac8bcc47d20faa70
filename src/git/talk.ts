import type { Readable } from 'node:stream';
import {
  environmentOf,
  FIXED,
  findGitProgram,
  type Git,
  localEnvironmentOf,
  type RunOptions,
  runGit,
  startGit,
} from './run.ts';

/** A git that stays: it answers what is written to it, until it is closed. */
export interface Talk {
  write(text: string): void;
  /** What has come since; `undefined` once it has ended. */
  next(): Promise<Uint8Array | undefined>;
  close(): void;
}

/** Starts git and talks with it; what it says to people is passed over. @throws where it cannot be started */
export function talkTo(git: Git, args: readonly string[]): Talk {
  const { Bun } = globalThis as Engine;
  if (Bun) return talkInBun(Bun, git, args);
  const child = startGit(git, args, { stdin: 'pipe' });
  child.on('error', () => {}); // that it ended shows at its output
  child.stdin?.on('error', () => {});
  child.stdout?.on('error', () => {});
  child.stderr?.resume();
  const chunks = child.stdout?.[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return {
    write: (text) => child.stdin?.write(text),
    next: async () => (await chunks.next()).value,
    close() {
      child.stdin?.end();
      child.stdout?.destroy();
      child.unref();
    },
  };
}

/**
 * Starts git and goes on; what it says comes when it has ended. For what takes long, and can be asked again by who waits for it.
 *
 * @param input what it reads
 * @returns `undefined` where it failed, or could not be started
 */
export async function runAside(git: Git, args: readonly string[], input = ''): Promise<Buffer | undefined> {
  const said = readAside(git, args, input);
  const parts: Uint8Array[] = [];
  for (;;) {
    const { value, done } = await said.next();
    if (done) return value ? Buffer.concat(parts) : undefined;
    parts.push(value);
  }
}

/** {@link runAside}; where that fails, git is asked again and waited for, which says why. @throws {EntireError} `GIT_FAILED` */
export async function askAside(
  git: Git,
  args: readonly string[],
  options: Pick<RunOptions, 'okCodes' | 'okUnknown'> & { readonly input?: string } = {},
): Promise<Buffer> {
  return (await runAside(git, args, options.input)) ?? runGit(git, args, options).stdout;
}

/**
 * Starts git, and hands on what it says as it comes: it goes on meanwhile, and not far ahead of who takes that. Who takes no more ends it.
 *
 * @returns whether all is said; it failed, or could not be started, otherwise
 */
export async function* readAside(
  git: Git,
  args: readonly string[],
  input = '',
): AsyncGenerator<Uint8Array, boolean> {
  try {
    const { Bun } = globalThis as Engine;
    const { parts, code } = Bun ? openInBun(Bun, git, args, input) : open(git, args, input);
    yield* parts;
    return (await code) === 0;
  } catch {
    return false;
  }
}

interface Opened {
  readonly parts: AsyncIterable<Uint8Array>;
  readonly code: Promise<number | null>;
}

function open(git: Git, args: readonly string[], input: string): Opened {
  const child = startGit(git, args, { stdin: 'pipe', isLocal: true });
  const code = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  child.stderr?.resume();
  child.stdin?.on('error', () => {}); // that it ended shows at its code
  child.stdin?.end(input);
  return { parts: child.stdout as Readable, code };
}

function openInBun(
  Bun: NonNullable<Engine['Bun']>,
  git: Git,
  args: readonly string[],
  input: string,
): Opened {
  const child = startInBun(Bun, git, args, localEnvironmentOf(git));
  quietly(
    () => child.stdin.write(input),
    () => child.stdin.end(),
  );
  return { parts: child.stdout, code: child.exited };
}

/** Where it has ended, that shows at its output. */
function quietly(...steps: readonly (() => unknown)[]): void {
  for (const step of steps)
    try {
      Promise.resolve(step()).catch(() => {});
    } catch {}
}

/** What we use of Bun's own way to start programs: it takes 4 ms, where streams of Node's kind in Bun take 9. */
type Engine = {
  Bun?: {
    spawn(
      command: readonly string[],
      options: {
        cwd: string;
        env: NodeJS.ProcessEnv;
        stdin: 'pipe';
        stdout: 'pipe';
        stderr: 'ignore';
        windowsHide: true;
      },
    ): {
      readonly stdin: { write(text: string): unknown; flush(): unknown; end(): unknown };
      readonly stdout: ReadableStream<Uint8Array>;
      readonly exited: Promise<number>;
      unref(): void;
    };
  };
};

const startInBun = (
  Bun: NonNullable<Engine['Bun']>,
  git: Git,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
) =>
  Bun.spawn([findGitProgram(git), ...FIXED, ...args], {
    ...{ cwd: git.cwd, env, windowsHide: true },
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' },
  });

function talkInBun(Bun: NonNullable<Engine['Bun']>, git: Git, args: readonly string[]): Talk {
  const child = startInBun(Bun, git, args, environmentOf(git));
  const reader = child.stdout.getReader();
  return {
    write: (text) =>
      quietly(
        () => child.stdin.write(text),
        () => child.stdin.flush(),
      ),
    next: async () => (await reader.read().catch(() => undefined))?.value,
    close: () =>
      quietly(
        () => child.stdin.end(),
        () => reader.cancel(),
        () => child.unref(),
      ),
  };
}
