import { type ContextMessage, type SummaryNode, textsIn } from './message.ts';

/** Of any length: a word of code that looks like one (`file_add`) costs a few tokens, an id that is lost its file. */
const FILE_ID = /\bfile_[0-9a-f]+\b/g;

/** A block as it may stand in a text already, whatever it holds: one line, no brackets within. */
const BLOCK = /\[LCM File IDs:[^[\]\r\n]*\]/g;

/** Ids that are handed over may be of other kinds than those we find, but none that breaks the block. */
const SAFE_ID = /^file_[\w-]+$/;

/** Every id in a text, in the order of first use, each once. */
export function extractFileIds(text: string): string[] {
  return [...new Set(text.match(FILE_ID))];
}

/**
 * Every id in messages: in their text, and in calls of tools and their results. Texts are looked at one by one, so that
 * the end of one and the beginning of the next make no id that nobody wrote.
 */
export function extractFileIdsFromMessages(messages: readonly ContextMessage[]): string[] {
  return [
    ...new Set(messages.flatMap(({ content }) => textsIn(content)).flatMap((text) => extractFileIds(text))),
  ];
}

/** Every id in summaries, in their blocks or elsewhere. */
export function collectFileIdsFromNodes(nodes: readonly SummaryNode[]): string[] {
  return [...new Set(nodes.flatMap(({ content }) => extractFileIds(content)))];
}

/**
 * Appends `[LCM File IDs: …]` as the last line of a text; without ids the text stays as it is, byte for byte.
 *
 * The result has one block, at its end. Those that stood in the text are taken out, and their ids follow the given ones
 * in the new block, so that an id survives any number of rounds. A second time changes nothing.
 */
export function appendFileIdsFooter(text: string, fileIds: readonly string[]): string {
  const given = fileIds.filter((id) => SAFE_ID.test(id));
  if (given.length === 0) return text;
  const kept = (text.match(BLOCK) ?? []).flatMap((block) => extractFileIds(block));
  const footer = `[LCM File IDs: ${[...new Set([...given, ...kept])].join(', ')}]`;
  const body = withoutBlocks(text);
  return body === '' ? footer : `${body}\n\n${footer}`;
}

/** What stands around blocks; a blank line in the place of each, or two ends put together could be a block again. */
function withoutBlocks(text: string): string {
  const pieces = text.split(BLOCK);
  return pieces
    .map((piece, at) => (at === 0 ? piece : piece.replace(/^(?:\s*\n|\s+)/, '')).trimEnd()) // keeps an indentation
    .filter((piece) => piece !== '')
    .join('\n\n');
}
