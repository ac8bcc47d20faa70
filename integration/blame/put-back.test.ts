import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { stats } from '../support/command/stats.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const FIRST = 'const first = computeFrom(1);\n';
const WORK = 'const second = computeFrom(2);\n  return null;\nconst third = computeFrom(3);\n';

/** More commits of sessions than are near to one. */
function addOthers(repo: TestRepo, session: AgentSession): void {
  for (let at = 0; at < 6; at++) {
    addWork(repo, { [`other${at}.ts`]: `const other${at} = computeFrom(${at}0);\n` }, session);
    repo.commit(`Other ${at}`, `other${at}.ts`);
  }
}

/** A person's file, in which a session's work was taken out by a person, long ago. */
function withWorkGone(repo: TestRepo, work = WORK): AgentSession {
  repo.ready().write('a.ts', FIRST).commit('Begin', 'a.ts');
  const session = addWork(repo, { 'a.ts': `${FIRST}${work}` });
  repo.commit('Work', 'a.ts');
  repo.git('tag', 'work');
  repo.write('a.ts', FIRST).commit('Gone', 'a.ts');
  addOthers(repo, session);
  return session;
}

const classes = (repo: TestRepo, path = 'a.ts'): string[] => {
  const { lines } = JSON.parse(repo.entire('blame', '--json', path).stdout);
  return lines.map((line: { class: string }) => line.class);
};

describe('what a person put back of a session, long after', () => {
  variation('is the session’s: an old version, whole or in part, committed or not', (repo) => {
    withWorkGone(repo);
    repo.git('checkout', '--quiet', 'work', '--', 'a.ts');
    expect(classes(repo)).toEqual(['human', 'agent', 'agent', 'agent']);
    repo.git('commit', '--quiet', '-m', 'As it was');
    expect(classes(repo)).toEqual(['human', 'agent', 'agent', 'agent']);
    expect(stats(repo, 'HEAD~1..').surviving).toEqual({ agent: 3, human: 0, unknown: 0 });
    repo.write('a.ts', FIRST).commit('Gone again', 'a.ts');
    repo.write('a.ts', `${FIRST}const third = computeFrom(3);\n`).commit('In part', 'a.ts');
    expect(classes(repo)).toEqual(['human', 'agent']);
  });

  variation('also where another session had given the file its name before', (repo) => {
    repo.ready();
    const first = addWork(repo, { 'lib/a.ts': WORK });
    repo.commit('Work', 'lib/a.ts');
    const second = repo.session();
    second.prompt('move it');
    second.shell(() => renameSync(join(repo.dir, 'lib/a.ts'), join(repo.dir, 'a.ts')));
    second.stop();
    repo.commit('Moved', 'lib/a.ts', 'a.ts');
    repo.git('tag', 'moved');
    addWork(repo, { 'a.ts': 'const other = computeFrom(9);\n' }, second);
    repo.commit('Anew', 'a.ts');
    addOthers(repo, second);
    repo.git('checkout', '--quiet', 'moved', '--', 'a.ts');
    repo.git('commit', '--quiet', '-m', 'As it was');
    const { lines } = JSON.parse(repo.entire('blame', '--json', 'a.ts').stdout);
    expect(lines.map((line: { session_id: string }) => line.session_id)).toEqual([
      first.id,
      first.id,
      first.id,
    ]);
  });
});

describe('what a person put back', () => {
  variation('is theirs where it is an import, or was theirs before', (repo) => {
    const line = "import { computeFrom } from './computing.ts';\n";
    withWorkGone(repo, line);
    repo.write('a.ts', `${line}${FIRST}`).commit('Needed', 'a.ts');
    expect(classes(repo)).toEqual(['human', 'human']);
    repo.write('a.ts', line).commit('Without the first', 'a.ts');
    repo.write('a.ts', `${line}${FIRST}`).commit('With it', 'a.ts');
    expect(classes(repo)).toEqual(['human', 'human']);
  });
});
