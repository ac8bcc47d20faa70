import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

  variation('and when they are indented, moved or renamed later', (repo) => {
    repo.ready();
    copyIntoNew(repo, 4);
    repo.write('new.ts', `${AGENTS.replace(/^(?=.)/gm, '\t')}${persons(4)}`).commit('Indented', 'new.ts');
    expect(countsOf(repo)).toEqual({ agent: 4, human: 4, unknown: 0 });
    repo.write('new.ts', `${persons(4)}${AGENTS}`).commit('Moved', 'new.ts');
    expect(countsOf(repo)).toEqual({ agent: 4, human: 4, unknown: 0 });
    repo.git('mv', 'new.ts', 'other.ts');
    repo.commit('Renamed');
    repo
      .write('other.ts', `${persons(4)}${AGENTS.replace(/^(?=.)/gm, '  ')}`)
      .commit('Indented again', 'other.ts');
    expect(blame(repo, 'other.ts').counts).toEqual({ agent: 4, human: 4, unknown: 0 });
  });

  variation(
    'are found beside those of many small files that it was made of, and git is started for a few',
    (repo) => {
      repo.ready();
      const parts = Array.from(
        { length: 12 },
        (_, at) => [`part${at}.ts`, `export const part${at} = byThePerson(${at}, ${at});\n`] as const,
      );
      for (const [path, text] of parts) repo.write(path, text).commit(`Part ${path}`, path);
      const session = repo.session();
      session.prompt('begin');
      session.edit('agent.ts', AGENTS);
      session.stop();
      repo.commit('Theirs', 'agent.ts');
      for (const [path] of parts) repo.git('rm', '--quiet', path);
      repo.write('new.ts', `${AGENTS}${parts.map(([, text]) => text).join('')}`).git('add', 'new.ts');
      repo.commit('Joined');
      expect(countsOf(repo)).toEqual({ agent: 4, human: 12, unknown: 0 });
      const searches = countSearches(repo, 'blame', 'new.ts');
      expect(searches).toBeGreaterThan(0);
      expect(searches).toBeLessThanOrEqual(8);
    },
  );

  variation(
    'are looked for by stats where its range has them, and not where it only has lines beside them',
    (repo) => {
      repo.ready();
      copyIntoNew(repo, 4);
      const session = repo.session();
      session.prompt('go on');
      session.edit('new.ts', `${AGENTS}${persons(4)}export const added = byTheAgent(400);\n`);
      session.stop();
      repo.commit('Added', 'new.ts');
      expect(countSearches(repo, 'stats', 'HEAD~1..HEAD')).toBe(0);
      expect(countSearches(repo, 'stats', 'HEAD~2..HEAD')).toBeGreaterThan(0);
    },
  );

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

/** How often git was started to look for lines in all files. */
function countSearches(repo: TestRepo, ...args: string[]): number {
  const trace = join(repo.scratch, `trace-${args.join('-')}`);
  repo.variables = { GIT_TRACE: trace };
  repo.entire(...args);
  return (readFileSync(trace, 'utf8').match(/built-in: git.* blame .*-C16 -C /g) ?? []).length;
}
