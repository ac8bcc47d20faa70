import { asText } from '../../base/text/json.ts';
import { stripTags } from '../transcript/prompt-tags.ts';
import type { Message } from './messages.ts';

/** A message in which the model sums up what went before, for itself, is no answer. */
export const isAnswer = ({ info }: Message): boolean => info.role === 'assistant' && info.summary !== true;

/** Texts of a message without those that the client put into it. */
export const textsOf = ({ parts }: Pick<Message, 'parts'>): string[] =>
  parts
    .filter((part) => part.type === 'text' && part.synthetic !== true && part.ignored !== true)
    .map((part) => asText(part.text))
    .filter((said) => said !== '');

/** What a person typed; empty for an answer, and where nobody typed anything. */
export const promptOf = (message: Message): string =>
  message.info.role === 'user' ? stripTags(textsOf(message).join('\n\n')) : '';
