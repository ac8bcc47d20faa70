import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../../src/conversation/agent.ts';
import type { ClientDriver } from './driver.ts';
import type { MockModel } from './model/server.ts';
import { World } from './world.ts';

/** How a command of ours ended that talked with an agent. */
export interface Talked {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** A command of ours that is talking with an agent. */
export interface Talk {
  /** What it has printed so far, on stdout and stderr. */
  printed(): string;
  /** Waits until it has printed that. */
  sees(text: string): Promise<void>;
  type(text: string): void;
  signal(name: NodeJS.Signals): void;
  readonly pid: number;
  readonly ended: Promise<Talked>;
}

/** A world in which a client stands on PATH under its own name, as a session of ours starts it. */
export class SessionWorld extends World {
  /** The environment in which our process, or the library, starts the client. */
  at(driver: ClientDriver, program: string, { url }: MockModel): Required<Environment> {
    const place = { repo: this.repo, home: this.home, temp: join(this.base, 'tmp'), url };
    const installed = driver.install();
    if ('reason' in installed) throw new Error(installed.reason);
    for (const [path, text] of Object.entries(driver.files(place))) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const link = join(this.base, 'bin', program);
    const [first = '', ...more] = installed.command;
    if (existsSync(link)) return this.environment(driver, place);
    if (more.length === 0) symlinkSync(first, link);
    else {
      const words = [first, ...more].map((word) => `'${word}'`).join(' ');
      writeFileSync(link, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    }
    return this.environment(driver, place);
  }

  /** Starts `entire` with these arguments; in a terminal of its own with `isTerminal`. */
  talk(env: Required<Environment>, args: readonly string[], { isTerminal = false, input = '' } = {}): Talk {
    const words = ['entire', ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const [program, ...rest] = isTerminal
      ? ['script', '--quiet', '--return', '--command', `stty -echo; exec ${words}`, '/dev/null']
      : ['entire', ...args];
    const child = spawn(program as string, rest, { cwd: env.cwd, env: env.variables, detached: true });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      stdout += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      stderr += part;
    });
    const ended = new Promise<Talked>((fulfil) =>
      child.on('close', (code) => fulfil({ stdout, stderr, code })),
    );
    if (!isTerminal) child.stdin.end(input);
    const printed = (): string => stdout + stderr;
    return {
      printed,
      pid: child.pid as number,
      ended,
      type: (text) => void child.stdin.write(text),
      signal: (name) => void child.kill(name),
      async sees(text) {
        for (const end = Date.now() + 30_000; !printed().includes(text); await pause(20))
          if (Date.now() > end) throw new Error(`never said ${text}: ${printed()}`);
      },
    };
  }

  /** A session that is kept in the world's home. */
  kept(sessionId: string): {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  } {
    return JSON.parse(readFileSync(join(this.home, '.entire', 'sessions', `${sessionId}.json`), 'utf8'));
  }

  private environment(
    driver: ClientDriver,
    place: Parameters<ClientDriver['env']>[0],
  ): Required<Environment> {
    return { cwd: this.repo, variables: { ...this.env, ...driver.env(place) } };
  }
}

export const pause = (ms: number): Promise<void> => new Promise((fulfil) => setTimeout(fulfil, ms));
