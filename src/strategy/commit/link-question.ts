import type { SessionId } from '../../base/ids.ts';
import { readActivation } from '../../settings/enabled.ts';
import { openState } from '../sessions.ts';
import type { Work } from '../work.ts';
import { lastPrompt } from './commented-trailer.ts';
import { askOnTerminal, hasTerminal } from './terminal.ts';

/**
 * Whether a commit with a ready message is to be linked. Asked only with `"commit_linking": "prompt"` and where a
 * person sits at a terminal; only a clear "no" is one.
 */
export async function agreesToLink(work: Work, id: SessionId): Promise<boolean> {
  const activation = readActivation(work.repo);
  if (activation.kind !== 'enabled' || activation.commitLinking !== 'prompt') return true;
  if (!hasTerminal(process.env)) return true;
  const session = openState(work, id);
  if (!session) return true;
  const agent = session.agentType || 'Agent';
  const prompt = await lastPrompt(work.repo.commonDir, session);
  const context = prompt === '' ? '' : `You have an active ${agent} session.\nLast Prompt: ${prompt}\n`;
  const answer = askOnTerminal(`${context}Link this commit to ${agent} session context? [Y/n] `);
  return !/^no?$/i.test(answer.trim());
}
