import { transcriptFormatOf } from '../../agents/registry.ts';
import type { MessageUsage } from '../../agents/shared/session/message.ts';
import { lookAtTranscript } from '../../agents/shared/transcript/transcript-door.ts';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { log } from '../../base/log.ts';
import type { OutlineTurn } from '../../conversation/export/outline.ts';
import type { Branch } from '../../history/branch.ts';
import { readStepDetail } from '../../history/detail.ts';
import type { Step } from '../../history/temporary.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
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
export function tellTurn(branch: Branch, kept: KeptTurn, step: Step | undefined): ToldTurn {
  const { subject } = kept.record;
  if (step) {
    const { turns, models } = tellTranscript(readStepDetail(branch, step, false).transcript);
    const turn = turns.findLast((one) => isAbout(one, subject));
    if (turn) return { turn, models, usage: toUsage(turn.usage) };
  }
  const { turns, models } = tellTranscript({ agent: kept.agentType, text: readFrom(kept) });
  // Its prompt may be longer than its subject tells, or have had a secret in it.
  const turn = turns.find((one) => isAbout(one, subject)) ?? turns.find(({ number }) => number > 0);
  return { turn, models: turn ? models : [], usage: toUsage(turn?.usage) };
}

function isAbout({ items }: OutlineTurn, subject: string): boolean {
  const asked = items.flatMap((item) => (item.kind === 'prompt' ? item.text : [])).join('\n\n');
  return asked !== '' && subjectFromPrompt(asked, '') === subject;
}

/** The agent's transcript from where the turn began; empty where that is not known, or it is not there any more. */
function readFrom({ agentType, record: { transcript } }: KeptTurn): string {
  const format = transcriptFormatOf(agentType);
  try {
    if (transcript.path === '' || !lookAtTranscript(transcript.path, format.looksLike)) return '';
    return format.sliceItems(disk.readFileSync(transcript.path, 'utf8'), transcript.items);
  } catch (error) {
    log('info', 'transcript of a turn not read', { error: describeError(error) });
    return '';
  }
}

const toUsage = (usage: MessageUsage | undefined): TokenUsage | undefined =>
  usage && {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheCreationTokens: usage.cache_creation_tokens,
    cacheReadTokens: usage.cache_read_tokens,
    apiCallCount: 0,
  };
