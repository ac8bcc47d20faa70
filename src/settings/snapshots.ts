import { readActivation } from './enabled.ts';
import { KEYS } from './keys.ts';
import { pick, readLayers, refuseUnreadable } from './layers.ts';

const MIB = 1024 * 1024;
const DEFAULT_MIB = 1024;
/** A settings file of the project cannot take everybody's steps away. */
const LEAST_MIB = 64;

/**
 * How much may be kept for undo in a repository, in bytes: `strategy_options.snapshots.budget_mb`, local over project, at
 * least 64. What is no number means the default, 1024.
 *
 * @throws {EntireError} `CONFIG_UNREADABLE`
 */
export function readSnapshotBudget(root: string): number {
  const layers = readLayers(root);
  refuseUnreadable(layers);
  const isNumber = (value: unknown): value is number => Number.isFinite(value);
  return Math.max(LEAST_MIB, pick(layers, KEYS.snapshotBudget, isNumber) ?? DEFAULT_MIB) * MIB;
}

/**
 * Whether contents of files are kept for undo: everywhere, unless `strategy_options.snapshots.enabled` is `false`. What a command
 * itself is about to replace is kept all the same.
 */
export function keepsContents(repo: Parameters<typeof readActivation>[0]): boolean {
  const activation = readActivation(repo);
  return activation.kind !== 'enabled' || activation.keepsContents;
}
