import { writeAll } from '../base/disk.ts';
import type { SessionSummary } from '../session/session-index.ts';

/**
 * What Claude Code shows the user when a session starts. The only thing a hook ever prints on stdout.
 *
 * @see https://docs.claude.com/en/docs/claude-code/hooks#json-output
 */
export function writeBanner(others: number): void {
  const text = '\n\nPowered by Entire:\n  This conversation will be linked to your next commit.';
  const more = `\n  ${others} other active conversation(s) in this workspace will also be included.\n  Use 'entire status' for more information.`;
  const reply = Buffer.from(`${JSON.stringify({ systemMessage: others > 0 ? text + more : text })}\n`);
  writeAll(1, reply); // half a reply is none
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
