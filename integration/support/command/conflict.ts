import type { AgentSession } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { addWork } from './work.ts';

export const limit = (value: number): string => `export const limit = readLimit(process.env, ${value});\n`;

/** A session's line on the branch `topic`, and a person's in its place on `main`, where HEAD is. */
export function diverge(repo: TestRepo): AgentSession {
  repo.ready().write('a.ts', limit(10)).commit('Base', 'a.ts');
  repo.git('switch', '--quiet', '--create', 'topic');
  const author = addWork(repo, { 'a.ts': limit(100) });
  repo.commit('Theirs', 'a.ts');
  repo.git('switch', '--quiet', 'main');
  repo.write('a.ts', limit(20)).commit('Mine', 'a.ts');
  return author;
}
