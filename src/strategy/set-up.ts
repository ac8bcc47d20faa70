import { ensureMetadataBranch } from '../checkpoint/metadata-branch.ts';
import type { Work } from './work.ts';

/** Creates what a strategy keeps its records on. Before the agent can commit. */
export function ensureStrategySetUp(work: Work): void {
  ensureMetadataBranch(work.git);
}
