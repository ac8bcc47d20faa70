import { describe, expect, test, vi } from 'vitest';
import type { ContextMessage } from '../message.ts';
import { CompactionMetadata, FileAwareCompaction } from './compaction.ts';
import { type Summarise, SummaryCompaction } from './summary-compaction.ts';

const metadata = new CompactionMetadata({ readFiles: ['b', 'a'], modifiedFiles: ['a'] });
const section = metadata.toPromptSection();
const messages = [
  { role: 'user', content: 'do it with file_a1b2c3d4' },
  { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
];
const saying = (words: string) => vi.fn<Summarise>(async () => words);

function strategy(summarise: Summarise, set: CompactionMetadata | undefined = metadata): FileAwareCompaction {
  const made = new SummaryCompaction(summarise);
  if (set) made.setMetadata(set);
  return made;
}

describe('a strategy that knows of files', () => {
  test('has an empty section before metadata is set', () => {
    expect(new SummaryCompaction(saying('words')).getFilePromptSection()).toBe('');
  });

  test('has the section of the metadata that was set last', () => {
    const made = strategy(saying('words'), new CompactionMetadata({ readFiles: ['old'] }));
    made.setMetadata(metadata);
    expect(made.getFilePromptSection()).toBe(section);
  });

  test('is any class that FileAwareCompaction is mixed into, and keeps what it had', async () => {
    class Base {
      readonly kept: number;
      constructor(kept: number) {
        this.kept = kept;
      }
      async compact(all: readonly ContextMessage[]): Promise<readonly ContextMessage[]> {
        return all.slice(-this.kept);
      }
    }
    class Mine extends FileAwareCompaction(Base) {
      override async compact(all: readonly ContextMessage[]): Promise<readonly ContextMessage[]> {
        return [{ role: 'user', content: this.getFilePromptSection() }, ...(await super.compact(all))];
      }
    }
    const [mine, other]: FileAwareCompaction[] = [new Mine(1), new Mine(2)];
    mine?.setMetadata(metadata);
    expect(mine).toBeInstanceOf(Base);
    expect(await mine?.compact(messages)).toEqual([{ role: 'user', content: section }, messages[1]]);
    expect(other?.getFilePromptSection()).toBe('');
  });
});

describe('a summary', () => {
  test('is asked for with the section before the conversation', async () => {
    const summarise = saying('words');
    await strategy(summarise).compact(messages);
    expect(summarise).toHaveBeenCalledExactlyOnceWith([{ role: 'user', content: section }, ...messages]);
  });

  test('is one message: section, words, and the ids of files last', async () => {
    expect(await strategy(saying('words\n')).compact(messages)).toEqual([
      { role: 'user', content: `${section}\n\nwords\n\n[LCM File IDs: file_a1b2c3d4]` },
    ]);
  });

  test('without metadata is the words alone, and nothing is put before the conversation', async () => {
    const summarise = saying('words');
    const made = new SummaryCompaction(summarise);
    expect(await made.compact([{ role: 'user', content: 'hello' }])).toEqual([
      { role: 'user', content: 'words' },
    ]);
    expect(summarise).toHaveBeenCalledExactlyOnceWith([{ role: 'user', content: 'hello' }]);
  });

  test('has the section once where the model repeats it, and all words that only begin like it', async () => {
    const [once] = await strategy(saying(`${section}\n\nwords`)).compact(messages);
    expect(once?.content).toBe(`${section}\n\nwords\n\n[LCM File IDs: file_a1b2c3d4]`);
    const [longer] = await strategy(saying(`${section}bc, d`)).compact(messages);
    expect(longer?.content).toContain(`${section}bc, d`);
  });

  test('of a summary keeps its ids, round after round', async () => {
    let kept = await strategy(saying('first')).compact(messages);
    for (let round = 0; round < 5; round++) {
      const more = { role: 'user', content: `and file_0000000${round}` };
      kept = await strategy(saying(`round ${round}`)).compact([...kept, more]);
    }
    const ids = ['a1b2c3d4', ...[0, 1, 2, 3, 4].map((round) => `0000000${round}`)].map(
      (hex) => `file_${hex}`,
    );
    expect(kept).toEqual([
      { role: 'user', content: `${section}\n\nround 4\n\n[LCM File IDs: ${ids.join(', ')}]` },
    ]);
  });

  test('has a block of ids last, also where only the model wrote one', async () => {
    const block = '[LCM File IDs: file_deadbeef]';
    const [made] = await strategy(saying(`${block}\n\nwords`)).compact([{ role: 'user', content: 'hello' }]);
    expect(made?.content).toBe(`${section}\n\nwords\n\n${block}`);
  });

  test('of no messages is none, and no model is asked', async () => {
    const summarise = saying('words');
    expect(await strategy(summarise).compact([])).toEqual([]);
    expect(summarise).not.toHaveBeenCalled();
  });

  test.each(['', ' \n', section, undefined])('of nothing but %j is refused', async (words) => {
    const nothing = strategy(async () => words as string).compact(messages);
    await expect(nothing).rejects.toMatchObject({ code: 'SUMMARY_FAILED', hint: expect.any(String) });
  });

  test('that fails is passed on', async () => {
    const failing = strategy(() => Promise.reject(new Error('no model')));
    await expect(failing.compact(messages)).rejects.toThrow('no model');
  });
});
