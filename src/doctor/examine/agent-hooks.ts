import { type ExternalAgent, externalAgents } from '../../agents/external/locate.ts';
import { AGENT_NAMES, type AnyAgent, isBuiltIn } from '../../agents/names.ts';
import { findWaiting } from '../../agents/presence.ts';
import type { Waiting } from '../../agents/setup.ts';
import { setupOf } from '../../agents/setups.ts';
import type { AgentHooks } from '../../agents/shared/hook-settings.ts';
import { describeError } from '../../base/errors.ts';
import { settingsPlace } from '../../hooks/agent-settings.ts';
import type { Patient } from '../patient.ts';
import { type Finding, found } from './finding.ts';

/** How our hooks stand in the settings of one agent. */
export interface AgentFacts {
  readonly agent: AnyAgent;
  /** Settings file, relative to the worktree root; the executable of an agent that is not built in. */
  readonly file: string;
  /** `undefined` where the file cannot be read. */
  readonly hooks: AgentHooks | undefined;
  readonly refusal: string | undefined;
  /** Settings file that switches off all of the agent's hooks. */
  readonly switchedOffBy: string | undefined;
  /** What the user has not agreed to yet. */
  readonly waiting?: Waiting | undefined;
}

export function readAgentHooks({ repo }: Patient): AgentFacts[] {
  const builtIn = AGENT_NAMES.map((agent) => {
    const { file } = setupOf(agent).settings;
    const switchedOffBy = setupOf(agent).findHookSwitch?.(repo.worktreeRoot, process.env);
    try {
      const hooks = setupOf(agent).settings.inspect(settingsPlace(repo, agent));
      const waiting = findWaiting(agent, repo.worktreeRoot, process.env);
      return { agent, file, hooks, refusal: undefined, switchedOffBy, waiting };
    } catch (error) {
      return { agent, file, hooks: undefined, refusal: describeError(error), switchedOffBy };
    }
  });
  return [...builtIn, ...externalAgents().flatMap((agent) => readExternal(repo, agent))];
}

function readExternal(
  repo: Patient['repo'],
  { name: agent, program: file, settings }: ExternalAgent,
): AgentFacts[] {
  try {
    const hooks = settings.inspect(settingsPlace(repo, agent));
    return [{ agent, file, hooks, refusal: undefined, switchedOffBy: undefined }];
  } catch {
    return []; // a finding of its own: `external-agent-unusable`
  }
}

/** An agent that was never set up is no finding, as long as one is. */
export function judgeAgentHooks(agents: readonly AgentFacts[]): Finding[] {
  const isUsed = ({ hooks }: AgentFacts): boolean => !hooks || hooks.current + hooks.outdated > 0;
  if (!agents.some(isUsed))
    return [
      found(
        'agent-hooks-missing',
        agents.flatMap(({ agent, file }) => (isBuiltIn(agent) ? file : [])),
        { isFixable: true },
      ),
    ];
  return agents.flatMap(({ file, hooks, refusal, switchedOffBy, waiting }) => {
    if (!hooks) return [found('agent-settings-unreadable', [file], { detail: refusal })];
    const there = hooks.current + hooks.outdated;
    if (there === 0) return [];
    const detail = `${there} of ${hooks.expected}`;
    const own = (code: Finding['code'], detail?: string) => found(code, [file], { detail, isFixable: true });
    return [
      ...(switchedOffBy ? [found('agent-hooks-switched-off', [switchedOffBy])] : []),
      ...(waiting ? [found('agent-hooks-waiting', [waiting.file], { detail: waiting.need })] : []),
      ...(there < hooks.expected || hooks.unmet > 0 ? [own('agent-hooks-incomplete', detail)] : []),
      ...(hooks.surplus > 0 ? [own('agent-hooks-doubled', String(hooks.surplus))] : []),
      ...(hooks.outdated > 0 ? [own('agent-hooks-outdated', String(hooks.outdated))] : []),
      ...(hooks.obsolete > 0 ? [own('agent-settings-obsolete')] : []),
    ];
  });
}
