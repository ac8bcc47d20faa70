import type { AgentEvent } from '../../agents/event.ts';
import type { AnyAgent } from '../../agents/names.ts';
import { log, openLog } from '../../base/log.ts';
import { DISK_FULL, hasRoom } from '../../base/room.ts';
import type { Repo } from '../../git/locate.ts';
import { isPaused } from '../../session/record/pause.ts';
import { type Activation, noteRefused } from '../../settings/enabled.ts';
import { parseRedaction, useRedaction } from '../../settings/redaction.ts';

/** Where something happened, and what the settings say there. */
export interface Scene {
  readonly repo: Repo;
  readonly activation: Activation;
}

/** After these a part of a long transcript may wait. */
const FOR_TRANSCRIPTS = new Set<AgentEvent['type']>(['TurnStart', 'TurnEnd', 'SessionEnd']);

/** What an agent's hook is about, once its payload is understood. Does nothing where the repository is not enabled, or recording is paused. */
export async function act(
  { repo, activation }: Scene,
  agent: AnyAgent,
  verb: string,
  event: AgentEvent,
  transcript: () => string | undefined | Promise<string | undefined>,
): Promise<void> {
  if (activation.kind !== 'enabled') return;
  if (isPaused(repo, event.sessionId)) return (await import('./paused.ts')).noteInPause(repo, agent, event);
  openLog(activation.root, activation.logLevel, {
    session_id: event.sessionId,
    component: 'lifecycle',
    agent,
  });
  noteRefused(activation);
  useRedaction(parseRedaction(activation.redaction));
  if (!hasRoom(repo.commonDir)) return log('warn', 'hook skipped', { hook: verb, error: DISK_FULL });
  log('info', verb, { hook: verb, transcript_path: event.transcriptPath });
  const kept = await transcript();
  const { dispatch } = await import('./dispatch.ts'); // the rest is loaded only where there is something to do
  await dispatch(repo, agent, kept === undefined ? event : { ...event, transcriptPath: kept }, activation);
  if (FOR_TRANSCRIPTS.has(event.type))
    (await import('./long-transcripts.ts')).startTakingIn(repo, event.sessionId);
  if (event.type === 'TurnEnd' || event.type === 'SessionEnd')
    (await import('./summaries.ts')).startSummaries(repo);
  if (event.type === 'TurnEnd') (await import('./snapshot-gc.ts')).startSnapshotGc(repo);
}
