import { dirname } from 'node:path';
import type { AgentName } from '../../agents/names.ts';
import { agentOf, formatOf } from '../../agents/registry.ts';
import type { SessionHome } from '../../agents/shared/session/session-home.ts';
import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { createFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import type { CliMemory } from './memory.ts';

/**
 * Copies an agent's own session, as far as it has come, to one that the agent can go on with.
 *
 * @returns the id of the copy; `undefined` where there is no transcript, or the agent would not go on with a copy
 * @throws the system error when the copy cannot be written
 */
export function copyOwnSession(
  agent: AgentName,
  { session_id, cwd }: CliMemory,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const id = parseSessionId(session_id);
  const home = agentOf(agent).home;
  const transcript = id && findTranscript(home, env, physical(cwd), id);
  if (transcript === undefined) return undefined;
  const copy = home.copy(transcript, now());
  if ('refused' in copy) return undefined;
  const format = formatOf(agent);
  const text = disk.readFileSync(transcript, 'utf8');
  const forked = format.fork(text, format.readLastIdentifier(text), copy.sessionId);
  if (forked === undefined) return undefined;
  disk.mkdirSync(dirname(copy.file), { recursive: true, mode: 0o700 });
  const { beside } = copy;
  if (beside) createFileAtomic(beside.file, beside.text, { mode: 0o600, fsync: true });
  createFileAtomic(copy.file, forked, { mode: 0o600, fsync: true });
  return copy.sessionId;
}

/**
 * Reads an agent's own session: one that died may have heard something, and not have written it down yet.
 *
 * @returns tells whether a message stands in it; `undefined` where there is no transcript to tell, or another text may stand for it
 */
export function readOwnSession(
  agent: AgentName,
  { session_id, cwd }: CliMemory,
  env: NodeJS.ProcessEnv,
): (message: string) => boolean | undefined {
  const id = parseSessionId(session_id);
  const home = agentOf(agent).home;
  const transcript = id && home.isAgentsOwn ? findTranscript(home, env, physical(cwd), id) : undefined;
  if (transcript === undefined) return () => undefined;
  try {
    const text = disk.readFileSync(transcript, 'utf8');
    const prompts = once(() => formatOf(agent).readPrompts(text).map(plainWords));
    return (message) => {
      // Prompts are read without what clients add to them, which the user may have written as well.
      if (text.includes(JSON.stringify(message).slice(1, -1))) return true;
      if (/^\/[a-z][\w:-]*(\s|$)/i.test(message)) return undefined; // clients write down what their commands stand for
      return prompts().some((prompt) => prompt.includes(plainWords(message)));
    };
  } catch (error) {
    log('warn', 'what the agent was told cannot be looked up', {
      file: transcript,
      error: describeError(error),
    });
    return () => undefined;
  }
}

const plainWords = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Sessions that are looked at where no name says which one it is: the one that was just talked with is among the newest. */
const NEWEST = 100;

function findTranscript(
  home: SessionHome,
  env: NodeJS.ProcessEnv,
  folder: string,
  id: SessionId,
): string | undefined {
  const path = home.transcript(env, folder, id);
  if (disk.statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  return home.list(env, NEWEST, folder).find(({ path: kept }) => home.isTranscriptOf(kept, id))?.path;
}

function physical(path: string): string {
  try {
    return disk.realpathSync(path);
  } catch {
    return path;
  }
}
