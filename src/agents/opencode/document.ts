import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { appendLines } from '../../base/file/append-lines.ts';
import { disk, makePlainFolder } from '../../base/file/disk.ts';
import { sha256Of } from '../../base/hash.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { asList, asObject, asObjects, isObject, type JsonObject } from '../../base/text/json.ts';
import { type Message, parseDocument, readConversation, readLine, toMessage } from './messages.ts';

/**
 * A transcript as the document that `opencode import` takes; `undefined` when it does not say which session it is of.
 * A document is returned as it is.
 */
export function renderDocument(transcript: string): string | undefined {
  if (parseDocument(transcript)) return transcript;
  const { session, messages } = readConversation(transcript);
  if (typeof session?.id !== 'string' || messages.length === 0) return undefined;
  return `${JSON.stringify({ info: session, messages: messages.map(asExported) }, null, 2)}\n`;
}

const asExported = ({ info, parts }: Message) => ({ info, parts });

/**
 * The beginning of a transcript, up to and including the message `last`, as that of another session. The client knows messages
 * by ids that no two sessions share, so each gets a new one, made from its old one and the session's.
 *
 * @returns `undefined` when the message is not in it
 */
export function forkTranscript(transcript: string, last: string, id: string): string | undefined {
  const { session, messages } = readConversation(transcript);
  const end = messages.findIndex((message) => message.id === last);
  if (last === '' || end === -1) return undefined;
  const head = { info: { ...session, id } };
  const kept = messages.slice(0, end + 1).map(asExported);
  return [head, ...kept].map((line) => `${renamed(JSON.stringify(line), id)}\n`).join('');
}

/** In a string of JSON quotes are escaped: what is found is a key. */
const renamed = (line: string, id: string): string =>
  line
    .replaceAll(/"sessionID":"(?:[^"\\]|\\.)*"/g, () => `"sessionID":${JSON.stringify(id)}`)
    .replaceAll(
      /"(id|messageID|parentID)":"(msg|prt)_([0-9a-zA-Z]{1,64})"/g,
      (_, key, kind, old) => `"${key}":"${kind}_${newName(old, id)}"`,
    );

/** The client sorts by the first twelve digits, which are a time; what follows is random. */
function newName(old: string, session: string): string {
  const rest = sha256Of(`${session} ${old}`);
  return old.slice(0, 12) + rest.slice(0, 14);
}

/** What the lines of a transcript hold of one message, or of the session, for whoever adds to them. */
export function readKnown(transcript: string): {
  readonly header: string;
  readonly messages: Map<string, Message>;
} {
  const messages = new Map<string, Message>();
  let header = '';
  for (const raw of transcript.split('\n')) {
    const line = readLine(raw);
    const message = toMessage(line, 0);
    if (message) messages.set(message.id, message);
    else if (line?.info !== undefined) header = raw;
    if (Array.isArray(line?.removed)) for (const id of line.removed) messages.delete(String(id));
  }
  return { header, messages };
}

/** Where the messages of a session are kept, one a line; the client itself has them in a database. */
const transcriptFile = (worktreeRoot: string, sessionId: SessionId): string =>
  join(worktreeRoot, '.entire', 'tmp', `${sessionId}.jsonl`);

/**
 * Keeps what a payload hands over of sessions: of its own, and of its sub-agents'. The files only grow. A message that is
 * there whole stays as it is: the client drops what tools printed from old messages, and notes summaries in them.
 *
 * @returns the file of the payload's own session; `undefined` where there is none. Never throws.
 */
export function importTranscript(worktreeRoot: string, payload: unknown): string | undefined {
  if (!isObject(payload)) return undefined;
  try {
    for (const handed of asObjects(payload.transcripts)) keep(worktreeRoot, handed);
    const own = parseSessionId(payload.session_id);
    const file = own && transcriptFile(worktreeRoot, own);
    return file && isPlain(file) ? file : undefined;
  } catch (error) {
    log('warn', 'messages were not kept', { error: describeError(error) });
    return undefined;
  }
}

function keep(worktreeRoot: string, handed: JsonObject): void {
  const sessionId = parseSessionId(handed.session_id);
  if (sessionId === undefined) return log('warn', 'messages of a session without a usable id');
  const file = transcriptFile(worktreeRoot, sessionId);
  makePlainFolder(worktreeRoot, '.entire', 'tmp');
  const isThere = isPlain(file) && disk.statSync(file).size > 0;
  const isWhole = handed.complete === true;
  const known = isThere && isWhole ? readKnown(disk.readFileSync(file, 'utf8')) : undefined;

  const info = isObject(handed.info) ? handed.info : isThere ? undefined : { id: sessionId };
  const header = info && JSON.stringify({ info });
  const fresh = asList(handed.messages)
    .flatMap((value) => toMessage(value, 0) ?? [])
    .filter((message) => message.id !== '' && isNew(message, known?.messages.get(message.id)));
  const ids = new Set(Array.isArray(handed.ids) ? handed.ids : known?.messages.keys());
  const gone = [...(known?.messages.keys() ?? [])].filter((id) => !ids.has(id));
  const removed = [...gone, ...asList(handed.removed).filter((id) => typeof id === 'string')];
  const lines = [
    ...(header === undefined || header === known?.header ? [] : [header]),
    ...fresh.map(({ info, parts }) => JSON.stringify({ info, parts })),
    ...(removed.length === 0 ? [] : [JSON.stringify({ removed })]),
  ];
  if (lines.length > 0) appendLines(file, Buffer.from(`${lines.join('\n')}\n`));
}

/** Whether a message says more than what is kept of it. */
function isNew(message: Message, known: Message | undefined): boolean {
  if (known === undefined) return true;
  return !isFinished(known) && render(known) !== render(message);
}

const isFinished = ({ info }: Message): boolean =>
  info.role !== 'assistant' || asObject(info.time).completed !== undefined || info.error !== undefined;

const render = ({ info, parts }: Message): string => JSON.stringify({ info, parts });

/** A link is somebody else's choice of where we write, and is not read either. */
const isPlain = (file: string): boolean => disk.lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
