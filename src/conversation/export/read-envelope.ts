import { EntireError } from '../../base/errors.ts';
import { sha256Of } from '../../base/hash.ts';
import { parseSessionId, parseToolUseId } from '../../base/ids.ts';
import { asObject, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { findFault, type SessionData } from '../session-data.ts';
import {
  bytesOf,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportEnvelope,
  type ExportedTranscript,
  sessionDigest,
  toTranscript,
  withoutMemory,
} from './envelope.ts';

/** Nobody nests what is said or what a tool is called with as deep; what is read has to be written again. */
const MAX_DEPTH = 200;
const MAX_TRANSCRIPTS = 10_000;
/** A session of 256 MiB has half as many; a file of nothing but brackets would take gigabytes to read. */
const MAX_VALUES = 8_000_000;

/**
 * Reads an export.
 *
 * @param where names the file in a failure
 * @throws {EntireError} `IMPORT_REFUSED` when it is none, is of a later version, was cut off, damaged or changed
 */
export function parseEnvelope(text: string, where: string): ExportEnvelope {
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text; // shells and editors of Windows put it there
  const isHuge = hasMoreValues(json, MAX_VALUES);
  const value = isHuge ? undefined : parseJson(json);
  const refusal: Refusal | undefined = isHuge
    ? [`it has more than ${MAX_VALUES} values`, OTHER]
    : refuse(value, json);
  if (!refusal) return withoutForeignMemory(value as ExportEnvelope);
  const [why, hint] = refusal;
  throw new EntireError('IMPORT_REFUSED', `${where} cannot be imported: ${why}.`, { hint });
}

const BYTE_ORDER_MARK = '\ufeff';

/** Counts commas and brackets that are not in texts: without reading them all, that is how many values there can be. */
function hasMoreValues(json: string, most: number): boolean {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = endOfText(json, at + 1);
    else if (char === COMMA || char === BRACKET || char === BRACE) count += 1;
    if (count > most) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

function endOfText(json: string, start: number): number {
  for (let at = start; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) at += 1;
  }
  return json.length;
}

type Refusal = readonly [why: string, hint: string];

const AGAIN = 'Export the session again, and copy the file as it is. Nothing was written.';
const OTHER =
  '`entire session export <id> --format json` makes files that can be imported. Nothing was written.';
const NEWER = 'Install the entire that wrote it, or a later one. Nothing was written.';

function refuse(value: unknown, text: string): Refusal | undefined {
  if (value === undefined && /^\s*\{\s*"format"\s*:\s*"entire-session"/.test(text))
    return ['it does not end as JSON does: part of it is missing', AGAIN];
  if (value === undefined) return ['it is not JSON', OTHER];
  if (!isObject(value) || value.format !== EXPORT_FORMAT) return ['it is not an export of a session', OTHER];
  const { version } = value;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return ['its `version` is not a version', OTHER];
  if (version > EXPORT_VERSION)
    return [`it has version ${version}, and this entire knows ${EXPORT_VERSION}`, NEWER];
  if (isDeep(value)) return [`it is nested deeper than ${MAX_DEPTH} levels`, OTHER];
  const why = faultOf(value);
  return why === undefined ? undefined : [why, AGAIN];
}

const FIELDS = ['format', 'version', 'cli_origin', 'session', 'session_sha256', 'transcripts'];
const TRANSCRIPT_FIELDS = Object.keys(
  toTranscript({ agent: '', session_id: '', subagent_id: null }, Buffer.alloc(0)),
);
/** Names of agents, also of those that are not built in. */
const AGENT = /^[a-z0-9][a-z0-9_-]{0,63}$/;

function faultOf(value: JsonObject): string | undefined {
  const unknown = Object.keys(value).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) return `it has a field that is not known here: \`${unknown}\``;
  const { cli_origin, session, session_sha256, transcripts } = value;
  if (typeof cli_origin !== 'string' || (cli_origin !== '' && !AGENT.test(cli_origin)))
    return '`cli_origin` is not the name of an agent';
  const fault = findFault(session);
  if (fault !== undefined) return `of its session, ${fault}`;
  if (session_sha256 !== sessionDigest(session as SessionData))
    return 'its session is not what was exported: `session_sha256` is of something else';
  if (!Array.isArray(transcripts)) return '`transcripts` is not a list';
  if (transcripts.length > MAX_TRANSCRIPTS) return `it has more than ${MAX_TRANSCRIPTS} transcripts`;
  const owners = new Set<string>();
  for (const [at, transcript] of transcripts.entries()) {
    const wrong = faultOfTranscript(transcript);
    if (wrong !== undefined) return `of its transcript ${at + 1}, ${wrong}`;
    const { agent, session_id, subagent_id } = transcript as ExportedTranscript;
    owners.add(JSON.stringify([agent, session_id, subagent_id]));
  }
  return owners.size === transcripts.length ? undefined : 'two of its transcripts are of the same session';
}

function faultOfTranscript(value: unknown): string | undefined {
  const { agent, session_id, subagent_id, encoding, size_bytes, text, ...others } = asObject(value);
  const unknown = Object.keys(others).find((key) => !TRANSCRIPT_FIELDS.includes(key));
  if (unknown !== undefined) return `there is a field that is not known here: \`${unknown}\``;
  if (typeof agent !== 'string' || !AGENT.test(agent)) return '`agent` is not the name of an agent';
  if (parseSessionId(session_id) === undefined) return '`session_id` is not an id';
  if (subagent_id !== null && parseToolUseId(subagent_id) === undefined) return '`subagent_id` is not an id';
  if (encoding !== 'utf8' && encoding !== 'base64') return '`encoding` is neither `utf8` nor `base64`';
  if (typeof text !== 'string') return '`text` is not a text';
  const bytes = bytesOf({ text, encoding });
  if (bytes.length !== size_bytes)
    return `there are ${bytes.length} bytes, and \`size_bytes\` says otherwise: part of it is missing`;
  if (others.sha256 !== sha256Of(bytes))
    return 'the bytes are not what was exported: `sha256` is of something else';
  const again = toTranscript({ agent, session_id: '', subagent_id: null }, bytes);
  const isSame = again.encoding === encoding && again.text === text;
  return isSame ? undefined : `\`text\` is not written as \`${encoding}\` is`;
}

/** Goes no deeper than it asks for: what is nested without end would end us. */
function isDeep(value: unknown, depth = 1): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > MAX_DEPTH || Object.values(value).some((inner) => isDeep(inner, depth + 1));
}

/** An export of ours has none; that of somebody else's program is not trusted with it. */
function withoutForeignMemory(envelope: ExportEnvelope): ExportEnvelope {
  const session = withoutMemory(envelope.session);
  return { ...envelope, session, session_sha256: sessionDigest(session) };
}
