import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { stateFile, turn } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';

describe('a state that was set aside speaks for the steps of its session', () => {
  variation('doctor --fix takes the state away, and a commit of another session leaves the steps', (repo) => {
    repo.ready();
    const [one, two] = [turn(repo, 'a.txt'), turn(repo, 'b.txt')];
    const [branch = ''] = repo.shadowBranches();
    const tip = repo.git('rev-parse', branch);
    const state = readFileSync(stateFile(repo, one.id), 'utf8');
    writeFileSync(stateFile(repo, one.id), state.slice(0, 100)); // as a power cut leaves it
    repo.tryEntire('doctor', '--fix');
    expect(repo.stateFiles()).toEqual([`${two.id}.json`]);

    const id = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(two.id);
    expect(repo.shadowBranches()).toContain(branch);
    expect(repo.git('rev-parse', branch)).toBe(tip);
    expect(repo.git('show', `${branch}:a.txt`)).toBe('a.txt');
    expect(repo.entire('clean', '--force').stdout).not.toContain(branch);
  });

  variation('a reset of what is on top of HEAD leaves them as well; steps of others go as ever', (repo) => {
    repo.ready();
    const [one, two] = [turn(repo, 'a.txt'), turn(repo, 'b.txt')];
    const [branch = ''] = repo.shadowBranches();
    writeFileSync(stateFile(repo, one.id), '');
    repo.tryEntire('doctor', '--fix');
    const { stderr } = repo.entire('reset', '--force');
    expect(stderr).toContain(`Cleared session state for ${two.id}\n`);
    expect(stderr).toContain(`Kept step branch ${branch}: `);
    expect(repo.shadowBranches()).toEqual([branch]);

    const three = repo.session();
    writeFileSync(stateFile(repo, 'nobody'), '');
    repo.tryEntire('doctor', '--fix');
    repo.git('branch', '-D', branch);
    turn(repo, 'c.txt', three);
    expect(repo.shadowBranches()).toHaveLength(1);
    repo.commit('Add c', 'c.txt');
    expect(repo.shadowBranches()).toEqual([]); // it has no steps of those whose states were set aside
  });
});
