import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { HookRun, World } from './world.ts';

const METADATA_BRANCH = 'entire/checkpoints/v1';

/** What one session left in a checkpoint. */
export interface Slot {
  readonly sessionId: string;
  readonly filesTouched: readonly string[];
  readonly tokenUsage: Readonly<Record<string, unknown>> | undefined;
  readonly prompts: string;
  /** Chunks joined, one parsed object a line. */
  readonly transcript: readonly TranscriptLine[];
}

export interface TranscriptLine {
  readonly type: string;
  readonly message?: { readonly content?: unknown };
}

interface SlotMetadata {
  readonly checkpoint_id: string;
  readonly session_id: string;
  readonly files_touched: readonly string[];
  readonly token_usage?: Readonly<Record<string, unknown>>;
}

/** Asserts that a commit has exactly one trailer, ours and well formed, and returns its checkpoint id. */
export function readCheckpointId(world: World, commit: string): string {
  const trailers = world.trailers(commit);
  expect(trailers).toEqual([expect.stringMatching(/^Entire-Checkpoint: [0-9a-f]{12}$/)]);
  return trailers[0]?.slice(-12) ?? '';
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
      const text = chunks.map((name) => show(name.slice(folder.length + 1)).replace(/\n$/, '')).join('\n');
      return {
        sessionId: metadata.session_id,
        filesTouched: metadata.files_touched,
        tokenUsage: metadata.token_usage,
        prompts: show(`${number}/prompt.txt`),
        transcript: text.split('\n').map((line) => JSON.parse(line) as TranscriptLine),
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

/** The texts and tool calls of the assistant in a stored transcript: `text` or `Tool`, in order. */
export function readAssistantWords(transcript: readonly TranscriptLine[]): readonly string[] {
  const blocks = transcript
    .filter((line) => line.type === 'assistant')
    .flatMap((line) => line.message?.content as readonly { type: string; text?: string; name?: string }[]);
  return blocks.flatMap((block) => block.text ?? block.name ?? []);
}

export function readPhase(world: World, sessionId: string): string {
  const file = join(world.repo, '.git/entire-sessions', `${sessionId}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { phase: string }).phase;
}

/** Asserts that every hook succeeded, and that stdout held nothing but the replies that the client documents. */
export function expectQuietHooks(hooks: readonly HookRun[]): void {
  expect(hooks).not.toEqual([]);
  for (const { name, event, stdout, exitCode } of hooks) {
    expect({ name, exitCode }).toEqual({ name, exitCode: 0 });
    if (stdout === '') continue;
    const { systemMessage, hookSpecificOutput, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ name, rest }).toEqual({ name, rest: {} });
    if (systemMessage !== undefined) expect(systemMessage).toEqual(expect.any(String));
    if (hookSpecificOutput === undefined) continue;
    expect(hookSpecificOutput).toEqual({ hookEventName: event, additionalContext: expect.any(String) });
  }
}

/** Asserts that nothing is damaged or dangling, as strictly as git can tell. */
export function expectSoundRepository(world: World): void {
  expect(world.git('fsck', '--strict', '--no-dangling')).toBe('');
}
