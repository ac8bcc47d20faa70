import type { CheckpointId } from '../../base/ids.ts';
import { collapse, sanitizeForTerminal, truncate } from '../../base/text/text.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { readCommentChar } from '../../git/commit/commit-arguments.ts';
import { addCheckpointTrailer, CHECKPOINT_TRAILER, SCISSORS } from '../../git/commit/trailers.ts';
import type { Git } from '../../git/run.ts';
import type { SessionState } from '../../session/state.ts';
import { readLive } from '../transcript/live.ts';
import { freshText } from '../transcript/part.ts';
import { PROMPT_SEPARATOR } from '../transcript/redacted.ts';
import { REMOVE_HINT, toMessageText } from './message.ts';

/**
 * A message for an editor: the trailer, then comments that say how to get rid of it, above git's own comments. An
 * empty message keeps a free line at the top for the subject.
 */
export async function addCommentedTrailer(
  git: Git,
  message: string,
  id: CheckpointId,
  session: SessionState,
  commonDir: string,
): Promise<string> {
  const lastLine = message.trimEnd().split('\n').at(-1) ?? '';
  // With `auto` git has chosen already, so the text shows it.
  const char = readCommentChar(git) ?? /^[#;@!$%^&|:]/.exec(lastLine)?.[0] ?? '#';
  const lines = message.split('\n');
  const firstComment = lines.findIndex((line) => line.startsWith(char));
  const written = (firstComment === -1 ? lines : lines.slice(0, firstComment)).join('\n').replace(/\n+$/, '');
  const rest = firstComment === -1 ? [] : lines.slice(firstComment);
  const withTrailer =
    written.trim() === ''
      ? `\n\n${CHECKPOINT_TRAILER}: ${id}\n`
      : addCheckpointTrailer(git, `${written}\n`, id);

  const agent = session.agentType || 'Agent';
  const prompt = await lastPrompt(commonDir, session);
  const comments = [
    `${REMOVE_HINT} if you don't want to link this commit to ${agent} session context.`,
    ...(prompt === '' ? [] : [`Last Prompt: ${prompt}`]),
    'The trailer will be added to your next commit based on this branch.',
  ];
  const ours = comments.map((line) => toMessageText(`${char} ${line}`));
  // Below scissors everything is dropped; above them, comments would become part of the message.
  const [first = ''] = rest;
  const below = SCISSORS.test(first) ? ['', first, ...ours, ...rest.slice(1)] : [...ours, '', ...rest];
  return `${withTrailer}${below.join('\n')}`;
}

/**
 * The user's last words to the agent, on one line, at most 80 code points. Redacted, and before they are cut: with
 * some settings of `commit.cleanup` comments stay in the message.
 */
export async function lastPrompt(commonDir: string, session: SessionState): Promise<string> {
  const live = readLive(commonDir, session);
  const prompt = live.format.readPrompts(freshText(live)).at(-1);
  const indexed = live.index.prompts.split(PROMPT_SEPARATOR).at(-1);
  const words = collapse(prompt ?? (indexed || session.firstPrompt));
  return words === '' ? '' : truncate(sanitizeForTerminal(await redactText(words)), 80, '...');
}
