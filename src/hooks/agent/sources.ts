import { once } from '../../base/once.ts';
import type { Repo } from '../../git/locate.ts';
import { type PushConfig, readPushConfig } from '../../git/own-config.ts';
import { isOfRepository } from '../../git/program-place.ts';
import { type Git, gitAt, gitFor } from '../../git/run.ts';
import { findTracked, isContentKnown } from '../../git/worktree/tracked.ts';
import { settingsRoot } from '../../settings/followed.ts';
import { LOCAL_SETTINGS_FILE, readLayers } from '../../settings/layers.ts';
import type { Sources } from '../../settings/permissions.ts';

/** All that settings of a repository are read from, for this moment: each thing is read when it is asked for, once. */
export interface OpenSources extends Sources {
  /** Git's configuration, ours and that of remotes. */
  config(): PushConfig;
}

/** Opens them for the settings that hold in a worktree: its own, or those of the main one that it follows. */
export function openSources(repo: Repo, git: Git = gitFor(repo)): OpenSources {
  const root = settingsRoot(repo);
  const config = once(() => readPushConfig(git, repo));
  const isLocalShared = once(() => {
    const there = root === repo.worktreeRoot ? gitFor(repo) : gitAt(root);
    return (
      findTracked(there, [LOCAL_SETTINGS_FILE]).has(LOCAL_SETTINGS_FILE) ||
      isContentKnown(there, LOCAL_SETTINGS_FILE)
    );
  });
  return {
    layers: readLayers(root),
    witness: {
      gitValues: () => config().own,
      isLocalShared,
      isOfRepository: (file) => isOfRepository(repo, file),
    },
    config,
  };
}
