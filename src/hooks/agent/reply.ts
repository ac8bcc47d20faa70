import type { AgentEvent } from '../../agents/event.ts';
import { type AnyAgent, isBuiltIn } from '../../agents/names.ts';
import { agentOf } from '../../agents/registry.ts';
import { writeAll } from '../../base/file/disk.ts';
import type { SessionSummary } from '../../session/session-index.ts';

/** What the agent shows the user when a session starts. This and {@link writeReminder} are all that a hook ever prints on stdout. */
export function writeBanner(agent: AnyAgent, others: number): void {
  if (!isBuiltIn(agent)) return; // what it would make of it nobody says
  const text = '\n\nPowered by Entire:\n  This conversation will be linked to your next commit.';
  const more = `\n  ${others} other active conversation(s) in this workspace will also be included.\n  Use 'entire status' for more information.`;
  const reply = agentOf(agent).banner?.(others > 0 ? text + more : text);
  if (reply !== undefined) writeAll(1, Buffer.from(`${reply}\n`)); // half a reply is none
}

/** What the agent tells its model when a session goes on after a compaction, on the hook of an event. */
export function writeReminder(agent: AnyAgent, text: string, on: AgentEvent['type'] = 'SessionStart'): void {
  const reply = isBuiltIn(agent) ? agentOf(agent).remind?.(text, on) : undefined;
  if (reply !== undefined && text !== '') writeAll(1, Buffer.from(`${reply}\n`));
}

/** Other sessions on the same commit that have work the next commit could take. */
export function countOthers(
  sessions: readonly SessionSummary[],
  sessionId: string,
  head: string | undefined,
): number {
  return sessions.filter(
    (other) => other.sessionId !== sessionId && other.baseCommit === head && other.checkpointCount > 0,
  ).length;
}
