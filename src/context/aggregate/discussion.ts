import { asText, describeJson, isObject } from '../../base/text/json.ts';

/** One turn of a conversation: a text, or who said what. */
export type DiscussionEntry = string | { readonly role?: unknown; readonly content?: unknown };

/** Between sections, and between the turns of a conversation. */
export const SEPARATOR = '\n\n---\n\n';

/** The turns of a conversation, numbered from 1; the empty text where there are none. Without the heading of the section. */
export const buildDiscussionSection = (history: readonly DiscussionEntry[]): string =>
  history.map((entry, at) => `### Discussion Excerpt ${at + 1}\n\n${textOf(entry)}`).join(SEPARATOR);

/** The whole section with its heading, to be put after a static prefix and a separator; the empty text without turns. */
export const buildDiscussionText = (history: readonly DiscussionEntry[]): string =>
  history.length === 0 ? '' : `## Discussion History\n\n${buildDiscussionSection(history)}`;

function textOf(entry: unknown): string {
  if (!isObject(entry)) return describeJson(entry).trim();
  return `${asText(entry.role) || 'Unknown'}: ${describeJson(entry.content ?? '').trim()}`;
}
