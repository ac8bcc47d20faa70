import { listRemoteSteps } from '../checkpoint/shadow-branch.ts';
import type { Git } from '../git/run.ts';

/** Step branches that a push of the user's own took to a remote. */
export interface StepsElsewhere {
  readonly remote: string;
  /** Short names, as they are there. */
  readonly branches: readonly string[];
}

/** What git knows of step branches on remotes, without asking one. One process. */
export function listStepsElsewhere(git: Git): StepsElsewhere[] {
  const remotes = new Map<string, string[]>();
  for (const { remote, branch } of listRemoteSteps(git))
    remotes.set(remote, [...(remotes.get(remote) ?? []), branch]);
  return [...remotes].map(([remote, branches]) => ({ remote, branches }));
}
