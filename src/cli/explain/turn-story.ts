import type { MessageUsage } from '../../agents/shared/session/message.ts';
import type { OutlineTurn } from '../../conversation/export/outline.ts';
import type { Branch } from '../../history/branch.ts';
import { readStepDetail } from '../../history/detail.ts';
import type { Step } from '../../history/temporary.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
import { readTurnText } from '../../restore/turn-transcript.ts';
import type { TokenUsage } from '../../session/state.ts';
import { subjectFromPrompt } from '../../strategy/turn/words.ts';
import { tellTranscript } from './detail-view.ts';

/** What was said and done in one turn, as far as a transcript tells. */
export interface ToldTurn {
  readonly turn: OutlineTurn | undefined;
  readonly models: readonly string[];
  readonly usage: TokenUsage | undefined;
}

/** Of a turn that no commit has what is saved with its step; else what its agent's own transcript has from where it began. */
export async function tellTurn(branch: Branch, kept: KeptTurn, step: Step | undefined): Promise<ToldTurn> {
  const { subject } = kept.record;
  if (step) {
    const { turns, models } = tellTranscript(readStepDetail(branch, step, false).transcript);
    const turn = turns.findLast((one) => isAbout(one, subject));
    if (turn) return { turn, models, usage: toUsage(turn.usage) };
  }
  const text = await readTurnText(branch.repo, kept);
  const { turns, models } = tellTranscript({ agent: kept.agentType, text });
  const turn = findOwn(turns, kept.record);
  return { turn, models: turn ? models : [], usage: toUsage(turn?.usage) };
}

/** Where a rewind cut the transcript off, other turns stand from there on: they were begun when this one was over. */
function findOwn(
  turns: readonly OutlineTurn[],
  { subject, at }: KeptTurn['record'],
): OutlineTurn | undefined {
  const endedMs = Date.parse(at);
  const isIn = ({ startedAt }: OutlineTurn): boolean =>
    startedAt !== undefined && startedAt * 1000 <= endedMs;
  return (
    turns.find((one) => isAbout(one, subject) && (one.startedAt === undefined || isIn(one))) ??
    // Its prompt may be longer than its subject tells, or have had a secret in it.
    turns.find((one) => one.number > 0 && isIn(one))
  );
}

function isAbout({ items }: OutlineTurn, subject: string): boolean {
  const asked = items.flatMap((item) => (item.kind === 'prompt' ? item.text : [])).join('\n\n');
  return asked !== '' && subjectFromPrompt(asked, '') === subject;
}

const toUsage = (usage: MessageUsage | undefined): TokenUsage | undefined =>
  usage && {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheCreationTokens: usage.cache_creation_tokens,
    cacheReadTokens: usage.cache_read_tokens,
    apiCallCount: 0,
  };
