import { renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A session with a turn that stays and one that is given up, and what its log was before that. */
function twoTurns(repo: TestRepo) {
  const session = turns(repo, { 'a.txt': 'one\n' });
  const first = session.read();
  session.prompt('abandoned words');
  session.edit('a.txt', 'abandoned work\n');
  session.stop('abandoned answer');
  return { session, first, whole: session.read(), step: stepOf(temporary(repo), 'Turn 1').id };
}

/** The log's folder lies elsewhere by a link: nothing is written there. */
function linkAway(repo: TestRepo, { transcript }: AgentSession): void {
  const [folder, elsewhere] = [dirname(transcript), join(repo.scratch, 'elsewhere')];
  renameSync(folder, elsewhere);
  symlinkSync(elsewhere, folder);
}

const LEFT_OUT = 'Checkpoints leave out what was said since that point.\n';

/** The checkpoint of a commit, as far as a person reads it. */
function storedOf(repo: TestRepo): { transcript: string; prompts: string } {
  const id = repo.commit('Next', 'a.txt') as string;
  return { transcript: repo.stored(id, '0/full.jsonl'), prompts: repo.stored(id, '0/prompt.txt') };
}

describe('a log that cannot be cut: what is committed next has what the rewind decided', () => {
  scenario('it lies where nothing may be written; what is said from then on is recorded', (repo) => {
    repo.ready();
    const { session, first, whole, step } = twoTurns(repo);
    linkAway(repo, session);
    const { stderr } = goBack(repo, step);
    expect(stderr).toContain(
      `failed to restore session transcript: ${session.transcript} lies outside of its agent's folder, by a link. ${LEFT_OUT}`,
    );
    expect(session.read()).toBe(whole);
    addWork(repo, { 'a.txt': 'two\n' }, session);
    const { transcript, prompts } = storedOf(repo);
    expect(transcript).not.toMatch(/abandoned|private/);
    expect(transcript.split('\n').filter((line) => line.trim() !== '')).toEqual(
      (first + session.read().slice(whole.length)).trimEnd().split('\n'),
    );
    expect(prompts).toBe('turn 1\n\n---\n\nwrite a.txt');
  });

  variation('nothing is said any more', (repo) => {
    repo.ready();
    const { session, first, step } = twoTurns(repo);
    linkAway(repo, session);
    goBack(repo, step);
    expect(storedOf(repo)).toEqual({ transcript: first.trimEnd(), prompts: 'turn 1' });
  });

  variation('its folder cannot be written to', (repo, skip) => {
    repo.ready();
    const { session, first, whole, step } = twoTurns(repo);
    const folder = dirname(session.transcript);
    const { code, stderr } = repo.run('mount', ['--bind', folder, folder]);
    if (code !== 0) skip(`a folder cannot be mounted read-only here: ${stderr.trim()}`);
    repo.onRemove(() => repo.run('umount', ['-l', folder], { cwd: '/' }));
    repo.run('mount', ['-o', 'remount,bind,ro', folder]);
    expect(goBack(repo, step).stderr).toMatch(new RegExp(`restore session transcript: .*\\. ${LEFT_OUT}`));
    repo.run('umount', [folder], { cwd: '/' });
    expect(session.read()).toBe(whole);
    expect(storedOf(repo)).toEqual({ transcript: first.trimEnd(), prompts: 'turn 1' });
  });

  variation('taken back, it is whole again', (repo) => {
    repo.ready();
    const { session, whole, step } = twoTurns(repo);
    linkAway(repo, session);
    goBack(repo, step);
    repo.entire('undo');
    const id = repo.commit('All', 'a.txt') as string;
    expect(repo.stored(id, '0/full.jsonl')).toBe(whole.trimEnd());
  });

  variation('twice: taking back the second leaves what the first gave up out', (repo) => {
    repo.ready();
    const { session, step } = twoTurns(repo);
    linkAway(repo, session);
    goBack(repo, step);
    addWork(repo, { 'a.txt': 'two\n' }, session);
    goBack(repo, step);
    repo.entire('undo');
    expect(storedOf(repo).prompts).toBe('turn 1\n\n---\n\nwrite a.txt');
  });

  variation('done again by redo', (repo) => {
    repo.ready();
    const { session, first, step } = twoTurns(repo);
    linkAway(repo, session);
    goBack(repo, step);
    repo.entire('undo');
    repo.entire('redo');
    expect(storedOf(repo)).toEqual({ transcript: first.trimEnd(), prompts: 'turn 1' });
  });
});
