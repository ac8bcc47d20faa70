import { describeError } from '../../base/errors.ts';
import { type ExternalListing, howTo, listExternalAgents } from '../../hooks/agent/external-agents.ts';
import type { Patient } from '../patient.ts';
import { type Finding, found, foundSome } from './finding.ts';

type Facts = Pick<ExternalListing, 'wish' | 'problems'>;

/** An executable that says what it is may still not say how its hooks stand. */
export function readExternalAgents({ repo }: Patient): Facts {
  const { wish, problems, agents } = listExternalAgents(repo);
  const silent = agents.flatMap(({ name, program: file, settings }) => {
    try {
      settings.inspect({ root: repo.worktreeRoot });
      return [];
    } catch (error) {
      return { name, file, reason: describeError(error) };
    }
  });
  return { wish, problems: [...problems, ...silent] };
}

/** Executables on PATH that nobody asked for are no finding. */
export function judgeExternalAgents({ wish, problems }: Facts): Finding[] {
  const refused = wish === 'shared' ? [found('external-agents-refused', [], { detail: howTo(wish) })] : [];
  const unusable = problems.map(({ name, reason }) => `${name}: ${reason}`);
  return [...refused, ...foundSome('external-agent-unusable', unusable)];
}
