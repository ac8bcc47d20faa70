import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { World } from './world.ts';

const METADATA_BRANCH = 'entire/checkpoints/v1';

/** What one session left in a checkpoint. */
export interface Slot {
  readonly sessionId: string;
  /** The type of its agent. */
  readonly agent: string | undefined;
  readonly filesTouched: readonly string[];
  readonly tokenUsage: Readonly<Record<string, unknown>> | undefined;
  readonly prompts: string;
  /** As it is stored, chunks joined. */
  readonly transcript: string;
}

interface SlotMetadata {
  readonly checkpoint_id: string;
  readonly session_id: string;
  readonly agent?: string;
  readonly files_touched: readonly string[];
  readonly token_usage?: Readonly<Record<string, unknown>>;
}

/**
 * Asserts that a commit has exactly one trailer, ours and well formed, and returns its checkpoint id. What agents say of
 * themselves in commits of their own does not count.
 */
export function readCheckpointId(world: World, commit: string): string {
  const trailers = world.trailers(commit).filter((line) => !/^Co-authored-by: /i.test(line));
  expect(trailers).toEqual([expect.stringMatching(/^Entire-Checkpoint: [0-9a-f]{12}$/)]);
  return trailers[0]?.slice(-12) ?? '';
}

/** Asserts that a commit has no trailer, but a note of ours, and returns its checkpoint id. */
export function readNotedCheckpointId(world: World, commit: string): string {
  expect(world.trailers(commit)).toEqual([]);
  const note = world.git('log', '-1', '--notes=refs/notes/entire', '--format=%N', commit).trim();
  expect(note).toMatch(/^Entire-Checkpoint: [0-9a-f]{12}$/m);
  return /^Entire-Checkpoint: (.{12})$/m.exec(note)?.[1] ?? '';
}

/** Reads every slot of a checkpoint, asserting that summary and slots agree with the id and with each other. */
export function readCheckpoint(world: World, id: string): readonly Slot[] {
  const folder = `${id.slice(0, 2)}/${id.slice(2)}`;
  const names = world.git('ls-tree', '-r', '--name-only', METADATA_BRANCH, `${folder}/`).trim().split('\n');
  const show = (name: string) => world.git('show', `${METADATA_BRANCH}:${folder}/${name}`);
  const summary = JSON.parse(show('metadata.json')) as SlotMetadata & {
    readonly sessions: readonly unknown[];
  };
  const numbers = new Set(names.map((name) => name.slice(folder.length + 1).split('/')).flatMap(slotNumber));
  const slots = [...numbers]
    .sort((a, b) => a - b)
    .map((number): Slot => {
      const metadata = JSON.parse(show(`${number}/metadata.json`)) as SlotMetadata;
      expect(metadata.checkpoint_id).toBe(id);
      const chunk = new RegExp(`^${folder}/${number}/full\\.jsonl(\\.\\d{3})?$`);
      const chunks = names.filter((name) => chunk.test(name)).sort();
      return {
        sessionId: metadata.session_id,
        agent: metadata.agent,
        filesTouched: metadata.files_touched,
        tokenUsage: metadata.token_usage,
        prompts: show(`${number}/prompt.txt`),
        transcript: chunks.map((name) => show(name.slice(folder.length + 1)).replace(/\n$/, '')).join('\n'),
      };
    });
  expect(summary.checkpoint_id).toBe(id);
  expect(summary.sessions).toHaveLength(slots.length);
  expect(summary.files_touched).toEqual([...new Set(slots.flatMap((slot) => slot.filesTouched))].sort());
  return slots;
}

function slotNumber(parts: readonly string[]): readonly number[] {
  return parts.length > 1 && /^\d+$/.test(parts[0] ?? '') ? [Number(parts[0])] : [];
}

export function readPhase(world: World, sessionId: string): string {
  const file = join(world.repo, '.git/entire-sessions', `${sessionId}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { phase: string }).phase;
}

/** Asserts that no hook and no command of ours has logged a warning or an error. Where none has run, there is no log. */
export function expectCleanLog(world: World): void {
  const name = '.entire/logs/entire.log';
  const log = existsSync(world.path(name)) ? world.read(name).split('\n') : [];
  expect(log.filter((line) => /"level":"(WARN|ERROR)"/.test(line))).toEqual([]);
}

/** Asserts that nothing is damaged or dangling, as strictly as git can tell. */
export function expectSoundRepository(world: World): void {
  expect(world.git('fsck', '--strict', '--no-dangling')).toBe('');
}
