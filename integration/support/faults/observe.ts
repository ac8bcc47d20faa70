import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { GIT_HOOKS } from '../../../src/hooks/git/shims.ts';
import type { TestRepo } from '../repository/test-repo.ts';

/** Files below a folder, without those below a folder that `skip` names. Paths are relative to the folder. */
function listFiles(root: string, skip: (path: string) => boolean, below = root): string[] {
  if (!existsSync(below)) return [];
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (skip(relative(root, path))) return [];
    return entry.isDirectory() ? listFiles(root, skip, path) : [relative(root, path)];
  });
}

const bytesOf = (file: string): string =>
  lstatSync(file).isSymbolicLink() ? `-> ${readlinkSync(file)}` : readFileSync(file, 'latin1');

/** What is not ours, byte for byte: the worktree, and of `.git` the index, HEAD, configuration and refs. */
export function userBytes(repo: TestRepo, mayChange: readonly string[] = []): Map<string, string> {
  const gitDir = join(repo.dir, '.git');
  const files = listFiles(repo.dir, (path) => path === '.git' || path === '.entire').map((path) => path);
  const own = ['.entire/settings.json', '.entire/.gitignore'].filter((path) => repo.exists(path));
  const refs = listFiles(
    join(gitDir, 'refs'),
    (path) => path === 'entire' || path === join('heads', 'entire'),
  );
  const git = ['index', 'HEAD', 'config', ...refs.map((ref) => join('refs', ref))]
    .filter((name) => existsSync(join(gitDir, name)))
    .map((name) => join('.git', name));
  const paths = [...files, ...own, ...git].filter((path) => !mayChange.includes(path));
  return new Map(paths.sort().map((path) => [path, bytesOf(join(repo.dir, path))]));
}

/** Locks and temporary files, in `.git` and in `.entire`. */
export function debris(repo: TestRepo): string[] {
  const places = [join(repo.dir, '.git'), join(repo.dir, '.entire')];
  return places.flatMap((place) => {
    const names = existsSync(place) ? readdirSync(place, { recursive: true, encoding: 'utf8' }) : [];
    return names.filter((name) => /\.(lock|tmp)$|tmp_(pack|obj|idx)|fast_import_crash/.test(name));
  });
}

/** Our files that are not whole: documents that do not parse, hooks that are cut short, lines without an end. */
export function brokenFiles(repo: TestRepo): string[] {
  const documents = ['.git/entire-sessions', '.git/entire', '.entire'].flatMap((folder) =>
    listFiles(join(repo.dir, folder), () => false).map((path) => join(folder, path)),
  );
  const hooks = GIT_HOOKS.map((name) => `.git/hooks/${name}`);
  return [
    ...documents.filter((path) => path.endsWith('.json') && !parses(repo.read(path))),
    ...documents.filter((path) => path.endsWith('.log') && !repo.read(path).split('\n').every(parses)),
    ...hooks.filter((path) => repo.exists(path) && !isWholeHook(repo, path)),
  ];
}

function parses(text: string): boolean {
  try {
    return text === '' || typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function isWholeHook(repo: TestRepo, path: string): boolean {
  const text = repo.read(path);
  const isExecutable = (statSync(join(repo.dir, path)).mode & 0o111) !== 0;
  return isExecutable && text.startsWith('#!/bin/sh\n') && text.endsWith('\n') && text.includes('hooks git');
}

/** Paths that states, tracking files and claims name, whichever session they are of. */
export function pathsOnRecord(repo: TestRepo): Set<string> {
  const folder = join(repo.dir, '.git', 'entire-sessions');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const paths = names.flatMap((name): string[] => {
    if (name.includes('.files')) return readFileSync(join(folder, name), 'utf8').split('\n');
    if (!name.endsWith('.json')) return [];
    return (JSON.parse(readFileSync(join(folder, name), 'utf8')).files_touched as string[] | null) ?? [];
  });
  return new Set(paths.filter(Boolean));
}

/** Paths that checkpoints name, with the checkpoints' ids. */
export function pathsInCheckpoints(repo: TestRepo): { paths: Set<string>; ids: Set<string> } {
  const listed = repo.tryGit('ls-tree', '-r', '--name-only', 'entire/checkpoints/v1').stdout.split('\n');
  const ids = listed.flatMap(
    (path) => /^(..)\/(\w{10})\/metadata\.json$/.exec(path)?.slice(1).join('') ?? [],
  );
  const slots = listed.filter((path) => /^..\/\w{10}\/\d+\/metadata\.json$/.test(path));
  const documents = slots.map((path) => JSON.parse(repo.git('show', `entire/checkpoints/v1:${path}`)));
  return {
    paths: new Set(documents.flatMap(({ files_touched }) => (files_touched as string[] | null) ?? [])),
    ids: new Set(ids),
  };
}

/**
 * What a fault left, up to ids and times: two runs with the same answer go on alike, so that one of them shows what
 * becomes of both.
 */
export function classOf(repo: TestRepo): string {
  const gitDir = join(repo.dir, '.git');
  const skipped = /^(objects|logs|index|entire\/verdicts.*)$/;
  const ours = [
    ...listFiles(gitDir, (path) => skipped.test(path)).map((path) => join('.git', path)),
    ...listFiles(join(repo.dir, '.entire'), (path) => path === 'logs').map((path) => join('.entire', path)),
  ];
  const order = (path: string) => path.replace(/[0-9a-f]{6,}/g, '');
  const sorted = ours.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const files = sorted.map((path) => `${path}\n${bytesOf(join(repo.dir, path))}`);
  const refs = repo
    .git('for-each-ref', '--format=%(refname)', 'refs/heads/entire')
    .split('\n')
    .filter(Boolean);
  const trees = refs.map((ref) => repo.git('ls-tree', '-r', '-l', ref).replace(/ [0-9a-f]{40} /g, ' '));
  return numberIds([...files, ...refs, ...trees].join('\n'));
}

/** Replaces each id by its number in order of appearance, and times and process ids by a word. */
function numberIds(text: string): string {
  const known = new Map<string, number>();
  const number = (id: string) => {
    if (!known.has(id)) known.set(id, known.size);
    return `id${known.get(id)}`;
  };
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)?/g, 'TIME')
    .replace(/\b\d{12,}(\.\d+)?/g, 'TIME')
    .replace(/pid-\d+/g, 'pid')
    .replace(/\.\d+-([0-9a-f]{12})\.tmp/g, '.tmp')
    .replace(/\b[0-9a-f]{7}-[0-9a-f]{6}\b|\b[0-9a-f]{12}\b|\b[0-9a-f]{40}\b/g, number);
}
