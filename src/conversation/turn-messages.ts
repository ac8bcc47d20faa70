import type { TurnEvent } from '../agents/shared/headless/headless.ts';
import type {
  ContentBlock,
  Message,
  MessageUsage,
  TextBlock,
  TurnStop,
} from '../agents/shared/session/message.ts';

/** Makes messages of what happens in a turn: one for what the agent says and calls, one for what its tools returned. */
export class TurnMessages {
  private readonly done: Message[] = [];
  private readonly clock: () => number;
  private begun = 0;
  private role: 'user' | 'assistant' = 'assistant';
  private blocks: ContentBlock[] = [];
  private usage: MessageUsage | undefined;

  /** @param clock the time, in seconds since 1970 */
  constructor(clock: () => number) {
    this.clock = clock;
  }

  take(event: TurnEvent): void {
    if (event.type === 'text') this.say(event.text);
    else if (event.type === 'usage') this.usage = event.usage;
    else if (event.type === 'tool_use') this.add('assistant', event);
    else if (event.type === 'tool_result') this.add('user', event);
    else if (event.type === 'steered') this.steer(event.text);
  }

  get isEmpty(): boolean {
    return this.done.length === 0 && this.blocks.length === 0;
  }

  /** All messages of the turn as it is; the last one tells what it cost and why it did not come to its end. More may follow. */
  end(stopped: TurnStop | undefined): readonly Message[] {
    const said = [...this.done, ...this.unclosed()];
    const last = said.at(-1);
    const isAnswer = last?.role === 'assistant';
    if (!isAnswer && !stopped && !this.usage) return said;
    const marks = {
      ...(this.usage ? { usage: this.usage } : {}),
      ...(stopped ? { stopped } : {}),
    };
    const answer: Message = isAnswer ? last : { role: 'assistant', content: '', timestamp: this.clock() };
    return [...(isAnswer ? said.slice(0, -1) : said), { ...answer, ...marks }];
  }

  /** What the user says into the turn stands where the agent heard it. */
  private steer(text: string): void {
    this.close();
    this.done.push({ role: 'user', content: text, timestamp: this.clock(), steered: true });
  }

  private say(text: string): void {
    const last = this.role === 'assistant' ? this.blocks.at(-1) : undefined;
    if (text === '') return;
    if (last?.type === 'text') this.blocks[this.blocks.length - 1] = { ...last, text: last.text + text };
    else this.add('assistant', { type: 'text', text } satisfies TextBlock);
  }

  private add(role: 'user' | 'assistant', block: ContentBlock): void {
    if (role !== this.role) this.close();
    if (this.blocks.length === 0) this.begun = this.clock();
    this.role = role;
    this.blocks.push(block);
  }

  private close(): void {
    this.done.push(...this.unclosed());
    this.blocks = [];
    this.role = 'assistant';
  }

  /** The message that is being said. */
  private unclosed(): readonly Message[] {
    const [first, ...more] = this.blocks;
    if (!first) return [];
    const isText = first.type === 'text' && more.length === 0;
    const content = isText ? (first as TextBlock).text : [...this.blocks];
    return [{ role: this.role, content, timestamp: this.begun }];
  }
}

/** What was said in messages of the assistant; what tools did is left out. */
export function wordsOf(messages: readonly Message[]): string {
  const answers = messages.filter(({ role }) => role === 'assistant');
  return answers
    .map(({ content }) => textOf(content))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The text of a message: its text blocks with a blank line between them. */
export const textOf = (content: Message['content']): string =>
  typeof content === 'string'
    ? content
    : content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n\n');

/** What people say begins a turn; results of tools, what they say into a turn, and summaries do not. */
export const isPrompt = ({ role, content, steered, compacted }: Message): boolean =>
  role === 'user' &&
  !steered &&
  !compacted &&
  (typeof content === 'string' || !content.some(({ type }) => type === 'tool_result'));
