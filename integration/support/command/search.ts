import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AgentName } from '../../../src/agents/names.ts';
import { agentOf } from '../../../src/agents/registry.ts';
import type { SessionId } from '../../../src/base/ids.ts';
import type { TestRepo } from '../repository/test-repo.ts';

/** What `entire search --json` finds; nothing is no failure here. */
// biome-ignore lint/suspicious/noExplicitAny: JSON as a program sees it
export const findAll = (repo: TestRepo, ...args: string[]): any[] => {
  const { stdout, stderr } = repo.tryEntire('search', '--json', ...args);
  try {
    return JSON.parse(stdout).hits;
  } catch {
    throw new Error(`entire search ${args.join(' ')}: ${stderr}`);
  }
};

/** The lines that begin turns. */
export const heads = (shown: string): string[] => shown.split('\n').filter((line) => /^\S/.test(line));

/** The index of a repository, and the files beside it, as bytes. */
export function indexBytes(repo: TestRepo): string {
  const places = [join(repo.commonDir, 'entire'), join(repo.home, '.entire')];
  return places
    .flatMap((dir) => namesIn(dir).map((name) => join(dir, name)))
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

/** The files that indexes have, by their paths. */
export const namesIn = (dir: string): string[] => {
  try {
    return readdirSync(dir).filter((name) => name.startsWith('search.db'));
  } catch {
    return [];
  }
};

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');

/** The captured sessions of agents, and their ids; where the prompt of each has a word that it alone has. */
export const CAPTURED: readonly (readonly [AgentName, string])[] = [
  ['claude-code', 'f947edb3-1e50-4344-8bf1-34bcf22d5471'],
  ['codex', '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1'],
  ['copilot-cli', 'c14ef695-955a-4e31-92a0-a1b7a1d1c46a'],
  ['pi', '01a20476-43e3-7733-907e-e5a341f66cba'],
  ['qwen-code', 'abcb8c0a-34a5-47c2-9293-d240a2b1e622'],
];

/** Puts a captured session where its client has it, as begun in a folder. */
export function putCaptured(
  repo: TestRepo,
  [agent, id]: (typeof CAPTURED)[number],
  folder = repo.dir,
): string {
  const text = readFileSync(join(FIXTURES, agent, 'transcripts/basic.jsonl'), 'utf8');
  const file = agentOf(agent).home.transcript({ HOME: repo.home }, folder, id as SessionId, new Date());
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.replaceAll('"/repo"', JSON.stringify(folder)));
  return file;
}

const lines = new Map<string, number>();

/** Lines of Claude Code, each a prompt, behind those that were made of the same session before. */
export const promptLines = (id: string, folder: string, ...prompts: string[]): string =>
  prompts
    .map((content) => {
      const at = lines.get(`${folder} ${id}`) ?? 0;
      lines.set(`${folder} ${id}`, at + 1);
      const line = {
        ...{ type: 'user', uuid: `${id}-${at}`, parentUuid: at === 0 ? null : `${id}-${at - 1}` },
        ...{ sessionId: id, cwd: folder, message: { role: 'user', content } },
        timestamp: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
      };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');

/** A session of Claude Code in its own store, which no hook has seen. */
export function putSession(repo: TestRepo, id: string, text: string, folder = repo.dir): string {
  const file = agentOf('claude-code').home.transcript({ HOME: repo.home }, folder, id as SessionId);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
