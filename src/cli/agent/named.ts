import { AGENT_NAMES, AGENTS, type AgentName, parseAgentName, shortType } from '../../agents/names.ts';
import { findMeant } from '../did-you-mean.ts';

/** Less of a name may be the beginning of a word for something else. */
const MIN_LETTERS = 3;

/** What people call an agent: by our name of it, by what its client is started by, and as it calls itself. */
const wordsFor = (name: AgentName): string[] => {
  const { program, type } = AGENTS[name];
  return [name, program, type, shortType(type)].map(plainly);
};

/** Upper case aside; `Claude Code` is `claude-code`. */
const plainly = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');

/** The agent that a word names: `claude-code`, `claude` or `Claude Code`; or how one of these begins, of one agent alone. */
export function findAgentNamed(word: string): AgentName | undefined {
  const exact = parseAgentName(word);
  if (exact) return exact;
  const asked = plainly(word);
  const called = AGENT_NAMES.filter((name) => wordsFor(name).includes(asked));
  if (called.length === 1) return called[0];
  if (asked.length < MIN_LETTERS) return undefined;
  const begun = AGENT_NAMES.filter((name) => wordsFor(name).some((one) => one.startsWith(asked)));
  return begun.length === 1 ? begun[0] : undefined;
}

/** The agent that was most likely meant by a word that names none. */
export function meantAgent(word: string): AgentName | undefined {
  const meant = findMeant(plainly(word), AGENT_NAMES.flatMap(wordsFor));
  return meant === undefined ? undefined : AGENT_NAMES.find((name) => wordsFor(name).includes(meant));
}
