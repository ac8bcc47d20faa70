import type { Message } from '../agents/shared/session/message.ts';
import { nowInSeconds } from '../base/clock.ts';
import { describeError } from '../base/errors.ts';
import {
  CompactionMetadata,
  type CompactionStrategy,
  type FileAwareCompaction,
} from '../context/compaction/compaction.ts';
import { estimateTokens } from '../context/fit-budget.ts';
import { textsIn } from '../context/message.ts';
import { filesOfMessages } from './called-files.ts';
import type { SessionOptions } from './session-options.ts';
import { isPrompt } from './turn-messages.ts';

const COMPACT_AT_TOKENS = 100_000;

/**
 * Compacts a conversation if that is wished for and it has become too long; a failure is a notice.
 *
 * @param known the files of earlier compactions, as they are kept
 * @returns the files by now, as they are to be kept; `undefined` where nothing was done
 */
export async function compactIfLong(
  context: Context,
  { autoCompact, compaction, compactAtTokens = COMPACT_AT_TOKENS, onEvent }: SessionOptions,
  known: unknown,
): Promise<object | undefined> {
  if (!autoCompact || !compaction) return undefined;
  try {
    const files = CompactionMetadata.fromDict(known);
    return (await compactContext(context, compaction, compactAtTokens, files))?.toDict();
  } catch (error) {
    // The turn went well, and the conversation is what it was: the next turn tries again.
    onEvent?.({ type: 'notice', text: `not compacted: ${describeError(error)}` });
    return undefined;
  }
}

/**
 * Makes a conversation shorter if it has become too long: the strategy gets all but the last turn, which stays as it is
 * unless it is too long itself.
 *
 * @param maxTokens from so many on it is too long
 * @param known the files of earlier compactions
 * @returns the files by now, and how long the conversation was and is; `undefined` where it was not too long
 * @throws what the strategy throws; the conversation is then what it was
 */
async function compactContext(
  context: Context,
  strategy: CompactionStrategy,
  maxTokens: number,
  known: CompactionMetadata,
): Promise<CompactionMetadata | undefined> {
  const { messages } = context;
  const tokensBefore = countTokens(messages);
  if (tokensBefore < maxTokens) return undefined;
  const last = messages.findLastIndex(isPrompt);
  const at = last > 0 && countTokens(messages.slice(last)) < maxTokens / 2 ? last : messages.length;
  const old = messages.slice(0, at);
  const files = known.merge(new CompactionMetadata({ ...filesOfMessages(old).toMetadata(), tokensBefore }));
  if ('setMetadata' in strategy) (strategy as FileAwareCompaction).setMetadata(files);
  const timestamp = nowInSeconds();
  const shorter = (await strategy.compact(old)).map((message) => ({ ...message, timestamp }) as Message);
  context.messages = [...shorter, ...messages.slice(at)];
  return new CompactionMetadata({ ...files, tokensAfter: countTokens(context.messages) });
}

const countTokens = (messages: readonly Message[]): number =>
  messages.reduce(
    (sum, { content }) => sum + textsIn(content).reduce((part, text) => part + estimateTokens(text), 0),
    0,
  );

/** What a model is given in a session. */
export class Context {
  /** What stands above the conversation; `undefined` for nothing. */
  system: string | undefined;
  /** The conversation, oldest first. */
  messages: Message[];

  constructor(system: string | undefined, messages: readonly Message[]) {
    this.system = system;
    this.messages = [...messages];
  }

  /** A copy that shares nothing with this one. */
  copy(): Context {
    return new Context(this.system, structuredClone(this.messages));
  }
}
