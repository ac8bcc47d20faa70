import type { Repo } from '../git/locate.ts';
import type { Git } from '../git/run.ts';
import { listStates, type StateListing } from '../session/state-store.ts';
import { type Activation, readActivation } from '../settings/enabled.ts';
import { type Work, workIn } from '../strategy/work.ts';

/** The worktree that is examined, and what every check wants to know of it. */
export interface Patient {
  readonly repo: Repo;
  readonly git: Git;
  readonly work: Work;
  readonly activation: Activation;
  /** The states of all sessions that are not archived, read once. Archived ones are over, with nothing that waits. */
  states(): StateListing;
}

/** Opens a worktree for examination; reads its settings and nothing else. */
export function openPatient(repo: Repo): Patient {
  const work = workIn(repo);
  let states: StateListing | undefined;
  return {
    ...{ repo, git: work.git, work, activation: readActivation(repo) },
    states: () => {
      states ??= listStates(work.sessions, { archived: false });
      return states;
    },
  };
}

/** Where hooks would act, if everything else is in order. */
export const isEnabled = ({ activation }: Patient): boolean => activation.kind === 'enabled';
