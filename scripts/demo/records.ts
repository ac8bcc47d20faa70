import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

export const METADATA_BRANCH = 'entire/checkpoints/v1';

/** Everything `entire` keeps is read from its documented place; none of it is asked of the program itself. */
const sessionsDir = (world: World): string => join(world.project, '.git', 'entire-sessions');

/** Lines of the tracking file; `undefined` when there is no file. */
export function readTracked(world: World, sessionId: string): string[] | undefined {
  const file = join(sessionsDir(world), `${sessionId}.files`);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : undefined;
}

/** Tracking files that were taken over and not yet released. */
export function readClaims(world: World): string[] {
  const dir = sessionsDir(world);
  return existsSync(dir) ? readdirSync(dir).filter((name) => name.includes('.claim-')) : [];
}

export interface State {
  readonly phase: string;
  readonly base_commit: string;
  readonly checkpoint_count: number;
  readonly files_touched?: readonly string[];
  readonly last_checkpoint_id?: string;
  readonly first_prompt?: string;
}

export function readState(world: World, sessionId: string): State | undefined {
  const file = join(sessionsDir(world), `${sessionId}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : undefined;
}

export interface Branch {
  readonly name: string;
  readonly tip: string;
  readonly subject: string;
}

export function listShadowBranches(world: World): Branch[] {
  const format = '--format=%(refname:short)%00%(objectname:short=7)%00%(contents:subject)';
  const listed = world.git('for-each-ref', format, 'refs/heads/entire/').split('\n').filter(Boolean);
  return listed
    .map((line) => line.split('\0'))
    .map(([name = '', tip = '', subject = '']) => ({ name, tip, subject }))
    .filter(({ name }) => name !== METADATA_BRANCH);
}

export interface Verdict {
  readonly commit: string;
  readonly reason: string;
  readonly checkpoint?: string;
  readonly sessions: readonly string[];
}

/** One for each commit, oldest first. */
export function readVerdicts(world: World): Verdict[] {
  const file = join(world.project, '.git', 'entire', 'verdicts.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Verdict);
}

export interface Commit {
  readonly id: string;
  readonly subject: string;
  /** Values of our trailer, as git itself reads trailers. */
  readonly checkpoints: readonly string[];
  readonly files: readonly string[];
}

/** The commits of the current branch, oldest first. */
export function listCommits(world: World): Commit[] {
  const format = '--format=%H%x00%s%x00%(trailers:key=Entire-Checkpoint,valueonly,separator=%x2C)';
  return world
    .git('log', '--reverse', format)
    .split('\n')
    .map((line) => line.split('\0'))
    .map(([id = '', subject = '', checkpoints = '']) => ({
      id,
      subject,
      checkpoints: checkpoints.split(',').filter(Boolean),
      files: world.git('show', '--format=', '--name-only', id).split('\n').filter(Boolean),
    }));
}

export const checkpointFolder = (id: string): string => `${id.slice(0, 2)}/${id.slice(2)}`;

/** Paths of all checkpoints. */
export function listStored(world: World): string[] {
  return world.git('ls-tree', '-r', '--name-only', METADATA_BRANCH).split('\n').filter(Boolean);
}

/** A file of a checkpoint, byte for byte. @throws when it is not there */
export const readStored = (world: World, path: string): string =>
  world.must('git', 'cat-file', 'blob', `${METADATA_BRANCH}:${path.replace(/^\//, '')}`).stdout;
