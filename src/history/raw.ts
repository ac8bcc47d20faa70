import type { StoredCheckpoint } from '../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { readTranscript } from '../checkpoint/read/texts.ts';

/** The transcript of a checkpoint's latest session; empty when there is none. */
export function readLatestTranscript(
  store: CheckpointStore,
  { slots }: StoredCheckpoint,
): ReturnType<typeof readTranscript> {
  return readTranscript(store, slots.at(-1) ?? { files: new Map() });
}
