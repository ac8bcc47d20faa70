import type { AgentName } from '../../agents/names.ts';
import type { TurnEvent } from '../../agents/shared/headless/headless.ts';
import type { SessionId } from '../../base/ids.ts';
import { asObject, asText } from '../../base/text/json.ts';
import { EventLog } from '../../conversation/runs/event-log.ts';
import type { TurnReport } from '../../conversation/session-options.ts';
import { isPrompt, textOf } from '../../conversation/turn-messages.ts';
import type { SavedSession } from './saved-session.ts';

/** Writes what happens in a conversation into the log of its run. */
export class RunLog {
  private readonly log: EventLog;
  /** Its session may become another one: a fork. */
  private readonly saved: SavedSession;
  private isInTurn = false;

  constructor(runId: SessionId, saved: SavedSession) {
    const { agent, sessionId } = saved.session;
    const folder = process.cwd();
    this.log = EventLog.open({ runId, sessionId, agent: agent.name as AgentName, folder });
    this.saved = saved;
  }

  event(event: TurnEvent): void {
    this.begin();
    this.log.append(event.type === 'steered' ? { type: 'prompt', text: event.text, steered: true } : event);
  }

  turn({ stopped }: TurnReport): void {
    this.begin();
    this.isInTurn = false;
    this.log.append({ type: 'turn_end', ...(stopped ? { stopped } : {}) });
  }

  /** @returns why it could not be written, where it could not */
  close(): Error | undefined {
    this.log.noteSession(this.saved.session.sessionId);
    this.log.close();
    return this.log.failure;
  }

  /** What was said stands in the session by the time that anything happens. */
  private begin(): void {
    const { messages, metadata, sessionId } = this.saved.session;
    this.log.noteSession(sessionId);
    const said = this.isInTurn ? undefined : messages.findLast(isPrompt);
    this.isInTurn = true;
    if (said) this.log.append({ type: 'prompt', text: textOf(said.content) });
    this.log.noteAgentSession(asText(asObject(metadata.agent_memory).session_id));
  }
}
