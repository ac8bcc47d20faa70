import type { CheckpointId } from '../base/ids.ts';

/** Folder of a checkpoint on the metadata branch. */
export const checkpointDir = (id: CheckpointId): string => `${id.slice(0, 2)}/${id.slice(2)}`;
