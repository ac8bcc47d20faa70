import type { AgentName } from '../../agents/names.ts';
import { formatOf } from '../../agents/registry.ts';
import type { TurnEvent } from '../../agents/shared/headless/headless.ts';
import { asMessageUsage } from '../../agents/shared/session/conversation.ts';
import type { Message, MessageUsage } from '../../agents/shared/session/message.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk, lstatIfExists } from '../../base/file/disk.ts';
import { asText } from '../../base/text/json.ts';
import { readConversation } from '../read-conversation.ts';
import { type RecordedEvent, readEvents } from '../runs/events.ts';
import { parseSessionData, type SessionData } from '../session-data.ts';
import { TurnMessages } from '../turn-messages.ts';
import { storedFile } from './own-sessions.ts';
import type { SessionRecord } from './session-record.ts';

/** A session as it can be read. */
export interface ReadSession {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** As it is stored by us; `undefined` where it is not. */
  readonly data: SessionData | undefined;
  /** What was read, absolute: a file of ours, a transcript of an agent, or the folder of a run. */
  readonly from: string;
  /** What all of it has cost, where its agent keeps only the sum, and no message tells. */
  readonly usage: MessageUsage | undefined;
}

/** No text is as long: neither are sessions. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads a session from where it is whole: as we store it, unless the agent has gone on with it since; else the agent's transcript; else
 * what the logs of its runs tell.
 *
 * @throws {EntireError} `STATE_UNREADABLE`; `NOT_FOUND` when nothing of it is there any more
 */
export function readSession(record: SessionRecord, env: NodeJS.ProcessEnv = process.env): ReadSession {
  const from = chooseSource(record, env);
  if (from === undefined) return readRun(record);
  const text = readText(from);
  const { cliOrigin } = record;
  if (from === record.transcript && cliOrigin !== '') {
    const messages = readConversation(cliOrigin, text);
    const usage = messages.some((message) => message.usage) ? undefined : readSum(cliOrigin, from, text);
    return { messages, data: undefined, from, usage };
  }
  const data = parseSessionData(text, from);
  return { messages: data.messages, data, from, usage: undefined };
}

/** Whether what a session cost lies in a file beside the one that it is read from, which has a time of its own. */
export const hasSumBeside = ({ cliOrigin, transcript }: SessionRecord, from: string): boolean =>
  cliOrigin !== '' && from === transcript && formatOf(cliOrigin).readTotals !== undefined;

function readSum(agent: AgentName, transcript: string, text: string): MessageUsage | undefined {
  const totals = formatOf(agent).readTotals?.(transcript, text);
  return totals && asMessageUsage(totals);
}

/** Where {@link readSession} reads a session; `undefined` where nothing but a run's log can be. */
export function chooseSource(
  { kind, path, sessionId, transcript }: SessionRecord,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (kind === 'agent') return path;
  const stored = kind === 'stored' ? path : storedFile(env, sessionId);
  const [own, agents] = [writtenMs(stored), transcript === undefined ? undefined : writtenMs(transcript)];
  if (own === undefined) return agents === undefined ? undefined : transcript;
  return agents !== undefined && agents > own + AFTERWARDS_MS ? transcript : stored;
}

/** An agent may write a last line after we have stored what it said. */
const AFTERWARDS_MS = 60_000;

function writtenMs(file: string): number | undefined {
  const stat = lstatIfExists(file);
  return stat?.isFile() ? stat.mtimeMs : undefined;
}

function readText(file: string): string {
  try {
    const { size } = disk.statSync(file);
    if (size > MAX_BYTES) throw new EntireError('STATE_UNREADABLE', `${file} is too large: ${size} bytes.`);
    return disk.readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof EntireError) throw cause;
    throw new EntireError('STATE_UNREADABLE', `${file} cannot be read: ${describeError(cause)}`, { cause });
  }
}

/** What chats have written down, where nothing else is left of the session. */
function readRun({ path, runs, sessionId }: SessionRecord): ReadSession {
  const messages = runs.toReversed().flatMap((run) => messagesOf(readEvents(run)));
  if (messages.length === 0)
    throw new EntireError('NOT_FOUND', `nothing is left of ${sessionId}: its run tells nothing.`);
  return { messages, data: undefined, from: path, usage: undefined };
}

function messagesOf(events: Iterable<RecordedEvent>): Message[] {
  const messages: Message[] = [];
  let at = 0;
  let turn = new TurnMessages(() => at);
  const end = (): void => {
    messages.push(...turn.end(undefined));
    turn = new TurnMessages(() => at);
  };
  for (const event of events) {
    at = (Date.parse(event.at) || 0) / 1000;
    const text = asText(event.text);
    if (event.type === 'prompt' && event.steered === true) turn.take({ type: 'steered', text });
    else if (event.type === 'prompt') {
      end();
      messages.push({ role: 'user', content: text, timestamp: at });
    } else if (isTurnEvent(event)) turn.take(event);
  }
  end();
  return messages;
}

/** What a later release or a broken line calls an event is none that can be told. */
function isTurnEvent(event: RecordedEvent): event is RecordedEvent & TurnEvent {
  if (event.type === 'text') return typeof event.text === 'string';
  if (event.type === 'tool_use') return typeof event.id === 'string' && typeof event.name === 'string';
  return event.type === 'tool_result' && typeof event.tool_use_id === 'string';
}
