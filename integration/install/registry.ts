import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/process/builds.ts';
import { freePort } from '../support/process/servers.ts';

/** What the tests were written against; the newest that runs in Node 20. No devDependency: only these tests need it. */
const VERDACCIO = '6.7.2';

const cache = join(root, '.cache/verdaccio');
const program = join(cache, 'node_modules/verdaccio/bin/verdaccio');

/**
 * Ensures that the pinned Verdaccio lies in `.cache/verdaccio`.
 *
 * @throws Error naming the command that failed where the registry cannot be reached
 */
export function ensureVerdaccio(): void {
  if (existsSync(program) && installedVersion() === VERDACCIO) return;
  mkdirSync(cache, { recursive: true });
  // It asks for node-fetch by a tag, which not every registry has.
  const own = { private: true, overrides: { 'node-fetch': '^2.7.0' } };
  writeFileSync(join(cache, 'package.json'), JSON.stringify(own));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  const args = ['install', '--prefix', cache, ...quiet, `verdaccio@${VERDACCIO}`];
  try {
    execFileSync('npm', args, { cwd: cache, stdio: 'pipe', timeout: 300_000 });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new Error(
      `Could not install Verdaccio: is the registry reachable? Run it once by hand:\n` +
        `  npm ${args.join(' ')}\n${stderr?.toString().trim() || message}`,
      { cause: error },
    );
  }
}

/** A registry on 127.0.0.1 that has what is published into it and, but for our own names, what the usual one has. */
export interface Registry {
  readonly url: string;
  publish(tarball: string): void;
  stop(): void;
}

/** @param dir where it keeps its things @throws Error where it does not answer within a minute */
export async function startRegistry(dir: string): Promise<Registry> {
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  const usual = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const anybody = { access: '$all', publish: '$all' };
  const config = {
    storage: join(dir, 'storage'),
    max_body_size: '200mb',
    web: { enable: false },
    auth: { htpasswd: { file: join(dir, 'htpasswd') } },
    uplinks: { usual: { url: usual } },
    packages: { entire: anybody, '@entire-cli/*': anybody, '**': { access: '$all', proxy: 'usual' } },
    log: { type: 'stdout', level: 'warn' },
  };
  writeFileSync(join(dir, 'config.yaml'), JSON.stringify(config)); // JSON is YAML
  const args = [program, '--config', join(dir, 'config.yaml'), '--listen', `127.0.0.1:${port}`];
  const child = spawn(process.execPath, args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = listen(child);
  const url = `http://127.0.0.1:${port}/`;
  await untilItAnswers(`${url}-/ping`, child, said);
  // npm publishes for nobody without a token, whatever the registry asks for.
  const npmrc = join(dir, 'npmrc');
  writeFileSync(npmrc, `registry=${url}\n//127.0.0.1:${port}/:_authToken=nobody\n`);
  return {
    url,
    publish(tarball) {
      const flags = ['--userconfig', npmrc, '--ignore-scripts', '--access', 'public'];
      execFileSync('npm', ['publish', tarball, ...flags], { cwd: dir, stdio: 'pipe' });
    },
    stop: () => void child.kill(),
  };
}

function listen(child: ChildProcess): () => string {
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => said.push(bytes));
  return () => Buffer.concat(said).toString();
}

async function untilItAnswers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const answer = await fetch(url).catch(() => undefined); // it does not listen yet
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error(`Verdaccio does not answer:\n${said()}`);
}

function installedVersion(): string | undefined {
  const text = readFileSync(join(cache, 'node_modules/verdaccio/package.json'), 'utf8');
  return (JSON.parse(text) as { version?: string }).version;
}
