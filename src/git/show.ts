import { constants } from 'node:os';
import { EntireError } from '../base/errors.ts';
import { readConfig } from './ref/refs.ts';
import { type Git, startGit } from './run.ts';

/** Of the user's environment, what says how git shows things; everywhere else we drop it. */
const OF_SHOWING = /^GIT_(PAGER|EXTERNAL_DIFF|DIFF_OPTS)$/;

/** Signals of the terminal go to all that run in it: they are for git and its pager, which we outlive. */
const OF_TERMINAL = ['SIGINT', 'SIGQUIT'] as const;
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Runs git with our streams, as the user would: their colours, pager and `textconv` hold.
 *
 * @returns its exit code, as a shell has it; 0 where nobody read to the end
 * @throws {EntireError} `GIT_FAILED` when it cannot start
 */
export async function showWithGit(git: Git, args: readonly string[]): Promise<number> {
  const ignore = (): void => {};
  for (const signal of OF_TERMINAL) process.on(signal, ignore); // first: a pager may be stopped as soon as it is seen
  let end: (signal: NodeJS.Signals) => void = raise;
  const passOn = (signal: NodeJS.Signals): void => end(signal);
  for (const signal of PASSED_ON) process.on(signal, passOn);
  try {
    const shown = Object.entries(process.env).filter(([name]) => OF_SHOWING.test(name));
    const env = { ...Object.fromEntries(shown), ...withoutCaches(git) };
    const child = startGit(git, args, { env, stdin: 'terminal', isLocal: true });
    end = (signal) => void child.kill(signal);
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (cause) =>
        reject(new EntireError('GIT_FAILED', `git could not be started: ${cause.message}`, { cause })),
      );
      child.on('exit', (code, signal) => resolve(signal === 'SIGPIPE' ? 0 : (code ?? codeOf(signal))));
    });
  } finally {
    end = raise;
    // What came before the end may be heard after it: a Ctrl-C was not for who listens next, and all else is.
    await new Promise((resolve) => setImmediate(resolve));
    for (const signal of OF_TERMINAL) process.off(signal, ignore);
    for (const signal of PASSED_ON) process.off(signal, passOn);
  }
}

/** For who listens then. */
const raise = (signal: NodeJS.Signals): void => void setTimeout(() => process.kill(process.pid, signal), 0);

const codeOf = (signal: NodeJS.Signals | null): number => 128 + (signal ? constants.signals[signal] : 0);

/**
 * What `textconv` programs make of a file git may keep as a note, whose objects would go where those of this call go, and be missed by
 * the note when they are gone.
 *
 * @see https://git-scm.com/docs/gitattributes#_performing_text_diffs_of_binary_files
 */
function withoutCaches(git: Git): NodeJS.ProcessEnv {
  const keys = [...readConfig(git, '^diff\\..*\\.cachetextconv$').keys()];
  const first = Number(git.env.GIT_CONFIG_COUNT ?? 0) || 0;
  const pairs = keys.flatMap((key, at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, 'false'],
  ]);
  return keys.length === 0
    ? {}
    : { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(first + keys.length) };
}
