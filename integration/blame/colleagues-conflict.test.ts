import { join } from 'node:path';
import { expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

type Session = ReturnType<TestRepo['session']>;

const base = (of: string): string => `export const base = startingPointOf('${of}');\n`;
const THEIRS =
  'export const theirs = writtenInAnotherClone(1);\nexport const more = writtenThereAsWell(2);\n';
const RESOLVED = `${base('both')}${THEIRS}`;
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

/** A commit of another clone, where nothing is recorded, which changes what a commit here has changed. */
function diverge(repo: TestRepo): void {
  repo.ready().write('a.ts', base('nobody')).commit('Base', 'a.ts');
  const clone = join(repo.scratch, 'clone');
  repo.git('clone', '--quiet', '.', clone);
  repo.git('-C', clone, 'config', 'user.name', 'Colleague');
  repo.git('-C', clone, 'config', 'user.email', 'colleague@example.com');
  repo.write('../clone/a.ts', `${base('theirs')}${THEIRS}`);
  repo.git('-C', clone, ...NO_HOOKS, 'commit', '--quiet', '-am', 'Theirs');
  repo.write('a.ts', base('mine')).commit('Mine', 'a.ts');
  repo.git('fetch', '--quiet', clone, 'main:refs/remotes/clone/main');
}

/** A session picks the commit and resolves the conflict. Of the commit nothing is here any more behind it. */
function resolve(repo: TestRepo, act: (session: Session) => void): Session {
  diverge(repo);
  const session = repo.session();
  session.prompt('take what my colleague made');
  session.shell(() => repo.tryGit('cherry-pick', 'clone/main'));
  act(session);
  const env = { GIT_EDITOR: ':' };
  session.shell(() => repo.git('add', 'a.ts') + repo.gitWith({ env }, 'cherry-pick', '--continue'));
  session.stop();
  repo.git('update-ref', '-d', 'refs/remotes/clone/main');
  return session;
}

/** An Edit, as the client tells its hook of it. */
function replace(repo: TestRepo, session: Session, before: string, after: string): void {
  const [path, original] = [join(repo.dir, 'a.ts'), repo.read('a.ts')];
  const input = { file_path: path, old_string: before, new_string: after };
  repo.write('a.ts', original.replace(before, after));
  session.tool('Edit', input);
  const response = { filePath: path, oldString: before, newString: after, originalFile: original };
  session.hook('post-file-edit', 'PostToolUse-Edit', { tool_input: input, tool_response: response });
}

const owners = (repo: TestRepo): string[] =>
  blame(repo, 'a.ts').lines.map((line) => line.session_id ?? line.class);

variation(
  'blame: what git brought into a conflict is not that of the session that writes the file',
  (repo) => {
    const session = resolve(repo, (one) => one.edit('a.ts', RESOLVED));
    expect(owners(repo)).toEqual([session.id, 'unknown', 'unknown']);
  },
);

variation('blame: nor of one that edits the file, and repeats what was there', (repo) => {
  const session = resolve(repo, (one) => replace(repo, one, repo.read('a.ts'), RESOLVED));
  expect(owners(repo)).toEqual([session.id, 'unknown', 'unknown']);
});

variation('blame: nor of one that takes it out, and puts it back', (repo) => {
  const session = resolve(repo, (one) => {
    replace(repo, one, repo.read('a.ts'), base('both'));
    replace(repo, one, base('both'), RESOLVED);
  });
  expect(owners(repo)).toEqual([session.id, 'unknown', 'unknown']);
});

variation(
  'blame: where the hook was not told what was there, the transcript says what came into the file',
  (repo) => {
    const session = resolve(repo, (one) => {
      const [file, conflict] = [join(repo.dir, 'a.ts'), repo.read('a.ts').trimEnd().split('\n')];
      repo.write('a.ts', RESOLVED);
      const [head, ours, middle, base1, ...rest] = conflict.map((line) => `-${line}`);
      const added = `+${base('both').trimEnd()}`;
      const lines = [
        head,
        ours,
        middle,
        base1,
        added,
        ...THEIRS.trimEnd()
          .split('\n')
          .map((line) => ` ${line}`),
        rest.at(-1),
      ];
      one.tool('Write', { file_path: file, content: RESOLVED }, { answer: { structuredPatch: [{ lines }] } });
      one.hook('post-file-edit', 'PostToolUse-Write-update', {
        tool_input: { file_path: file },
        tool_response: {},
      });
    });
    expect(owners(repo)).toEqual([session.id, 'unknown', 'unknown']);
  },
);

variation('blame: what a command made of a conflict may be anybody’s', (repo) => {
  resolve(repo, (one) => one.shell(() => repo.write('a.ts', RESOLVED)));
  expect(owners(repo)).toEqual(['unknown', 'unknown', 'unknown']);
});

variation('blame: a session is named once, however many lines of a conflict it wrote', (repo) => {
  const own = 'export const second = writtenByTheSession(813);\nexport const third = writtenByIt(455);\n';
  const session = resolve(repo, (one) => one.edit('a.ts', `${RESOLVED}${own}`));
  const { sessions, lines } = blame(repo, 'a.ts');
  expect(lines.filter((line) => line.session_id === session.id)).toHaveLength(3);
  expect(sessions.map((one) => one.session_id)).toEqual([session.id]);
});

variation(
  'blame: a session that began behind a commit, and puts a line of it back, did not write it',
  (repo) => {
    repo.ready().write('a.ts', base('nobody')).commit('Base', 'a.ts');
    repo.git('switch', '--quiet', '--create', 'topic');
    repo.write('a.ts', base('topic')).commit('Topic', 'a.ts');
    repo.git('switch', '--quiet', 'main');
    repo.write('a.ts', base('main')).commit('Main', 'a.ts');
    repo.git('switch', '--quiet', 'topic');
    repo.tryGit('rebase', 'main');
    repo.write('a.ts', RESOLVED).git('add', 'a.ts');
    repo.gitWith({ env: { GIT_EDITOR: ':' } }, 'rebase', '--continue');
    repo.write('a.ts', THEIRS);
    addWork(repo, { 'a.ts': RESOLVED });
    expect(owners(repo)).toEqual(['unknown', 'unknown', 'unknown']);
  },
);
