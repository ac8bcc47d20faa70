import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import type { Repo } from '../locate.ts';
import type { Identity } from '../object/objects.ts';
import { type Git, gitText, runGit } from '../run.ts';
import { refFailure } from './ref-failure.ts';

/** The commit a ref points at, or `undefined`. */
export function readRef(git: Git, ref: string): ObjectId | undefined {
  const { code, stdout } = runGit(git, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
    okCodes: [0, 1],
  });
  return code === 0 ? parseObjectId(stdout.toString('latin1').trim()) : undefined;
}

/** What HEAD points at. Reads the files git keeps it in, and asks git only where they do not tell. */
export function readHead(git: Git, repo: Pick<Repo, 'gitDir' | 'commonDir'>): ObjectId | undefined {
  const text = readUserText(join(repo.gitDir, 'HEAD'), 'git')?.trim() ?? '';
  const ref = /^ref: (refs\/heads\/.+)$/.exec(text)?.[1];
  const stored = ref === undefined ? parseObjectId(text) : readLooseRef(repo, ref);
  return stored ?? readRef(git, 'HEAD');
}

/** What a ref says that has a file of its own, as one has that was written since refs were packed; `undefined` tells nothing. No process. */
export const readLooseRef = ({ commonDir }: Pick<Repo, 'commonDir'>, ref: string): ObjectId | undefined =>
  parseObjectId(readUserText(join(commonDir, ref), 'git')?.trim());

/** The commits that refs point at, all with one process; those that do not exist are left out. */
export function readRefs(git: Git, refs: readonly string[]): Map<string, ObjectId> {
  const found = new Map<string, ObjectId>();
  if (refs.length === 0) return found;
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', ...new Set(refs)];
  for (const line of gitText(git, args).split('\n')) {
    const [ref, oid] = line.split(' ');
    const parsed = parseObjectId(oid);
    if (ref && parsed && refs.includes(ref)) found.set(ref, parsed); // a pattern also matches what lies below it
  }
  return found;
}

/** Refs and what they point at, all with one process; a name that ends in `/` stands for all refs below it. */
export function readRefsBelow(git: Git, patterns: readonly string[]): Map<string, ObjectId> {
  const found = new Map<string, ObjectId>();
  const lines = gitText(git, ['for-each-ref', '--format=%(objectname) %(refname)', ...patterns]).split('\n');
  for (const line of lines) {
    const oid = parseObjectId(line.slice(0, line.indexOf(' ')));
    const ref = line.slice(line.indexOf(' ') + 1);
    if (oid && patterns.some((name) => (name.endsWith('/') ? ref.startsWith(name) : ref === name)))
      found.set(ref, oid);
  }
  return found;
}

/** What revisions stand for, all with one process; those that do not exist, or could be several, are left out. */
export function readRevisions(git: Git, revisions: readonly string[]): Map<string, ObjectId> {
  const found = new Map<string, ObjectId>();
  if (revisions.length === 0) return found;
  const input = revisions.map((revision) => `${revision}\n`).join('');
  const lines = gitText(git, ['cat-file', '--batch-check=%(objectname)'], { input }).split('\n');
  revisions.forEach((revision, index) => {
    const oid = parseObjectId(lines[index]);
    if (oid) found.set(revision, oid);
  });
  return found;
}

export interface RefUpdate {
  readonly ref: string;
  /** `undefined` deletes. */
  readonly to: ObjectId | undefined;
  /** What the ref must be now; `undefined` when it must not exist. */
  readonly from: ObjectId | undefined;
}

/**
 * Moves refs all at once, each only from its expected value.
 *
 * @param reason what the reflog says of it
 * @throws {EntireError} `REF_MOVED` or `REF_LOCKED`; none moved then
 */
export function updateRefs(git: Git, updates: readonly RefUpdate[], reason?: string): void {
  const lines = updates.map(({ ref, to, from }) => {
    const zero = '0'.repeat((to ?? from ?? '').length || 40);
    return to ? `update ${ref}\0${to}\0${from ?? zero}\0` : `delete ${ref}\0${from ?? ''}\0`;
  });
  try {
    const args = reason === undefined ? [] : ['-m', reason];
    runGit(git, ['update-ref', ...args, '-z', '--stdin'], { input: lines.join(''), noHooks: true });
  } catch (cause) {
    throw refFailure(`could not move ${updates.map(({ ref }) => ref).join(', ')}`, describeError(cause));
  }
}

/** Who our own commits are by: git's configuration, each part falling back on its own. */
export const readIdentity = (git: Git): Identity => toIdentity(readConfig(git, '^user\\.(name|email)$'));

/** {@link readIdentity} of a configuration that is at hand. */
export const toIdentity = (config: ReadonlyMap<string, string>): Identity => ({
  name: config.get('user.name') || 'Unknown',
  email: config.get('user.email') || 'unknown@local',
});

/** Settings of git whose names match; a switch without a value says `true`. One process, however many. */
export function readConfig(git: Git, pattern: string): Map<string, string> {
  const { stdout } = runGit(git, ['config', '-z', '--get-regexp', pattern], { okCodes: [0, 1] });
  const config = new Map<string, string>();
  // Printed in the order system, global, local: the last one counts.
  for (const entry of stdout.toString('utf8').split('\0')) {
    const [key = '', ...rest] = entry.split('\n');
    if (key !== '') config.set(key, entry.includes('\n') ? rest.join('\n') : 'true');
  }
  return config;
}

/** Folder git looks in for hooks, absolute: honours `core.hooksPath` and linked worktrees. */
export function readHooksDir(git: Git): string {
  return gitText(git, ['rev-parse', '--path-format=absolute', '--git-path', 'hooks']);
}

/** Which configuration sets `core.hooksPath`, as `global (file:/home/ada/.gitconfig)`; `undefined` where none does. */
export function readHooksPathSetting(git: Git): string | undefined {
  const args = ['config', '--show-scope', '--show-origin', '--get', 'core.hooksPath'];
  const [scope, origin] = gitText(git, args, { okCodes: [0, 1] }).split('\t');
  return scope ? `${scope} (${origin})` : undefined;
}
