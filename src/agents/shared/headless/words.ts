import { asList, asObject, asObjects, asText, type JsonObject, parseJson } from '../../../base/text/json.ts';
import type { MessageUsage } from '../session/message.ts';
import { resultText, tokens } from '../transcript/message-blocks.ts';
import type { HeadlessFailure, HeadlessRequest, HeadlessStart, TurnEvent } from './headless.ts';

/** A message to a process that reads JSON line by line. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** What is said to an agent that has no place for a system prompt: that comes first when a session begins. */
export const promptWithSystem = ({ prompt, resume, system }: HeadlessRequest): string =>
  system === undefined || resume !== undefined
    ? prompt
    : `<instructions>\n${system}\n</instructions>\n\n${prompt}`;

/** Longer ones do not fit into a command everywhere: 32,767 characters are all that Windows has for one. */
const MAX_ARGUMENT = 16_000;

/** Whether a text can be one argument of a command. */
const fitsArgument = (text: string): boolean => text.length <= MAX_ARGUMENT && !text.includes('\0');

/** Where a system prompt goes. */
interface SystemPlace extends Pick<HeadlessStart, 'args' | 'file'> {
  /** What is said first: the prompt, below the system prompt where that has no other place. */
  readonly prompt: string;
}

/**
 * Where a system prompt goes with an agent that has an option for it: there; where it does not fit, into a file if it has an option
 * for that, else before the prompt.
 *
 * @param option the arguments, given the text
 * @param fileOption the arguments, given the path of a file that holds the text
 */
export function placeSystem(
  request: HeadlessRequest,
  option: (system: string) => readonly string[],
  fileOption?: (file: string) => readonly string[],
): SystemPlace {
  const { system, prompt, file } = request;
  if (system === undefined) return { args: [], prompt };
  if (fitsArgument(system)) return { args: option(system), prompt };
  if (fileOption) return { args: fileOption(file), file: system, prompt };
  return { args: [], prompt: promptWithSystem(request) };
}

/** Texts that an agent prints whole: the second of two that follow one another begins a paragraph of its own. */
export class Paragraphs {
  private isOpen = false;

  next(text: string): string {
    const paragraph = this.isOpen && text !== '' ? `\n\n${text}` : text;
    this.isOpen ||= text !== '';
    return paragraph;
  }

  /** Something else happened. */
  close(): void {
    this.isOpen = false;
  }
}

/** Counts as an agent tells them; what is none counts as 0. */
export interface ToldCounts {
  /** Without what was read from the cache, or written to it. */
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheCreation?: unknown;
  readonly cacheRead?: unknown;
  /** In US dollars; 0 is what agents say that do not know. */
  readonly cost?: unknown;
}

export const usageOf = ({ input, output, cacheCreation, cacheRead, cost }: ToldCounts): MessageUsage => ({
  input_tokens: tokens(input),
  output_tokens: tokens(output),
  cache_creation_tokens: tokens(cacheCreation),
  cache_read_tokens: tokens(cacheRead),
  ...(typeof cost === 'number' && cost > 0 ? { cost_usd: cost } : {}),
});

export const addUsage = (one: MessageUsage, other: MessageUsage): MessageUsage =>
  usageOf({
    input: one.input_tokens + other.input_tokens,
    output: one.output_tokens + other.output_tokens,
    cacheCreation: one.cache_creation_tokens + other.cache_creation_tokens,
    cacheRead: one.cache_read_tokens + other.cache_read_tokens,
    cost: (one.cost_usd ?? 0) + (other.cost_usd ?? 0),
  });

/** An agent's words for a failure of its model: often the answer of the server as JSON, of which the message is enough. */
export function plainFailure(text: string): string {
  const json = text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1);
  const { error, message } = asObject(parseJson(json));
  return asText(asObject(error).message) || asText(message) || asText(error) || text.trim();
}

/** A failure in the agent's words. @param login what they say when somebody has to log in first */
export const failureOf = (message: string, login: RegExp): HeadlessFailure => ({
  message,
  ...(login.test(message) ? { needsLogin: true } : {}),
});

/** What tools returned, of a message that has it among its blocks as Anthropic's API has. */
export const readResults = ({ content }: JsonObject): readonly TurnEvent[] =>
  asObjects(asList(content)).flatMap((block): readonly TurnEvent[] =>
    block.type === 'tool_result'
      ? [
          {
            type: 'tool_result',
            tool_use_id: asText(block.tool_use_id),
            content: resultText(block),
            ...(block.is_error === true ? { is_error: true } : {}),
          },
        ]
      : [],
  );

/** The end of what a process printed, without colours: clients warn first, and say last why they end. */
export function lastWords(text: string, lines = 3): string {
  const plain = text.replace(/\x1b\[[0-9;]*m/g, '');
  const said = plain.split('\n').filter((line) => line.trim() !== '');
  return said.slice(-lines).join('\n').trim();
}
