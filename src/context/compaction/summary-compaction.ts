import { EntireError } from '../../base/errors.ts';
import { appendFileIdsFooter, extractFileIds, extractFileIdsFromMessages } from '../file-ids.ts';
import type { ContextMessage } from '../message.ts';
import { type CompactionStrategy, FileAwareCompaction } from './compaction.ts';

/** Asks a model for a summary of messages. The only part of a compaction that may leave the process. */
export type Summarise = (messages: readonly ContextMessage[]) => string | Promise<string>;

/**
 * Replaces messages by one: the section on files, the model's summary, and the ids of all files that the messages name.
 *
 * The model reads the section before the conversation, and has it in mind; whether it repeats it or not, the section
 * and the ids stand in the result as they are. Messages that are to stay (a system prompt, the newest turns) are not
 * handed over.
 */
export class SummaryCompaction extends FileAwareCompaction(Object) implements CompactionStrategy {
  private readonly summarise: Summarise;

  constructor(summarise: Summarise) {
    super();
    this.summarise = summarise;
  }

  /**
   * Nothing for no messages, without asking.
   *
   * @throws {EntireError} `SUMMARY_FAILED` when the model says nothing of its own: the messages must not be thrown away for that.
   * What the summariser throws is passed on.
   */
  async compact(messages: readonly ContextMessage[]): Promise<readonly ContextMessage[]> {
    if (messages.length === 0) return [];
    const section = this.getFilePromptSection(); // now: somebody may set other metadata while the model thinks
    const summary = await this.summarise(section === '' ? messages : [asMessage(section), ...messages]);
    const words = typeof summary === 'string' ? withoutLines(summary, section) : '';
    if (words === '') {
      throw new EntireError('SUMMARY_FAILED', 'The model gave no summary of the conversation.', {
        hint: 'The messages are unchanged; try again, or with another model.',
      });
    }
    const text = section === '' ? words : `${section}\n\n${words}`;
    const ids = [...extractFileIdsFromMessages(messages), ...extractFileIds(words)];
    return [asMessage(appendFileIdsFooter(text, ids))];
  }
}

/** The model's words without the section, where it repeats it: whole lines, since `a` is the beginning of `ab`, too. */
const withoutLines = (words: string, lines: string): string =>
  (lines === '' ? words : `\n${words}\n`.split(`\n${lines}\n`).join('\n')).trim();

/** The user's, not the system's: names of files and a summary are data, and carry no authority of their own. */
const asMessage = (content: string): ContextMessage => ({ role: 'user', content });
