import { describe, expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const AGENTS = Array.from({ length: 4 }, (_, at) => `export const written${at} = byTheAgent(${at});\n`).join(
  '',
);
const persons = (count: number): string =>
  Array.from({ length: count }, (_, at) => `export const typed${at} = byThePerson(${at});\n`).join('');

/** A session’s file, and one that a person makes of it and of lines of their own, while that stays as it is. */
function copyIntoNew(repo: TestRepo, count: number): void {
  const session = repo.session();
  session.prompt('begin');
  session.edit('agent.ts', AGENTS);
  session.stop();
  repo.commit('Theirs', 'agent.ts');
  repo.write('new.ts', `${AGENTS}${persons(count)}`);
  repo.commit('Copied', 'new.ts');
}

const countsOf = (repo: TestRepo): unknown => blame(repo, 'new.ts').counts;

describe('lines that a person copied into a new file from one that stays as it is', () => {
  variation('are whose they were, also when that file goes on', (repo) => {
    repo.ready();
    copyIntoNew(repo, 4);
    expect(countsOf(repo)).toEqual({ agent: 4, human: 4, unknown: 0 });
    repo.write('new.ts', `// mine\n${AGENTS}// more of mine\n${persons(4)}`);
    repo.commit('More', 'new.ts');
    expect(countsOf(repo)).toEqual({ agent: 4, human: 6, unknown: 0 });
  });

  scenario(
    'are looked for in all files only where those are few, or the lines: git compares each with each',
    (repo) => {
      repo.ready();
      for (let at = 0; at < 400; at++) repo.write(`many/file-${at}.txt`, `${at}\n`);
      repo.git('add', 'many');
      repo.git('commit', '--quiet', '--message=Many');
      copyIntoNew(repo, 400);
      expect(countsOf(repo)).toEqual({ agent: 4, human: 400, unknown: 0 });
      copyMore(repo);
      expect(blame(repo, 'long.ts').counts).toEqual({ agent: 0, human: 604, unknown: 0 });
    },
  );
});

/** A file that is too long to be looked for everywhere. */
function copyMore(repo: TestRepo): void {
  repo.write('long.ts', `${AGENTS}${persons(600).replaceAll('typed', 'written')}`);
  repo.commit('Long', 'long.ts');
}
