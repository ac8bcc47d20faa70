import type { Language } from './language.ts';

/** Nobody writes this. The time of the parser, and in some languages its memory, grow with the square of it. */
export const MAX_NESTING = 1_000;

/** Where `<` may begin arguments as well as compare, the parser follows both ways. */
const HAS_TYPE_ARGUMENTS = new Set<Language>(['cpp', 'typescript', 'tsx', 'rust', 'java']);

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/**
 * Tells whether brackets are open in one another more than `limit` deep. Knows nothing of strings and comments: what is
 * left open in one of them ends with the brackets around it.
 */
export function isNestedDeeper(text: string, language: Language, limit = MAX_NESTING): boolean {
  const open: string[] = [];
  const counts: Record<string, number> = { '(': 0, '[': 0, '{': 0, '<': 0 };
  const drop = (): string | undefined => {
    const last = open.pop();
    if (last !== undefined) counts[last] = (counts[last] ?? 0) - 1;
    return last;
  };
  const brackets = HAS_TYPE_ARGUMENTS.has(language) ? /[()[\]{}<>;]/g : /[()[\]{}]/g;
  for (let match = brackets.exec(text); match; match = brackets.exec(text)) {
    const [bracket] = match;
    if (';{}'.includes(bracket)) while (open.at(-1) === '<') drop(); // it did compare
    const opening = OPENING[bracket];
    if (opening === '<') {
      if (open.at(-1) === '<') drop();
    } else if (opening !== undefined) {
      if (counts[opening]) while (drop() !== opening);
    } else if (bracket !== ';') {
      counts[bracket] = (counts[bracket] ?? 0) + 1;
      if (open.push(bracket) > limit) return true;
    }
  }
  return false;
}
