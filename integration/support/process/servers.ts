import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { join } from 'node:path';
import type { TestRepo } from '../repository/test-repo.ts';

/** A port of 127.0.0.1 on which connections are made and never answered. It closes with `repo`. */
export async function listenSilently(repo: TestRepo): Promise<number> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  repo.onRemove(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** `git daemon` over the bare repositories of a test; the URL below which they are. It ends with `repo`. */
export async function startDaemon(repo: TestRepo, ...options: string[]): Promise<string> {
  const port = await freePort();
  const args = [
    ...['daemon', '--export-all', '--reuseaddr', '--listen=127.0.0.1', `--port=${port}`],
    ...[`--base-path=${repo.scratch}`, ...options],
  ];
  const daemon = spawn('git', args, { env: repo.env, stdio: 'ignore', detached: true });
  repo.onRemove(() => {
    if (daemon.pid !== undefined) process.kill(-daemon.pid, 'SIGTERM');
  });
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(port)) return `git://127.0.0.1:${port}`;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('git daemon did not start');
}

/** The bare repositories of a test over HTTP, for `user:password`; the host they are at. It ends with `repo`. */
export async function startHttp(repo: TestRepo, account: string): Promise<string> {
  const script = join(import.meta.dirname, 'http-server.mjs');
  const server = spawn(process.execPath, [script, repo.scratch, account], {
    env: repo.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  repo.onRemove(() => server.kill());
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return `127.0.0.1:${port.toString().trim()}`;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** Command lines of running processes that have `text` in them; empty where there is no `/proc`. */
export const processesWith = (text: string): string[] =>
  ofEachProcess((dir) => {
    const line = readFileSync(`${dir}/cmdline`, 'latin1').replaceAll('\0', ' ');
    return line.includes(text) ? line : undefined;
  });

/** Processes that work in a folder, such as the server's side of a connection in its repository. */
export const pidsWithin = (dir: string): number[] =>
  ofEachProcess((process, pid) => (readlinkSync(`${process}/cwd`) === dir ? pid : undefined));

function ofEachProcess<T>(look: (dir: string, pid: number) => T | undefined): T[] {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.flatMap((pid) => {
    try {
      return look(`/proc/${pid}`, Number(pid)) ?? [];
    } catch {
      return []; // it ended meanwhile, or is somebody else's
    }
  });
}
