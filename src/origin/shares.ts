import { isObject } from '../base/text/json.ts';
import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { among } from '../checkpoint/read/listed.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { readPrompts } from '../checkpoint/read/texts.ts';
import type { Commit } from '../git/commit/commits.ts';
import type { Git } from '../git/run.ts';
import { tellOwnPrompts } from '../history/commit-prompts.ts';
import { readBefore } from '../history/left-behind.ts';

/** One session of a checkpoint, as far as it concerns a commit. */
export interface SessionShare {
  readonly sessionId: string;
  readonly agent: string;
  readonly createdAt: string;
  /** The first of the prompts that led to the commit since the last checkpoint of the session. */
  readonly firstPrompt: string | undefined;
  readonly lastPrompt: string | undefined;
  /** Of the files it touched, those that the commit changed. */
  readonly files: readonly string[];
  readonly filesTouched: readonly string[];
  /** `initial_attribution`, as it is stored. */
  readonly attribution: Readonly<Record<string, unknown>> | undefined;
}

/** Pieces of a quarter of a MiB that are read for prompts; of a longer transcript the last one is told. */
const MAX_PIECES = 400;

/** What the sessions of checkpoints have in a commit. */
export async function readShares(
  git: Git,
  store: CheckpointStore,
  slots: readonly StoredSlot[],
  commit: Commit,
): Promise<SessionShare[]> {
  if (slots.length === 0) return [];
  const stored = readPrompts(store, slots);
  const asked = slots.map((slot) => [slot, stored.get(slot) ?? []] as const);
  const before = await readBefore(git, store, commit.oid, asked);
  const prompts = await tellOwnPrompts(store, asked, { pieces: MAX_PIECES }, before);
  const changed = new Set<string>(commit.changes.keys());
  return slots.map((slot) => toShare(slot, prompts.get(slot) ?? [], changed));
}

function toShare(
  { metadata }: StoredSlot,
  prompts: readonly string[],
  changed: ReadonlySet<string>,
): SessionShare {
  const { initial_attribution: attribution } = metadata.other;
  return {
    sessionId: metadata.sessionId,
    agent: metadata.agent,
    createdAt: metadata.createdAt,
    firstPrompt: prompts[0],
    lastPrompt: prompts.length > 1 ? prompts.at(-1) : undefined,
    files: metadata.filesTouched.filter(among(changed)),
    filesTouched: metadata.filesTouched,
    attribution: isObject(attribution) ? attribution : undefined,
  };
}
