import { dirname } from 'node:path';
import type { AnyAgent } from '../../agents/names.ts';
import { findAgent, sessionHomeOf, transcriptFormatOf } from '../../agents/registry.ts';
import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { lookAtTranscript } from '../../agents/shared/transcript/transcript-door.ts';
import { now } from '../../base/clock.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { createFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { readState } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';

/** A session that goes on from before a turn. */
export interface ForkedConversation {
  readonly sessionId: SessionId;
  readonly agent: AnyAgent;
  readonly file: string;
}

/**
 * Writes the conversation up to a turn as a new session of the agent, where the agent finds it; the old one stays as it is.
 *
 * @param turn the oldest turn that is taken back
 * @throws {EntireError} `NO_CONVERSATION` where there is nothing that could go on; `WRITE_FAILED`
 */
export function forkConversation(repo: Repo, id: SessionId, turn: SnapshotRecord): ForkedConversation {
  const { path, last } = turn.transcript;
  const agentType = readState(sessionsDir(repo.commonDir), id)?.agentType ?? '';
  const agent = findAgent(agentType);
  if (agent === undefined) throw none('it is not known where this turn began in it');
  const copy = sessionHomeOf(agent).copy(path, now());
  if ('refused' in copy) throw none(copy.refused);
  if (path === '') throw none('it is not known where this turn began in it');
  if (last === '') throw none('it began with this turn: start a new session instead');
  const { sessionId, file, beside } = copy;
  const format = transcriptFormatOf(agentType);
  const text = format.fork(readTranscript(path, format), last, sessionId);
  if (text === undefined) throw none('it was compacted or rewritten since');
  try {
    disk.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (beside) createFileAtomic(beside.file, beside.text, { mode: 0o600, fsync: true });
    createFileAtomic(file, text, { mode: 0o600, fsync: true });
  } catch (cause) {
    throw new EntireError('WRITE_FAILED', `${file} could not be written: ${describeError(cause)}`, { cause });
  }
  return { sessionId, agent, file };
}

const none = (why: string): EntireError =>
  new EntireError('NO_CONVERSATION', `the conversation cannot be taken back: ${why}.`, {
    hint: 'Without --conversation the files alone are taken back.',
  });

function readTranscript(path: string, { looksLike }: TranscriptFormat): string {
  if (disk.existsSync(path) && !lookAtTranscript(path, looksLike))
    throw none('it is not a transcript that may be read');
  try {
    return disk.readFileSync(path, 'utf8');
  } catch (cause) {
    throw none(describeError(cause));
  }
}
