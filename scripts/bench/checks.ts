/**
 * What each step must have left behind. A hook that fails open is fast, so a figure counts only when its step
 * did its work; all checks read documented places, none asks the program that is measured.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFiles } from './objects.ts';
import { git, type World } from './world.ts';

export interface Scene {
  readonly world: World;
  readonly label: string;
  readonly repo: string;
  readonly sessionId: string;
}

interface State {
  readonly phase?: string;
  readonly base_commit?: string;
  readonly checkpoint_count?: number;
}

const METADATA_BRANCH = 'entire/checkpoints/v1';

/** The tracking file's lines. */
export function trackedLines(scene: Scene): string[] {
  const file = join(scene.repo, '.git/entire-sessions', `${scene.sessionId}.files`);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

export function checkEdit(scene: Scene, before: number, file: string): void {
  const lines = trackedLines(scene);
  demand(scene, 'edit hook', lines.length === before + 1, `${lines.length - before} new lines, expected 1`);
  demand(scene, 'edit hook', lines.at(-1) === file, `recorded ${lines.at(-1)}, expected ${file}`);
  const kept = join(scene.repo, '.git/entire/snapshots', scene.sessionId);
  if (!existsSync(kept)) return; // a release that keeps nothing for undo
  const edit = JSON.parse(readFileSync(join(kept, 'edits.jsonl'), 'utf8').trim().split('\n').at(-1) ?? '');
  const isKept =
    existsSync(join(kept, 'blobs', edit.before.sha256)) && existsSync(join(kept, 'blobs', edit.after.sha256));
  demand(scene, 'edit hook', edit.path === file && isKept, 'what the file was is not kept');
}

export function checkPrompt(scene: Scene): void {
  const { phase } = readState(scene, 'prompt hook');
  demand(scene, 'prompt hook', phase === 'active', `phase is ${phase}, expected active`);
}

export function checkStop(scene: Scene, file: string): void {
  const state = readState(scene, 'stop hook');
  demand(scene, 'stop hook', state.phase === 'idle', `phase is ${state.phase}, expected idle`);
  demand(scene, 'stop hook', (state.checkpoint_count ?? 0) > 0, 'no turn was counted');
  const branch = `entire/${state.base_commit?.slice(0, 7)}-e3b0c4`;
  const message = read(scene, 'stop hook', 'log', '-1', '--format=%B', branch);
  demand(scene, 'stop hook', message.includes(`Entire-Session: ${scene.sessionId}`), `${branch} is not ours`);
  const kept = read(scene, 'stop hook', 'rev-parse', `${branch}:${file}`);
  const actual = read(scene, 'stop hook', 'hash-object', file);
  demand(scene, 'stop hook', kept === actual, `${branch} holds an older ${file}`);
}

export function checkCommit(scene: Scene, file: string, lastMessage: string): void {
  const step = 'git commit';
  const folder = checkpointOfHead(scene, step);
  const text = read(scene, step, 'show', `${METADATA_BRANCH}:${folder}/metadata.json`);
  const touched = (JSON.parse(text) as { files_touched?: string[] }).files_touched ?? [];
  demand(
    scene,
    step,
    touched.includes(file),
    `files_touched is ${touched.join(', ') || 'empty'}, not ${file}`,
  );
  const names = read(scene, step, 'ls-tree', '--name-only', METADATA_BRANCH, `${folder}/0/`).split('\n');
  const last = names
    .filter((name) => name.includes('/full.jsonl'))
    .sort()
    .at(-1);
  demand(scene, step, last !== undefined, 'the checkpoint has no transcript');
  const tail = read(scene, step, 'show', `${METADATA_BRANCH}:${last}`);
  // The first words only: a line break is written as an escape.
  const words = lastMessage.split('\n')[0] ?? '';
  demand(scene, step, tail.includes(words), 'the transcript lacks the last message');
}

/** The transcript in HEAD's checkpoint, which must be `expected`. */
export function checkTranscript(scene: Scene, expected: string): string {
  const step = 'git commit';
  const slot = `${checkpointOfHead(scene, step)}/0`;
  const { session_id } = JSON.parse(
    read(scene, step, 'show', `${METADATA_BRANCH}:${slot}/metadata.json`),
  ) as { session_id?: string };
  demand(scene, step, session_id === scene.sessionId, `the checkpoint is of session ${session_id}`);
  const names = read(scene, step, 'ls-tree', '--name-only', METADATA_BRANCH, `${slot}/`)
    .split('\n')
    .filter((name) => /\/full\.jsonl(\.\d+)?$/.test(name))
    .sort((one, other) => chunkNumber(one) - chunkNumber(other));
  const stored = readFiles(scene.world, scene.repo, METADATA_BRANCH, names).join('\n');
  const same = stored === expected || `${stored}\n` === expected;
  demand(scene, step, same, `${stored.length} bytes of transcript, expected other ${expected.length}`);
  return stored;
}

/** The last `count` commits lead to a checkpoint of this session each. */
export function checkLinks(scene: Scene, count: number): void {
  const step = 'after the last commit';
  const format = '--format=%(trailers:key=Entire-Checkpoint,valueonly,separator=%x2C)';
  const ids = read(scene, step, 'log', `-${count}`, format).split('\n');
  demand(scene, step, new Set(ids).size === count, `${new Set(ids).size} checkpoints for ${count} commits`);
  const files = ids.map((id) => `${id.slice(0, 2)}/${id.slice(2)}/0/metadata.json`);
  for (const text of readFiles(scene.world, scene.repo, METADATA_BRANCH, files)) {
    const { session_id } = JSON.parse(text) as { session_id?: string };
    demand(scene, step, session_id === scene.sessionId, `a checkpoint is of session ${session_id}`);
  }
}

const chunkNumber = (name: string): number => Number(/\.(\d+)$/.exec(name)?.[1] ?? 0);

/** The folder on the metadata branch that the trailer of HEAD leads to. */
function checkpointOfHead(scene: Scene, step: string): string {
  const id = read(scene, step, 'log', '-1', '--format=%(trailers:key=Entire-Checkpoint,valueonly)');
  demand(scene, step, /^[0-9a-f]{12}$/.test(id), 'the commit has no trailer');
  return `${id.slice(0, 2)}/${id.slice(2)}`;
}

/** The `post-file-edit` hook is younger than the rest of the interface: measured where it was installed. */
export function installsEditHook(repo: string): boolean {
  const file = join(repo, '.claude/settings.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes('post-file-edit');
}

function readState(scene: Scene, step: string): State {
  const file = join(scene.repo, '.git/entire-sessions', `${scene.sessionId}.json`);
  demand(scene, step, existsSync(file), 'there is no session state file');
  return JSON.parse(readFileSync(file, 'utf8')) as State;
}

function read(scene: Scene, step: string, ...args: string[]): string {
  try {
    return git(scene.world, scene.repo, ...args);
  } catch (error) {
    return fail(scene, step, (error as Error).message);
  }
}

function demand(scene: Scene, step: string, holds: boolean, otherwise: string): void {
  if (!holds) fail(scene, step, otherwise);
}

function fail(scene: Scene, step: string, reason: string): never {
  const log = join(scene.repo, '.entire/logs/entire.log');
  const said = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-12).join('\n') : 'no log';
  throw new Error(`${scene.label}, ${step}: nothing to measure: ${reason}\n${said}`);
}
