import { sha256Of } from '../../base/hash.ts';
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
