import { AGENTS, parseAgentName } from '../agents/names.ts';
import { transcriptFormatOf } from '../agents/registry.ts';
import { closeCut } from './cli/close-cut.ts';

/**
 * What a session is about, in one line: the first prompt in the beginning of its transcript. Costs as much as the beginning is
 * long: 4 KiB tell it for most agents.
 *
 * @param head the beginning, cut anywhere
 * @returns `undefined` where no prompt is in it
 */
export function readTitle(agent: string, head: string): string | undefined {
  const name = parseAgentName(agent);
  const format = transcriptFormatOf(name === undefined ? agent : AGENTS[name].type);
  for (const part of partsOf(head)) {
    const [first] = format.readPrompts(part);
    const title = first?.replace(/\s+/g, ' ').trim();
    if (title) return title;
  }
  return undefined;
}

/** What can be read by itself: lines, the last of which may be cut, or a document that is written over several lines. */
function partsOf(head: string): string[] {
  if (/^\s*\{\s*\n/.test(head)) return [closeCut(head)];
  const lines = head.split('\n');
  return [...lines.slice(0, -1), closeCut(lines.at(-1) ?? '')];
}
