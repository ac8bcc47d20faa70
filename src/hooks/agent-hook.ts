import { HOOK_READERS } from '../agents/hook-inputs.ts';
import { IMPORTERS } from '../agents/importers.ts';
import { parseAgentName } from '../agents/names.ts';
import { log, openLog } from '../base/log.ts';
import { readActivation } from '../settings/enabled.ts';
import { parseRedaction, useRedaction } from '../settings/redaction.ts';
import { failOpenAsync } from './fail-open.ts';
import { locateSessionHome } from './session-home.ts';
import { readPayload } from './stdin.ts';

/**
 * Runs every agent hook but the hot one: payload → event → what the event means. Exits 0 whatever happens; an
 * unknown agent or verb, a folder without a repository, and one that is not enabled do nothing.
 */
export async function runAgentHook(
  name: string,
  verb: string | undefined,
  readInput: () => unknown = readPayload,
): Promise<void> {
  const agent = parseAgentName(name);
  if (!agent || !verb) return;
  await failOpenAsync(verb, async () => {
    const known = locateSessionHome(undefined);
    const early = known && readActivation(known);
    if (early?.kind === 'enabled') openLog(early.root, early.logLevel, { component: 'hooks', agent });

    const payload = readInput();
    const event = HOOK_READERS[agent].parseHookInput(verb, payload);
    if (event === undefined) return;
    if ('rejected' in event) return log('warn', 'hook skipped', { hook: verb, error: event.rejected });

    const repo = locateSessionHome(event.cwd);
    if (!repo) return;
    const activation = readActivation(repo);
    if (activation.kind === 'unreadable') {
      openLog(activation.root, undefined);
      return log('warn', 'settings are unreadable, hooks do nothing', {
        file: activation.file,
        error: activation.reason,
      });
    }
    if (activation.kind !== 'enabled') return;
    openLog(activation.root, activation.logLevel, {
      session_id: event.sessionId,
      component: 'lifecycle',
      agent,
    });
    useRedaction(parseRedaction(activation.redaction));
    log('info', verb, { hook: verb, transcript_path: event.transcriptPath });
    const kept = IMPORTERS[agent]?.(repo.worktreeRoot, payload);
    const { dispatch } = await import('./dispatch.ts'); // the rest is loaded only where there is something to do
    await dispatch(repo, agent, kept === undefined ? event : { ...event, transcriptPath: kept }, activation);
    if (activation.summarize && (event.type === 'TurnEnd' || event.type === 'SessionEnd'))
      (await import('./summaries.ts')).startSummaries(repo);
    if (event.type === 'TurnEnd') (await import('./snapshot-gc.ts')).startSnapshotGc(repo);
  });
}
