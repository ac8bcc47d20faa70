import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';

/**
 * `entire` as npm installs it: the checkout, and the two packages that are published. The installation belongs
 * to somebody else, so it is made read-only; root may write all the same, so a listing shows that nobody did.
 */
const checkout = resolve(import.meta.dirname, '../..');
const STRACE = 'strace';
const platform = `${process.platform}-${process.arch}`;
let dir: string;

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-install-')));
});

afterAll(() => {
  setWritable(dir, true);
  rmSync(dir, { recursive: true });
});

describe('npm install --global of the checkout', () => {
  let prefix: string;

  beforeAll(() => {
    prefix = installGlobally('from-checkout', checkout);
    setWritable(prefix, false);
  });

  it('starts the native executable, and no Node', (test) => {
    expect(executed(test, prefix)).toEqual([
      join(prefix, 'bin/entire'),
      realpathSync(join(checkout, 'dist/entire')),
    ]);
  });

  it('answers through the link, and writes nothing into the installation', () => {
    const list = (): string[] => [...listing(prefix), ...listing(join(checkout, 'bin'))];
    const before = list();
    expect(version(prefix)).toMatch(/^Entire CLI .+\nBun: /);
    expect(list()).toEqual(before);
  });
});

describe('the published packages', () => {
  let packages: string[];

  beforeAll(() => {
    const release = join(dir, 'release');
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/pack.ts', '--host', '--out', release], {
      cwd: checkout,
    });
    packages = readdirSync(release).map((name) => npmPack(join(release, name)));
  });

  it.runIf(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(platform))(
    'start the executable from the package of the platform, and write nothing',
    (test) => {
      const prefix = installGlobally('from-packages', ...packages);
      setWritable(prefix, false);
      const before = listing(prefix);
      expect(version(prefix)).toMatch(/^Entire CLI .+\nBun: /);
      expect(listing(prefix)).toEqual(before);
      const native = `lib/node_modules/@entire-cli/entire-${platform}/entire`;
      expect(executed(test, prefix)).toEqual([join(prefix, 'bin/entire'), join(prefix, native)]);
    },
  );

  it('have the licence of every package whose code is in them', () => {
    const { dependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
    for (const name of readdirSync(join(dir, 'release'))) {
      const folder = join(dir, 'release', name);
      const file = ['dist', '']
        .map((below) => join(folder, below, 'THIRD-PARTY-NOTICES.txt'))
        .find(existsSync);
      const notices = readFileSync(file ?? folder, 'utf8');
      for (const one of Object.keys(dependencies)) expect(notices).toContain(`\n${one} `);
      expect(notices.match(/^-+$/gm)?.length).toBeGreaterThan(Object.keys(dependencies).length); // and of what those need
      expect(notices).toContain('Permission is hereby granted');
    }
  });

  it('fall back to the Node build where there is no executable', () => {
    const prefix = installGlobally(
      'without-executable',
      ...packages.filter((name) => !name.includes('-cli-')),
    );
    expect(version(prefix)).toMatch(/^Entire CLI .+\nNode: /);
    // It is the whole program: what it was built from lies in no node_modules any more.
    const repo = join(dir, 'repo');
    execFileSync('git', ['init', '-q', repo], { env: environment(prefix) });
    expect(entire(prefix, repo, 'enable', '--agent', 'claude-code')).toContain('Hooks installed');
    const settings = readFileSync(join(repo, '.claude/settings.json'), 'utf8');
    expect(settings).toContain('entire hooks claude-code post-file-edit');
  });
});

/** An environment with an empty home and no network. */
function environment(prefix: string): NodeJS.ProcessEnv {
  const home = join(dir, 'home');
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

function installGlobally(name: string, ...what: string[]): string {
  const prefix = join(dir, name);
  mkdirSync(prefix);
  const args = ['install', '--global', '--ignore-scripts', '--no-audit', '--no-fund', ...what];
  execFileSync('npm', args, { cwd: dir, env: environment(prefix), stdio: 'pipe' });
  return prefix;
}

/** Returns the tarball. */
function npmPack(folder: string): string {
  const args = ['pack', '--json', '--pack-destination', dir];
  const said = execFileSync('npm', args, { cwd: folder, env: environment(dir), encoding: 'utf8' });
  const [packed] = JSON.parse(said) as { filename: string }[];
  return join(dir, packed?.filename ?? '');
}

const version = (prefix: string): string => entire(prefix, dir, 'version');

function entire(prefix: string, cwd: string, ...args: string[]): string {
  const options = { cwd, env: environment(prefix), encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync(join(prefix, 'bin/entire'), args, options);
}

/** Every program that `entire version` becomes or starts, as strace sees it. */
function executed(test: TestContext, prefix: string): string[] {
  const strace = (...command: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(STRACE, ['-f', '-qq', '-e', 'trace=execve', ...command], {
      cwd: dir,
      env: environment(prefix),
      encoding: 'utf8',
    });
  const probe = strace('true');
  if (probe.error) test.skip('strace is not installed');
  if (probe.status !== 0) test.skip(`strace may not trace here: ${probe.stderr}`);
  const traced = strace(join(prefix, 'bin/entire'), 'version');
  expect(traced.status).toBe(0);
  return [...String(traced.stderr).matchAll(/execve\("([^"]+)".*\) = 0$/gm)].map(([, file = '']) =>
    // npm's own link is what was asked for; anything after it is resolved.
    file === join(prefix, 'bin/entire') ? file : realpathSync(file),
  );
}

/** Path, size, mode and time of change of everything below `root`, links not followed. */
function listing(root: string): string[] {
  const { mtimeMs, ctimeMs, size, mode } = lstatSync(root);
  const own = `${root} ${mode.toString(8)} ${size} ${mtimeMs} ${ctimeMs}`;
  if (!lstatSync(root).isDirectory()) return [own];
  return [
    own,
    ...readdirSync(root)
      .sort()
      .flatMap((name) => listing(join(root, name))),
  ];
}

/** Does what `chmod -R a-w` or `u+w` does; links are not followed. */
function setWritable(root: string, writable: boolean): void {
  const stat = lstatSync(root);
  if (stat.isSymbolicLink()) return;
  chmodSync(root, writable ? stat.mode | 0o200 : stat.mode & ~0o222);
  if (stat.isDirectory()) for (const name of readdirSync(root)) setWritable(join(root, name), writable);
}
