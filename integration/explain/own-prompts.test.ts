import { expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A turn that writes a file, and its commit. */
function turn(repo: TestRepo, session: AgentSession, prompt: string, path: string, message: string): string {
  session.prompt(prompt);
  session.edit(path, `${prompt}\n`);
  session.stop();
  return repo.commit(message, path) as string;
}

interface Told {
  readonly prompt: string | null;
  readonly forgotten_at: string | null;
  readonly checkpoint_id: string | null;
  readonly session_ids: readonly string[];
  readonly commits: ReadonlyArray<{ readonly commit: string; readonly subject: string }>;
}

const list = (repo: TestRepo) =>
  JSON.parse(repo.entire('explain', '--json').stdout) as {
    checkpoints: Told[];
    missing_checkpoints: string[];
    forgotten_checkpoints: string[];
  };

/** Prompts of the list by the subject of their commit, each held against what the point itself tells. */
function prompts(repo: TestRepo): Record<string, string | null> {
  return Object.fromEntries(
    list(repo).checkpoints.map(({ prompt, checkpoint_id: id, commits: [newest] }) => {
      const detail = JSON.parse(repo.entire('explain', id ?? newest?.commit ?? '', '--json').stdout);
      const [own] = id ? detail.sessions.at(-1).prompts : detail.prompts;
      expect(own ?? null, newest?.subject).toBe(prompt);
      return [newest?.subject, prompt];
    }),
  );
}

function autosquash(repo: TestRepo, base: string): void {
  repo.variables = { ...repo.variables, GIT_SEQUENCE_EDITOR: 'true' };
  repo.git('rebase', '--quiet', '-i', '--autosquash', base);
}

variation('the prompt of a checkpoint that an autosquash dropped is shown with no other one', (repo) => {
  repo.ready();
  const session = repo.session();
  turn(repo, session, 'first', 'a.txt', 'Add a');
  turn(repo, session, 'second', 'b.txt', 'fixup! Add a');
  turn(repo, session, 'third', 'c.txt', 'Add c');
  session.prompt('just tell me');
  session.stop();
  turn(repo, session, 'fourth', 'd.txt', 'Add d');
  autosquash(repo, 'HEAD~4');
  expect(prompts(repo)).toEqual({ 'Add a': 'first', 'Add c': 'third', 'Add d': 'just tell me' });
});

variation('nor with a step that no commit has yet', (repo) => {
  repo.ready();
  const session = repo.session();
  turn(repo, session, 'first', 'a.txt', 'Add a');
  turn(repo, session, 'second', 'b.txt', 'fixup! Add a');
  autosquash(repo, 'HEAD~2');
  session.prompt('third');
  session.edit('c.txt', 'c\n');
  session.stop();
  expect(prompts(repo)).toEqual({ 'Add a': 'first', Third: 'third' });
});

variation('two commits of one turn show the prompt that led to both', (repo) => {
  repo.ready();
  const session = repo.session();
  turn(repo, session, 'first', 'a.txt', 'Add a');
  session.prompt('second');
  session.edit('b.txt', 'b\n');
  repo.agentCommit('Add b', 'b.txt');
  session.edit('c.txt', 'c\n');
  repo.agentCommit('Add c', 'c.txt');
  session.stop();
  expect(prompts(repo)).toEqual({ 'Add a': 'first', 'Add b': 'second', 'Add c': 'second' });
});

variation('a point whose prompt was forgotten says so, and shows no other one', (repo) => {
  repo.ready();
  const session = repo.session();
  turn(repo, session, 'first', 'a.txt', 'Add a');
  turn(repo, session, 'second', 'b.txt', 'Add b');
  turn(repo, session, 'third', 'c.txt', 'Add c');
  const { undo } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
  for (const word of [/first/i, /second/i])
    repo.entire('forget', undo.find((step: { subject: string }) => word.test(step.subject)).id, '--yes');
  expect(prompts(repo)).toEqual({ 'Add a': null, 'Add b': null, 'Add c': 'third' });
  const [third, second, first] = list(repo).checkpoints;
  expect([third?.forgotten_at, second?.forgotten_at, first?.forgotten_at]).toEqual([
    null,
    expect.stringMatching(/^\d{4}-/),
    expect.stringMatching(/^\d{4}-/),
  ]);
  expect(repo.entire('explain').stdout.match(/\(forgotten on \d{4}-\d\d-\d\d\)/g)).toHaveLength(2);
  expect(repo.entire('explain', 'HEAD~1').stdout).toMatch(/\n\(forgotten on \d{4}-\d\d-\d\d\)\n/);
});

variation('commits of a forgotten session, and the session itself, are said to be forgotten', (repo) => {
  repo.ready();
  const session = repo.session();
  const id = turn(repo, session, 'first', 'a.txt', 'Add a');
  repo.entire('forget', session.id, '--yes');
  expect(list(repo)).toMatchObject({
    ...{ checkpoints: [], missing_checkpoints: [], forgotten_checkpoints: [id] },
  });
  const { stderr } = repo.entire('explain');
  expect(stderr).toBe(
    'Note: a commit of this branch names a checkpoint that was forgotten (`entire forget`).\n',
  );
  const asked = repo.tryEntire('explain', '--session', session.id.slice(0, 8));
  expect(asked.code).toBe(1);
  expect(asked.stderr).toMatch(
    new RegExp(`^Error: session ${session.id} was forgotten on \\d{4}-\\d\\d-\\d\\d\n$`),
  );
});

variation('explain lists no step that a commit took while another session keeps the branch', (repo) => {
  repo.ready();
  addWork(repo, { 'waits.txt': 'not committed\n' });
  const session = addWork(repo, { 'b.txt': 'b\n' });
  const temporary = (): string[] =>
    list(repo).checkpoints.flatMap(({ checkpoint_id: id, session_ids: ids }) => (id === null ? ids : []));
  expect(temporary()).toContain(session.id);
  repo.commit('All of it', 'b.txt');
  expect(temporary()).not.toContain(session.id);
  addWork(repo, { 'b.txt': 'more\n' }, session);
  expect(temporary().filter((id) => id === session.id)).toHaveLength(1);
});
