import { describe, expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { linesOf, shares, stats } from '../support/command/stats.ts';
import { commitWithout } from '../support/command/why.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Lines of one owner in each file, as far as commits of the range brought them. */
function asBlamed(repo: TestRepo, range: string): Record<string, object> {
  const commits = new Set(repo.git('rev-list', '--no-merges', range).split('\n'));
  const files = repo.git('ls-files', '*.ts').split('\n');
  const own = files.flatMap((path) => {
    const lines = blame(repo, '--rev', 'HEAD', path).lines.filter(({ commit }) => commits.has(commit ?? ''));
    const count = (kind: string) => lines.filter((line) => line.class === kind).length;
    return lines.length === 0
      ? []
      : [[path, shares(count('agent'), count('human'), count('unknown'))] as const];
  });
  return Object.fromEntries(own);
}

/** What `stats` says survives is what `blame` says of the same lines. */
function expectAgreement(repo: TestRepo, range: string): ReturnType<typeof asBlamed> {
  const told = stats(repo, range);
  const surviving = told.by_file.flatMap(({ key, surviving: own }) => {
    const { agent, human, unknown } = own ?? shares(0, 0);
    return key.endsWith('.ts') && agent + human + unknown > 0 ? [[key, own] as const] : [];
  });
  const blamed = asBlamed(repo, range);
  expect(Object.fromEntries(surviving), range).toEqual(blamed);
  for (const kind of ['agent', 'human', 'unknown'] as const)
    expect(told.added[kind], kind).toBeGreaterThanOrEqual(told.surviving?.[kind] ?? 0);
  return blamed;
}

const LOOP = ['function agentsOwnWay(first, second) {', 'return computeAgentValue(first);', '}', ''];

describe('stats say of lines what blame says', () => {
  scenario('a person lays out anew what an agent wrote, and moves it with its braces', (repo) => {
    addWork(repo.ready(), { 'a.ts': [...LOOP, linesOf('Agent', 3)].join('\n') }).end();
    repo.commit('Add a', 'a.ts');
    repo.write('a.ts', repo.read('a.ts').replaceAll(/^(?=.)/gm, '\t'));
    repo.commit('Lay it out', 'a.ts');
    expect(expectAgreement(repo, 'HEAD~1..')).toEqual({ 'a.ts': shares(6, 0) });
    repo.write('b.ts', [linesOf('Mine', 2), ...repo.read('a.ts').split('\n').slice(0, 3), ''].join('\n'));
    repo.write('a.ts', repo.read('a.ts').split('\n').slice(3).join('\n'));
    repo.commit('Move it', '.');
    expect(expectAgreement(repo, 'HEAD~1..')).toMatchObject({ 'b.ts': shares(3, 3) });
    expectAgreement(repo, 'HEAD~3..');
    expectAgreement(repo, 'HEAD');
  });

  variation('what stood beside a brace is gone', (repo) => {
    addWork(repo.ready(), { 'a.ts': [linesOf('First', 1), ...LOOP, linesOf('Last', 1)].join('\n') }).end();
    repo.commit('Add a', 'a.ts');
    repo.write('a.ts', repo.read('a.ts').replace(/.*agentsOwnWay.*\n.*\n/, linesOf('Mine', 2)));
    repo.commit('Other lines above the brace', 'a.ts');
    expectAgreement(repo, 'HEAD~2..');
    expectAgreement(repo, 'HEAD~1..');
  });

  variation('a pick goes into a file that has another name there', (repo) => {
    addWork(repo.ready(), { 'a.ts': linesOf('Agent', 12) }).end();
    repo.commit('Add a', 'a.ts');
    repo.git('switch', '--quiet', '--create', 'topic');
    addWork(repo, { 'a.ts': linesOf('Agent', 12) + linesOf('Topic', 4) }).end();
    repo.commit('Add to a', 'a.ts');
    repo.git('switch', '--quiet', 'main');
    repo.git('mv', 'a.ts', 'b.ts');
    repo.commit('Rename', '.');
    repo.git('cherry-pick', '--no-commit', 'topic');
    commitWithout(repo, 'Picked', '.');
    expectAgreement(repo, 'HEAD~1..');
    expectAgreement(repo, 'HEAD');
  });

  variation('a new file begins as a copy of another one', (repo) => {
    addWork(repo.ready(), { 'a.ts': linesOf('Agent', 12) }).end();
    repo.commit('Add a', 'a.ts');
    repo.write('b.ts', repo.read('a.ts') + linesOf('Mine', 2));
    repo.commit('Copy a', 'b.ts');
    // The range ends before the commit that the copied lines are from.
    expect(expectAgreement(repo, 'HEAD~1..')).toEqual({ 'b.ts': shares(12, 2) });
    expectAgreement(repo, 'HEAD');
  });
});
