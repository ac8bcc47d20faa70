import { toRepoPath } from '../../base/repo-path.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE, userSettingsFile } from '../layers.ts';
import { isShared, type Sources } from '../permissions.ts';
import type { AskedKey } from './find-key.ts';

/** Where a person sets a key: for this worktree, for everybody who has the repository, for all repositories of theirs. */
export type SettingPlace = 'local' | 'project' | 'global';

/** Where something is set, as people know it. */
export function placeName({ key, isGits }: AskedKey, place: SettingPlace, env: NodeJS.ProcessEnv): string {
  if (isGits) return `git's ${key.git}${place === 'global' ? ', for all repositories' : ''}`;
  return { local: LOCAL_SETTINGS_FILE, project: SETTINGS_FILE, global: userSettingsFile(env) }[place];
}

/** Why a value would not be heard from a place. */
export type PlaceRefusal = 'unused' | 'not-shared' | 'repository' | 'shared-local' | 'in-worktree';

/** What decides whether a place is heard. */
export interface Surroundings {
  /** The worktree. */
  readonly root: string;
  readonly sources: Sources;
  readonly env: NodeJS.ProcessEnv;
  /** Whether git has a local file, which need not be there now. */
  isLocalTracked(): boolean;
}

/**
 * Whether a value counts where somebody wants to set it: what lets data leave, costs money or runs a program cannot be allowed by
 * what the repository has, and can be forbidden there.
 */
export function judgePlace(
  { key, isGits }: AskedKey,
  value: unknown,
  place: SettingPlace,
  around: Surroundings,
): PlaceRefusal | undefined {
  if (key.heard === 'nobody') return 'unused';
  if (isGits) return place === 'project' ? 'not-shared' : undefined;
  if (place === 'global')
    return toRepoPath(around.root, userSettingsFile(around.env)) ? 'in-worktree' : undefined;
  if (key.heard !== 'person' || value !== true) return undefined;
  if (place === 'project') return 'repository';
  return isLocalShared(around) ? 'shared-local' : undefined;
}

function isLocalShared({ sources: { layers, witness }, isLocalTracked }: Surroundings): boolean {
  const local = layers.find(({ name }) => name === 'local');
  return local ? isShared(local, witness) : isLocalTracked();
}
