import type { AgentEvent, FileEdit } from '../agents/event.ts';
import { toEdit } from '../agents/external/event.ts';
import type { OpenedAgent } from '../agents/external/open.ts';
import { describeError } from '../base/errors.ts';
import { log, openLog } from '../base/log.ts';
import type { Repo } from '../git/locate.ts';
import { forgetPosition, readPosition, writePosition } from '../session/transcript-position.ts';
import { readActivation } from '../settings/enabled.ts';
import { act } from './act.ts';
import { openExternalAgent } from './external-agents.ts';
import { failOpenAsync } from './fail-open.ts';
import { keepEdit } from './post-file-edit.ts';
import { locateSessionHome } from './session-home.ts';
import { readPayloadText } from './stdin.ts';

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
    const { event, edit } = parsed;
    if (edit) recordEdit(agent, edit);
    if (event)
      await act({ repo, activation }, agent.name, verb, event, () => readTranscript(repo, agent, event));
  });
}

const recordEdit = (agent: OpenedAgent, edit: FileEdit): void =>
  keepEdit(edit, agent.type, locateSessionHome(undefined));

/**
 * The transcript as it is now, and what it says of files. A turn that has none is a turn all the same: what is missing is
 * logged.
 */
function readTranscript(repo: Repo, agent: OpenedAgent, event: AgentEvent): string | undefined {
  const { sessionId, transcriptPath: reference } = event;
  if (reference === undefined) return undefined;
  const attempt = <T>(what: string, act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      log('warn', what, { error: describeError(error) });
      return undefined;
    }
  };
  const begins = event.type === 'TurnStart';
  const ends = event.type === 'TurnEnd' || event.type === 'SubagentEnd';
  // Before the first answer many clients have written nothing.
  const file =
    begins || ends
      ? attempt('no transcript', () => agent.transcripts.fetch(sessionId, reference))
      : undefined;
  if (begins) {
    const position = attempt('no position in the transcript', () => agent.transcripts.position(reference));
    if (position !== undefined) writePosition(repo.commonDir, sessionId, position);
  }
  if (event.type === 'TurnEnd') {
    const since = readPosition(repo.commonDir, sessionId);
    const files = attempt('files of the transcript unknown', () =>
      since === undefined ? [] : agent.transcripts.filesSince(reference, since),
    );
    if (files && files.length > 0)
      recordEdit(
        agent,
        toEdit({ sessionId, cwd: repo.worktreeRoot, transcriptPath: file }, files, undefined),
      );
    forgetPosition(repo.commonDir, sessionId);
  }
  return file;
}
