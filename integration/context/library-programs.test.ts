import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../support/process/builds.ts';
import { variation } from '../support/repository/scenario.ts';

/** A program of the page, and what it prints. */
interface Program {
  readonly title: string;
  readonly source: string;
  readonly output: string;
}

const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
const programs: Program[] = [
  ...page.matchAll(/^### ([^\n]+)\n\n```js\n(.*?)```\n\n```text\n(.*?)```/gms),
].map(([, title = '', source = '', output = '']) => ({ title, source, output }));

test('the page has ten programs, and each says what it prints', () => {
  expect(programs.map(({ title }) => title)).toHaveLength(10);
  expect(page.split('```js\n')).toHaveLength(11);
});

describe('as the page says', () => {
  variation('its programs run, one after the other, over the package as it is published', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('Add a login');
    session.edit('login.ts', 'export function login(name: string): boolean {\n  return name !== "";\n}\n');
    session.stop();
    repo.commit('Add a login', 'login.ts');
    repo.write('notes.md', 'By hand.\n').commit('Notes', 'notes.md');
    session.prompt('And a cart');
    session.edit('cart.ts', 'export const cart = [];\n');

    const modules = join(repo.scratch, 'programs', 'node_modules');
    mkdirSync(modules, { recursive: true });
    symlinkSync(root, join(modules, 'entire'));
    for (const { title, source, output } of programs) {
      const file = join(repo.scratch, 'programs', 'program.mjs');
      writeFileSync(file, source);
      const result = repo.run(process.execPath, [file]);
      expect.soft({ title, ...result }).toEqual({ title, code: 0, stdout: output, stderr: '' });
    }
  });

  variation('its programs are right by the types of the package, which need no other', (repo) => {
    const folder = join(repo.scratch, 'programs');
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, 'entire'), { recursive: true });
    mkdirSync(join(modules, '@types'));
    cpSync(join(root, 'package.json'), join(modules, 'entire', 'package.json'));
    cpSync(join(root, 'dist', 'types'), join(modules, 'entire', 'dist', 'types'), { recursive: true });
    // Those of Node, and what they need.
    for (const name of ['@types/node', 'undici-types'])
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
    for (const [at, { source }] of programs.entries())
      writeFileSync(join(folder, `program-${at}.mjs`), source);
    const options = ['--noEmit', '--checkJs', '--strict', '--module', 'nodenext', '--target', 'es2023'];
    const files = programs.map((_, at) => `program-${at}.mjs`);
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = repo.run(process.execPath, [tsc, ...options, '--types', 'node', ...files], {
      cwd: folder,
    });
    expect(stdout).toBe('');
  });
});

test('what two entries have is the same thing', async () => {
  const all = (await import(join(root, 'dist', 'index.mjs'))) as Record<string, unknown>;
  for (const name of ['context', 'conversations', 'snapshots']) {
    const part = (await import(join(root, 'dist', `${name}.mjs`))) as Record<string, unknown>;
    const both = Object.keys(part).filter((key) => key in all);
    expect(both.length, name).toBeGreaterThan(1);
    expect(both.filter((key) => part[key] !== all[key])).toEqual([]);
  }
});
