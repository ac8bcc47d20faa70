import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestRepo } from '../repository/test-repo.ts';

/** What a folder holds: files by their mode and content, links by where they lead, empty folders by their name and `/`. */
export type View = Readonly<Record<string, string>>;

/** The worktree, without what is ours or git's. */
export function viewOf(root: string): View {
  const view: Record<string, string> = Object.create(null); // a file may be called __proto__
  const walk = (below: string): void => {
    const names = readdirSync(join(root, below)).sort();
    if (names.length === 0) view[`${below}/`] = 'empty';
    for (const name of names) {
      const path = below === '' ? name : `${below}/${name}`;
      if (/^\.(git|entire|claude)$/.test(path)) continue;
      const file = join(root, path);
      const stat = lstatSync(file);
      if (stat.isDirectory()) walk(path);
      else if (stat.isSymbolicLink()) view[path] = `-> ${readlinkSync(file)}`;
      else view[path] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(file, 'latin1')}`;
    }
  };
  walk('');
  return view;
}

/** HEAD, index, branches, stash and configuration: what no step back may touch. */
export function gitView(repo: TestRepo): Record<string, string> {
  const read = (name: string) => {
    const file = join(repo.commonDir, name);
    return existsSync(file) ? readFileSync(file, 'latin1') : '';
  };
  return {
    head: read('HEAD'),
    index: read('index'),
    config: read('config'),
    refs: repo.git('for-each-ref'),
    stash: read('logs/refs/stash'),
  };
}

/** The same without the branches that hold steps: what no rewind may touch. */
export function gitBesideSteps(repo: TestRepo): Record<string, string> {
  const { refs = '', ...git } = gitView(repo);
  const rows = refs.split('\n').filter((row) => !/\trefs\/heads\/entire\/[0-9a-f]{7}/.test(row));
  return { ...git, refs: rows.join('\n') };
}

/**
 * Digests of the contents that stores hold whole, each checked against its name: contents of up to 64 KiB lie there as they are.
 */
export function keptContents(repo: TestRepo): Set<string> {
  const root = join(repo.commonDir, 'entire', 'snapshots');
  if (!existsSync(root)) return new Set();
  const blobs = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\/blobs\/[0-9a-f]{64}$/.test(name),
  );
  const sound = blobs.filter((name) => name.endsWith(digestOf(readFileSync(join(root, name)))));
  if (sound.length < blobs.length) throw new Error('a stored content is not what its name says');
  return new Set(sound.map((name) => name.slice(-64)));
}

export const digestOf = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Contents of `before` that are neither where they were nor kept. */
export function lostSince(repo: TestRepo, before: View): string[] {
  const now = viewOf(repo.dir);
  const changed = Object.entries(before).filter(([path, what]) => what !== 'empty' && now[path] !== what);
  if (changed.length === 0) return [];
  const kept = keptContents(repo);
  return changed.flatMap(([path, what]) => {
    const bytes = what.startsWith('-> ') ? what.slice(3) : what.slice(what.indexOf(' ') + 1);
    return kept.has(digestOf(Buffer.from(bytes, 'latin1'))) ? [] : [path];
  });
}

/** Undo makes of `f.txt` what is given; `undefined`: it is gone. */
export function expectUndone(repo: TestRepo, content: string | undefined): void {
  repo.entire('undo');
  expect(repo.exists('f.txt') ? repo.read('f.txt') : undefined).toBe(content);
}
