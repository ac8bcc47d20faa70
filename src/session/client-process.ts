import { hostname } from 'node:os';
import { basename, parse } from 'node:path';
import * as z from 'zod/mini';
import { isAlive, PID_SPACE } from '../base/process/pids.ts';
import { ancestors, type ProcessInfo, readProcess } from '../git/processes.ts';

/** The process of an agent's client: what starts the hooks of a session, and lives on between them. */
export interface ClientProcess {
  readonly pid: number;
  /** {@link ProcessInfo.began} */
  readonly began: string;
  /** Where the pid means something: the machine, and the namespace on it. */
  readonly space: string;
}

const stored = z.object({ pid: z.int(), began: z.string(), space: z.string() });

/** Reads it from a record's value; `undefined` where it is none. */
export const parseClientProcess = (value: unknown): ClientProcess | undefined => stored.safeParse(value).data;

const ownSpace = (): string => `${hostname()}/${PID_SPACE}`;

/** What stands between a client and a hook, and is there for that alone. */
const SHELL = /^-?(?:(?:ba|da|z|k|mk|a|fi|c|tc)?sh|busybox|env|cmd|powershell|pwsh)(?:\.exe)?$/;

/** What is younger than that when it runs a hook may be there for it alone, whatever it is called. */
const GROWN_MS = 1_000;

/**
 * The client that runs this hook. A wrong one would be taken for dead while its agent works, so it is only named where it cannot be a
 * wrapper of the hook: no shell, nothing that has the hook in its command line, and nothing that began just now, unless it is called as
 * the client is.
 *
 * @param program what the agent's client is started by
 * @param words of the hook's own command line
 */
export function findClient(
  program: string | undefined,
  words: readonly string[] = process.argv.slice(2, 5),
): ClientProcess | undefined {
  if (process.platform === 'win32') return undefined; // it does not tell of processes in a way that is read here
  const own = readProcess(process.pid);
  const client = own && chooseClient(ancestors(), words, own, program);
  return client && { pid: client.pid, began: client.began, space: ownSpace() };
}

/** {@link findClient} among the ancestors of a hook, the nearest first. */
export function chooseClient(
  line: Iterable<ProcessInfo>,
  words: readonly string[],
  own: Pick<ProcessInfo, 'beganMs'>,
  program: string | undefined,
): ProcessInfo | undefined {
  for (const one of line) {
    if (SHELL.test(basename(one.argv[0] ?? '')) || one.argv.join(' ').includes(words.join(' '))) continue;
    return own.beganMs - one.beganMs > GROWN_MS || isCalled(one, program) ? one : undefined;
  }
  return undefined;
}

/** Its own name, or the script that an interpreter runs. A prompt on the command line comes to its hook at once. */
function isCalled({ argv: [first = '', second = ''] }: ProcessInfo, program: string | undefined): boolean {
  const name = parse(first).name;
  return (
    program !== undefined && (name === program || (INTERPRETER.test(name) && parse(second).name === program))
  );
}

const INTERPRETER = /^(?:node|bun|deno)$/;

/** Whether that client is known to have ended. Of one on another machine, or in another container, nothing is known. */
export function isClientGone(client: ClientProcess | undefined): boolean {
  if (!client || client.space !== ownSpace()) return false;
  if (!isAlive(client.pid)) return true;
  const found = readProcess(client.pid);
  return found !== undefined && (found.isZombie || found.began !== client.began);
}
