import { EntireError } from '../../base/errors.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { redactTranscript } from '../../checkpoint/redact/redact.ts';
import { findFault, type SessionData } from '../session-data.ts';
import { bytesOf, type ExportEnvelope, toEnvelope, toTranscript } from './envelope.ts';

/**
 * The same export with every secret replaced: of the session and of the transcripts, each of what was found in one of them in all.
 * Bytes that are no text cannot be looked at: they become the text that is in them.
 *
 * @throws {EntireError} `REDACTION_FAILED`
 */
export async function redactEnvelope(envelope: ExportEnvelope): Promise<ExportEnvelope> {
  const { cli_origin, session, transcripts } = envelope;
  const texts = [JSON.stringify(session), ...transcripts.map((one) => bytesOf(one).toString('utf8'))];
  const known = new Set<string>();
  for (let before = -1; before !== known.size; ) {
    before = known.size; // what is learned in a text may stand in those before it
    for (const [at, text] of texts.entries()) {
      const redaction = await redactTranscript(text, [...known]);
      texts[at] = redaction.text;
      for (const secret of redaction.learned) known.add(secret);
    }
  }
  const [own = '', ...others] = texts;
  const redacted = transcripts.map((one, at) => toTranscript(one, Buffer.from(others[at] ?? '')));
  return toEnvelope(cli_origin, asSession(own, session.session_id), redacted);
}

function asSession(text: string, id: string): SessionData {
  const value = parseJson(text);
  if (isObject(value) && findFault(value) === undefined && value.session_id === id)
    return value as unknown as SessionData;
  throw new EntireError('REDACTION_FAILED', `the session ${id} is none any more once it is redacted.`);
}
