import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '../../../src/agents/names.ts';
import type { HeadlessRequest, HeadlessSign } from '../../../src/agents/shared/headless/headless.ts';
import { root } from '../process/builds.ts';
import { HEADLESS } from './loaded.ts';

const REQUEST: HeadlessRequest = {
  prompt: '--MONDAY starts',
  resume: undefined,
  system: undefined,
  words: [],
  cwd: '/repo',
  file: '/tmp/of-this-turn',
};

const folderOf = (agent: AgentName): string => join(root, 'integration/fixtures', agent, 'headless');

/** The captured turns of an agent: what its real client printed, without a terminal and with a scripted model. */
export const headlessTurns = (agent: AgentName): string[] =>
  readdirSync(folderOf(agent))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));

/** What was captured of a turn on stdout, line by line. */
export function headlessLines(agent: AgentName, name: string): string[] {
  const file = join(folderOf(agent), `${name}.jsonl`);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/**
 * What the reader of an agent makes of a captured turn, texts that follow one another joined. What it says on the way is left out.
 *
 * @param code how the process ended
 */
export function readTurn(
  agent: AgentName,
  name: string,
  code: number | undefined = 0,
  request: Partial<HeadlessRequest> = {},
): HeadlessSign[] {
  const reader = HEADLESS[agent]?.reader({ ...REQUEST, ...request });
  const lines = headlessLines(agent, name);
  const signs = lines.flatMap((line) => reader?.read(line) ?? []);
  const errors = join(folderOf(agent), `${name}.stderr.txt`);
  const stderr = existsSync(errors) ? readFileSync(errors, 'utf8') : '';
  if (!signs.some(({ type }) => type === 'end')) signs.push(...(reader?.end?.(code, stderr) ?? []));
  return joinTexts(signs.filter(({ type }) => type !== 'say'));
}

function joinTexts(signs: readonly HeadlessSign[]): HeadlessSign[] {
  const joined: HeadlessSign[] = [];
  for (const sign of signs) {
    const last = joined.at(-1);
    if (sign.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: last.text + sign.text };
    else joined.push(sign);
  }
  return joined;
}
