import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { commitLinked } from '../support/repository/walk.ts';
import { COMPILERS, Machine } from './machine.ts';
import { ensureVerdaccio, type Registry, startRegistry } from './registry.ts';
import { HOST, makeNextRelease, RELEASE, readManifest, tarballs } from './release.ts';

/** The release as npm installs it: from a registry, on a machine that can build nothing. */
let dir: string;
let registry: Registry;
const { version, man = [] } = readManifest(join(RELEASE, 'entire'));

beforeAll(async () => {
  ensureVerdaccio();
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-registry-')));
  registry = await startRegistry(dir);
  for (const tarball of tarballs().toSorted((a, b) => b.length - a.length)) registry.publish(tarball);
});

afterAll(() => {
  registry?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const opened: { machine: Machine; repo: TestRepo }[] = [];
afterEach(() => {
  for (const { machine, repo } of opened.splice(0)) {
    repo.remove();
    rmSync(machine.dir, { recursive: true, force: true });
  }
});

function open(): { machine: Machine; repo: TestRepo } {
  const machine = new Machine(registry.url);
  const one = { machine, repo: machine.repo() };
  opened.push(one);
  return one;
}

/** Prompt, edit, stop and a commit that is linked; which version wrote its checkpoint. */
function work(repo: TestRepo, session: AgentSession, file: string): string {
  session.prompt(`write ${file}`);
  session.edit(file, `${file}\n`);
  session.stop();
  return repo.storedJson(commitLinked(repo, session, file), '0/metadata.json').cli_version;
}

describe('npm install --global', () => {
  test('on a machine without compilers: the executable of the platform, hooks, commits, and the manual', () => {
    const { machine, repo } = open();
    for (const name of [...COMPILERS, 'entire'])
      expect(repo.run('sh', ['-c', `command -v ${name}`], { cwd: machine.dir }).code, name).not.toBe(0);
    machine.npm(repo, 'install', '--global', `entire@${version}`);
    expect(repo.entire('version').stdout).toMatch(new RegExp(`^Entire CLI ${version} .*\nBun: `));

    const installed = machine.installed();
    const platforms = installed.flatMap((file) => /@entire-cli\/(entire-[\w-]+)\//.exec(file)?.[1] ?? []);
    expect([...new Set(platforms)]).toEqual([`entire-${HOST}`]);
    for (const page of man) expect(installed).toContain(page.replace('./dist/man/', 'share/man/man1/'));

    repo.ready();
    expect(work(repo, repo.session(), 'a.txt')).toBe(version);
    expect(repo.entire('doctor', '--self-test').stdout).toContain('The self-test passed.');
  });

  test('`man` finds the pages where npm puts them', ({ skip }) => {
    const { machine, repo } = open();
    if (repo.run('man', ['--version'], { cwd: machine.dir }).code !== 0) skip('man does not run here');
    machine.npm(repo, 'install', '--global', 'entire');
    const found = repo.run('man', ['-w', 'entire-log']);
    expect(found.stderr).toBe('');
    expect(realpathSync(found.stdout.trim())).toContain(
      `${machine.prefix}/lib/node_modules/entire/dist/man/`,
    );
    expect(repo.run('man', ['-w', 'entire']).code).toBe(0);
  });

  test('without install scripts, as some have it: the same files', () => {
    const [one, other] = [open(), open()];
    one.machine.npm(one.repo, 'install', '--global', 'entire');
    other.machine.npm(other.repo, 'install', '--global', '--ignore-scripts', 'entire');
    expect(other.machine.installed()).toEqual(one.machine.installed());
    other.repo.ready();
    expect(work(other.repo, other.repo.session(), 'a.txt')).toBe(version);
  });

  test.each([
    ['Linux without glibc', ['--libc=musl']],
    ['a system of which there is no package', ['--os=freebsd']],
  ])('for %s: no executable, and the Node build does the same', (_, flags) => {
    const { machine, repo } = open();
    machine.npm(repo, 'install', '--global', ...flags, 'entire');
    expect(machine.installed().filter((file) => file.includes('@entire-cli'))).toEqual([]);
    expect(repo.entire('version').stdout).toMatch(new RegExp(`^Entire CLI ${version} .*\nNode: `));
    repo.ready();
    expect(work(repo, repo.session(), 'a.txt')).toBe(version);
  });
});

describe('upgrade and uninstall', () => {
  test('an upgrade leaves what a new installation has; hooks of both kinds call it; then nothing is left, and commits go on', () => {
    const { machine, repo } = open();
    machine.npm(repo, 'install', '--global', `entire@${version}`);
    repo.ready();
    const pinned = machine.repo();
    opened.push({ machine, repo: pinned });
    pinned.init().write('README.md', 'base\n').git('add', '.');
    pinned.git('commit', '--quiet', '-m', 'init');
    pinned.entire('enable', '--agent', 'claude-code', '--absolute-git-hook-path');
    expect(pinned.read('.git/hooks/post-commit')).toContain(machine.prefix);
    const sessions = [repo, pinned].map((one) => one.session());
    const again = (file: string): string[] =>
      [repo, pinned].map((one, index) => work(one, sessions[index] as AgentSession, file));
    expect(again('a.txt')).toEqual([version, version]);

    const next = makeNextRelease(join(dir, 'next'));
    for (const tarball of next.tarballs) registry.publish(tarball);
    machine.npm(repo, 'install', '--global', 'entire@latest');
    expect(repo.entire('version').stdout).toContain(`Entire CLI ${next.version} `);
    expect(again('b.txt')).toEqual([next.version, next.version]);
    expect(repo.entire('doctor').code).toBe(0);
    const fresh = open();
    fresh.machine.npm(fresh.repo, 'install', '--global', `entire@${next.version}`);
    expect(machine.installed()).toEqual(fresh.machine.installed());

    machine.npm(repo, 'uninstall', '--global', 'entire');
    expect(machine.installed()).toEqual([]);
    for (const one of [repo, pinned]) {
      one.write('c.txt', 'mine\n').git('add', '.');
      expect(one.run('git', ['commit', '--quiet', '-m', 'Go on'])).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
      expect(one.git('log', '-1', '--format=%B')).toBe('Go on');
    }
    // What agents call says on stderr that it is gone, and does not hinder them.
    const settings = JSON.parse(readFileSync(join(repo.dir, '.claude/settings.json'), 'utf8'));
    const { command } = settings.hooks.Stop[0].hooks[0] as { command: string };
    const called = repo.run('sh', ['-c', command], { input: '{}' });
    expect(called).toMatchObject({ code: 0, stdout: '' });
    expect(called.stderr).toMatch(/entire: .*not found/);

    machine.npm(repo, 'install', '--global', `entire@${version}`); // and an older one works on what the newer one wrote
    expect(again('d.txt')).toEqual([version, version]);
  });
});
