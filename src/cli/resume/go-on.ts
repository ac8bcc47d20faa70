import { AGENTS, type AnyAgent } from '../../agents/names.ts';
import { headlessAgents } from '../../agents/registry.ts';
import { EntireError } from '../../base/errors.ts';
import { physicalPath } from '../../git/locate.ts';
import type { LogPlace, LogPlan } from '../../restore/log/logs.ts';
import { findLaunchFolder, type ResumePlan } from '../../restore/resume/resume.ts';
import { type CommandsView, renderResumeCommands } from '../ui/restored-logs.ts';
import { plain } from '../ui/terminal.ts';
import type { Resuming } from './branch.ts';
import * as text from './text.ts';

/** What is said where another agent than a session's own goes on with it: `undefined` where that is not asked for. */
export function describeInto(
  { into }: Pick<Resuming, 'into'>,
  agents: readonly (AnyAgent | '')[],
): { readonly one: string; readonly several: string; readonly told: string } | undefined {
  if (into === undefined || agents.every((agent) => agent === into)) return undefined;
  const { type } = AGENTS[into];
  return { one: text.toGoOnIn(type), several: text.leadIn(type), told: text.whatIsTold(type) };
}

/** @throws {EntireError} `UNSUPPORTED` where an agent is to go on with a session of another, and cannot; `NOT_FOUND` where there is nothing to tell it */
export function requireTold(
  { into }: Pick<Resuming, 'into'>,
  agents: readonly (AnyAgent | '')[],
  bare?: ResumePlan['bare'],
): void {
  if (!describeInto({ into }, agents) || into === undefined) return;
  const { type } = AGENTS[into];
  const usable = headlessAgents();
  if (!usable.includes(into)) {
    const { message, hint } = text.cannotBeTold(type, usable);
    throw new EntireError('UNSUPPORTED', message, { hint });
  }
  if (bare) {
    const { message, hint } = text.nothingToTell(bare.sessionId, type);
    throw new EntireError('NOT_FOUND', message, { hint });
  }
}

export const placeOf = ({ repo }: Resuming): LogPlace => ({ repo, env: process.env });

/** How the commands are announced, and which they are. */
export const viewOf = (
  resuming: Pick<Resuming, 'words' | 'into'>,
  agents: readonly (AnyAgent | '')[],
): CommandsView => ({
  lead: describeInto(resuming, agents)?.several ?? text.LEAD,
  indent: '  ',
  words: resuming.words,
  into: resuming.into,
});

/** The sessions, and how to go on with them. */
export function renderEnd(resuming: Resuming, { logs, isSingle }: ResumePlan): string {
  const agents = logs.map(({ agent }) => agent);
  const [view, other] = [viewOf(resuming, agents), describeInto(resuming, agents)];
  const behind = other ? [other.told] : whereElse(resuming, logs);
  const [only] = logs;
  if (logs.length !== 1 || !only) return [renderResumeCommands(logs, view), ...behind].join('\n');
  const shown = isSingle ? { ...only, prompt: '' } : only;
  return [
    ...(isSingle && only.state !== 'unchanged' ? [text.restoredTo(plain(only.file))] : []),
    text.session(only.sessionId),
    '',
    other?.one ?? text.TO_CONTINUE,
    renderResumeCommands([shown], view),
    ...behind,
  ].join('\n');
}

function whereElse(resuming: Resuming, logs: readonly LogPlan[]): string[] {
  const folders = logs.map((log) => findLaunchFolder(placeOf(resuming), log, process.cwd()));
  const here = physicalPath(process.cwd());
  const elsewhere = [...new Set(folders)].filter((folder) => folder !== undefined && folder !== here);
  return elsewhere.map((folder) => text.launchIn(plain(folder as string)));
}
