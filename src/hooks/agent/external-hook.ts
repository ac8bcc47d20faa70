import type { AgentEvent, FileEdit } from '../../agents/event.ts';
import { toEdit } from '../../agents/external/event.ts';
import type { OpenedAgent } from '../../agents/external/open.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';
import { describeError } from '../../base/errors.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { log, openLog } from '../../base/log.ts';
import type { Repo } from '../../git/locate.ts';
import { forgetPosition, readPosition, writePosition } from '../../session/record/transcript-position.ts';
import { readActivation } from '../../settings/enabled.ts';
import { readRange, transcriptSize } from '../../strategy/transcript/file.ts';
import { maskTranscript, readMask } from '../../strategy/transcript/private.ts';
import { isNameless, nameSession } from '../../strategy/turn/words.ts';
import { type Work, workIn } from '../../strategy/work.ts';
import { failOpenAsync } from '../fail-open.ts';
import { keepEdit } from '../post-file-edit.ts';
import { locateSessionHome } from '../session-home.ts';
import { readPayloadText } from '../stdin.ts';
import { act } from './act.ts';
import { openExternalAgent } from './external-agents.ts';

/**
 * Runs a hook of an agent that is not built in: its executable says what the payload stands for, and the rest is as for every
 * agent. Whether there is such an agent, and may be asked, is looked up only in a repository that is enabled. Exits 0
 * whatever the executable does, and its words go to the log.
 */
export async function runExternalHook(name: string, verb: string): Promise<void> {
  await failOpenAsync(verb, async () => {
    const repo = locateSessionHome(undefined);
    const activation = repo && readActivation(repo);
    if (!repo || activation?.kind !== 'enabled') return;
    openLog(activation.root, activation.logLevel, { component: 'hooks', agent: name.slice(0, 64) });

    const payload = readPayloadText();
    const agent = openExternalAgent(repo, name);
    const parsed = agent.parseHook(verb, payload);
    if (parsed === undefined) return;
    if ('rejected' in parsed) return log('warn', 'hook skipped', { hook: verb, error: parsed.rejected });
    const { event, edit, reference } = parsed;
    if (edit) recordEdit(agent, edit);
    if (event)
      await act({ repo, activation }, agent.name, verb, event, () =>
        reference === '' ? undefined : readTranscript(repo, agent, event, reference),
      );
  });
}

const recordEdit = (agent: OpenedAgent, edit: FileEdit): void =>
  keepEdit(edit, agent.type, locateSessionHome(undefined));

/** The transcript as it is now, and what it says of files. A turn whose transcript cannot be had is a turn all the same. */
async function readTranscript(
  repo: Repo,
  agent: OpenedAgent,
  { type, sessionId }: AgentEvent,
  reference: string,
): Promise<string | undefined> {
  const { transcripts } = agent;
  const begins = type === 'TurnStart';
  const ends = type === 'TurnEnd' || type === 'SubagentEnd';
  if (!begins && !ends) return transcripts.known(sessionId, reference);
  // Before the first answer many clients have written nothing.
  const level = begins ? 'info' : 'warn';
  const file = attempt(level, 'no transcript', () => transcripts.fetch(sessionId, reference));
  if (file !== undefined && file !== reference) leaveOutPrivate(repo, agent, sessionId, file);
  if (begins) {
    const position = attempt(level, 'no position in the transcript', () => transcripts.position(reference));
    if (position === undefined) forgetPosition(repo.commonDir, sessionId);
    else writePosition(repo.commonDir, sessionId, position);
  }
  if (type === 'TurnEnd') await nameByTranscript(workIn(repo), agent, sessionId, reference);
  const since = type === 'TurnEnd' ? readPosition(repo.commonDir, sessionId) : undefined;
  if (since !== undefined) {
    const what = 'files of the transcript unknown';
    const files = attempt(level, what, () => transcripts.filesSince(reference, since)) ?? [];
    const base = { sessionId, cwd: repo.worktreeRoot, transcriptPath: file };
    if (files.length > 0) recordEdit(agent, toEdit(base, files, undefined));
    forgetPosition(repo.commonDir, sessionId);
  }
  return file;
}

/** Our copy of a transcript is no place for what is private. */
function leaveOutPrivate(
  { commonDir }: Repo,
  { type }: OpenedAgent,
  sessionId: SessionId,
  file: string,
): void {
  const mask = readMask(commonDir, sessionId);
  if (mask === undefined) return;
  const bytes = readRange(file, 0, transcriptSize(file, undefined) ?? 0);
  writeFileAtomic(file, maskTranscript(mask, transcriptFormatOf(type), bytes));
}

/** Some clients do not tell their hooks what was typed; then the session is called after what its transcript says. */
async function nameByTranscript(
  work: Work,
  { type: agentType, transcripts }: OpenedAgent,
  sessionId: SessionId,
  reference: string,
): Promise<void> {
  const turn = { sessionId, agentType, transcriptPath: undefined };
  if (!isNameless(work, turn)) return;
  const since = readPosition(work.repo.commonDir, sessionId) ?? 0;
  const [prompt] = attempt('warn', 'prompts unknown', () => transcripts.promptsSince(reference, since)) ?? [];
  if (prompt !== undefined) await nameSession(work, turn, prompt);
}

function attempt<T>(level: 'info' | 'warn', what: string, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    log(level, what, { error: describeError(error) });
    return undefined;
  }
}
