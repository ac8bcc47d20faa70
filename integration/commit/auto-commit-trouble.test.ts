import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import {
  autoReady,
  changesOf,
  count,
  expectAutoCommit,
  status,
  stopInput,
  stopKilled,
  stopWith,
} from '../support/command/auto.ts';
import { editor, owed } from '../support/command/work.ts';
import { freeze } from '../support/repository/frozen.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A turn that writes a.txt, and is not over. */
function writing(repo: TestRepo, content = 'one\n'): AgentSession {
  const session = repo.session();
  session.prompt('write a.txt');
  session.edit('a.txt', content);
  return session;
}

/** A branch `other` that conflicts with `main` in c.txt. */
function conflicting(repo: TestRepo): void {
  autoReady(repo).write('c.txt', 'base\n').git('add', '.');
  repo.git('commit', '--quiet', '-m', 'base');
  repo.git('switch', '--quiet', '-c', 'other');
  repo.write('c.txt', 'other\n').git('commit', '--quiet', '-a', '-m', 'other');
  repo.git('switch', '--quiet', 'main');
  repo.write('c.txt', 'main\n').git('commit', '--quiet', '-a', '-m', 'main');
}

/** Nothing was made or lost: the reason is said, and the work stands in the worktree and with the session. */
function expectRefused(repo: TestRepo, session: AgentSession, reason: string): void {
  const refs = repo.git('for-each-ref');
  const [head, index] = [repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '--stage')];
  const { stdout, stderr } = session.stop();
  expect(stdout).toBe('');
  expect(stderr).toContain(`[entire] Warning: not committed, since ${reason}; the changes wait`);
  expect(repo.git('for-each-ref')).toBe(refs);
  expect(repo.git('rev-parse', 'HEAD')).toBe(head);
  expect(repo.git('ls-files', '--stage')).toBe(index);
  expect(repo.entire('status').stdout).toContain(`not committed, since ${reason}`);
  expect(repo.entire('status').stdout).toContain('not committed yet: a.txt');
  expect(repo.state(session.id)).toMatchObject({ phase: 'idle', files_touched: ['a.txt'] });
  expect(owed(repo)).toEqual([]);
}

describe('auto-commit waits where a commit would be in the way', () => {
  const operations: Record<string, { begin: (repo: TestRepo) => void; end: (repo: TestRepo) => void }> = {
    'a rebase': {
      begin: (repo) => void repo.tryGit('rebase', 'other'),
      end: (repo) => void repo.git('rebase', '--abort'),
    },
    'a merge': {
      begin: (repo) => void repo.tryGit('merge', '--no-edit', 'other'),
      end: (repo) => void repo.git('merge', '--abort'),
    },
    'a cherry-pick': {
      begin: (repo) => void repo.tryGit('cherry-pick', 'other'),
      end: (repo) => void repo.git('cherry-pick', '--abort'),
    },
    'a revert': {
      begin: (repo) => void repo.tryGit('revert', '--no-edit', 'HEAD~'),
      end: (repo) => void repo.git('revert', '--abort'),
    },
    'a bisect': {
      begin: (repo) => void repo.git('bisect', 'start'),
      end: (repo) => void repo.git('bisect', 'reset'),
    },
  };
  for (const [name, { begin, end }] of Object.entries(operations))
    (name === 'a rebase' ? scenario : variation)(`not in the middle of ${name}`, (repo) => {
      conflicting(repo);
      begin(repo);
      const session = writing(repo);
      expectRefused(repo, session, `${name} is in progress`);
      end(repo);
      session.prompt('go on with b.txt');
      session.edit('b.txt', 'two\n');
      session.stop();
      const id = expectAutoCommit(repo, session, 'A\ta.txt', 'A\tb.txt');
      expect(repo.stored(id, '0/prompt.txt')).toBe('write a.txt\n\n---\n\ngo on with b.txt');
      expect(repo.git('show', 'HEAD:c.txt')).toBe('main');
    });

  variation('nor while a rebase stops for an edit, with what it replays staged', (repo) => {
    conflicting(repo);
    const env = { GIT_SEQUENCE_EDITOR: editor(repo, `sed -i 's/^pick/edit/' "$1"`) };
    repo.gitWith({ env }, 'rebase', '--interactive', 'HEAD~');
    const before = repo.git('rev-parse', 'HEAD');
    const session = writing(repo);
    expectRefused(repo, session, 'a rebase is in progress');
    repo.git('rebase', '--continue');
    expect(repo.git('rev-parse', 'HEAD')).toBe(before);
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
  });

  variation('not on a detached HEAD, where no branch would hold the commit', (repo) => {
    autoReady(repo).git('switch', '--quiet', '--detach');
    const session = writing(repo);
    expectRefused(repo, session, 'HEAD is detached');
    repo.git('switch', '--quiet', '-c', 'here');
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
  });

  variation('not while a git command has the index locked; and no other lock is touched', (repo) => {
    autoReady(repo);
    const lock = join(repo.dir, '.git', 'index.lock');
    const session = writing(repo);
    writeFileSync(lock, '');
    expectRefused(repo, session, 'a git command has the index locked');
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
  });

  variation('not while the user writes the message of a commit, which would fail', (repo) => {
    autoReady(repo).write('mine.txt', 'mine\n').git('add', 'mine.txt');
    const session = writing(repo);
    session.say('Done.');
    const input = join(repo.scratch, 'stop.json');
    writeFileSync(input, stopInput(repo, session));
    const hook = `entire hooks claude-code stop <'${input}' 2>'${repo.scratch}/said'`;
    const env = { GIT_EDITOR: editor(repo, `${hook}; printf 'By hand\\n' >"$1"`) };
    repo.gitWith({ env }, 'commit', '--quiet');
    expect(repo.message('HEAD')).toBe('By hand');
    expect(changesOf(repo)).toEqual(['A\tmine.txt']);
    const said = readFileSync(join(repo.scratch, 'said'), 'utf8');
    expect(said).toContain('not committed, since a git commit is waiting for its message');
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
    expect(readdirSync(join(repo.commonDir, 'entire', 'open-commits'))).toEqual([]);
  });

  variation('not with a conflict that a stash left, and not what is in a stash', (repo) => {
    autoReady(repo).write('a.txt', 'base\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'base');
    repo.write('a.txt', 'stashed\n').git('stash');
    repo.write('a.txt', 'other\n').git('commit', '--quiet', '-a', '-m', 'other');
    const session = writing(repo, 'by the agent\n');
    session.shell(() => {
      repo.git('checkout', '--quiet', '--', 'a.txt');
      repo.tryGit('stash', 'pop');
    });
    expectRefused(repo, session, 'a.txt has a conflict');
    session.prompt('resolve it');
    session.edit('a.txt', 'resolved\n');
    repo.git('add', 'a.txt');
    session.edit('b.txt', 'put away\n');
    session.shell(() => repo.git('stash', 'push', '--quiet', '--include-untracked', '--', 'b.txt'));
    session.stop();
    expectAutoCommit(repo, session, 'M\ta.txt');
    expect(repo.state(session.id).files_touched).toEqual(['b.txt']);
    repo.git('stash', 'pop', '--quiet');
    session.prompt('it is back');
    session.stop();
    expectAutoCommit(repo, session, 'A\tb.txt');
  });

  variation('where every commit is signed: with a key that signs at once, else not at all', (repo) => {
    autoReady(repo);
    const log = join(repo.scratch, 'signing');
    const sign = `echo "$GPG_TTY$DISPLAY" >>'${log}'; cat >/dev/null; echo '[GNUPG:] SIG_CREATED ' >&2; printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'`;
    repo.git('config', 'gpg.program', editor(repo, sign, 'gpg'));
    repo.git('config', 'commit.gpgSign', 'true');
    repo.variables = { GPG_TTY: '/dev/pts/1', DISPLAY: ':0' };
    const session = writing(repo);
    session.stop();
    expect(repo.git('cat-file', 'commit', 'HEAD')).toContain('\ngpgsig -----BEGIN PGP SIGNATURE-----\n');
    expectAutoCommit(repo, session, 'A\ta.txt');
    expect(repo.run('cat', [log]).stdout).toBe('\n');

    repo.git('config', 'gpg.program', 'false');
    const head = repo.git('rev-parse', 'HEAD');
    session.prompt('change a.txt');
    session.edit('a.txt', 'two\n');
    expect(session.stop().stderr).toContain('not committed, since commit.gpgSign is set');
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    repo.git('config', 'commit.gpgSign', 'false');
    session.stop();
    expectAutoCommit(repo, session, 'M\ta.txt');
  });

  variation('a .git that cannot be written to costs the agent nothing, and the work stays', (repo, skip) => {
    autoReady(repo);
    const session = writing(repo);
    const thaw = freeze(repo, skip);
    expect(session.stop().stdout).toBe('');
    thaw();
    expect(repo.message('HEAD')).toBe('Use auto-commit');
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
  });
});

describe('a stop hook that was killed leaves nothing, or what a later hook completes', () => {
  const moments = [
    ['fast-import', 'before', 0],
    ['fast-import', 'after', 0],
    ['update-ref', 'before', 0],
    ['update-ref', 'after', 1],
    ['update-index', 'before', 1],
    ['update-index', 'after', 1],
  ] as const;
  for (const [command, when, made] of moments)
    variation(
      `killed ${when} git ${command}, a commit and its checkpoint are both there, or neither`,
      (repo) => {
        autoReady(repo);
        repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
        const before = count(repo);
        const session = writing(repo);
        expect(stopKilled(repo, session, command, when)).toBe(true);
        expect(count(repo)).toBe(before + made);
        const id = repo.checkpointOf('HEAD');
        expect(id !== undefined).toBe(made === 1);
        if (id) expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
        expect(owed(repo)).toHaveLength(1);

        session.prompt('say hello');
        session.stop('Hello.');
        expectAutoCommit(repo, session, 'A\ta.txt');
        expect(count(repo)).toBe(before + 1);
        expect(status(repo)).toEqual(['A  mine.txt']);
        expect(repo.state(session.id)).toMatchObject({ phase: 'idle', checkpoint_count: 1 });
        expect(repo.state(session.id).files_touched).toBeUndefined();
      },
    );

  variation('the index that somebody locks right after the commit is corrected by the next hook', (repo) => {
    autoReady(repo);
    const session = writing(repo);
    const lock = join(repo.dir, '.git', 'index.lock');
    const { code, stderr } = stopWith(repo, session, 'update-ref', `"$git" "$@"; : >'${lock}'; exit 0`);
    expect(code).toBe(0);
    expect(stderr).toContain('[entire] Warning: the index could not be brought up to date');
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', checkpoint_count: 1 });
    expect(owed(repo)).toHaveLength(1);
    session.prompt('it is locked still');
    expect(owed(repo)).toHaveLength(1);
    rmSync(lock);
    expect(status(repo)).toEqual(['D  a.txt', '?? a.txt']);
    session.stop('Nothing to do.');
    expectAutoCommit(repo, session, 'A\ta.txt');
    expect(status(repo)).toEqual([]);
    expect(repo.state(session.id).checkpoint_count).toBe(1);
  });

  variation('a commit that comes between is built upon, and what it has is not committed twice', (repo) => {
    autoReady(repo);
    const session = writing(repo);
    session.edit('b.txt', 'two\n');
    const once = `[ -e '${repo.scratch}/once' ] || { : >'${repo.scratch}/once'; "$git" add a.txt; "$git" -c core.hooksPath=/dev/null commit --quiet -m 'By hand'; }`;
    const { code } = stopWith(repo, session, 'fast-import', once);
    expect(code).toBe(0);
    expectAutoCommit(repo, session, 'A\tb.txt');
    expect(repo.git('log', '-1', '--format=%s', 'HEAD~')).toBe('By hand');
    expect(status(repo)).toEqual([]);
  });

  variation('the index is corrected later, and only where nobody has been since', (repo) => {
    autoReady(repo).write('b.txt', 'b\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'b');
    const session = writing(repo);
    session.edit('b.txt', 'b by the agent\n');
    expect(stopKilled(repo, session, 'update-index', 'before')).toBe(true);
    expect(changesOf(repo)).toEqual(['A\ta.txt', 'M\tb.txt']);
    repo.write('b.txt', 'b by hand\n').git('add', 'b.txt');
    expect(status(repo)).toEqual(['D  a.txt', 'M  b.txt', '?? a.txt']);
    repo.entire('enable', '--project', '--strategy', 'manual-commit');
    session.prompt('go on');
    expect(status(repo).filter((line) => !line.endsWith('.json'))).toEqual(['M  b.txt']);
    expect(owed(repo)).toEqual([]);
  });

  variation('a commit whose hook was killed is completed from another branch, too', (repo) => {
    autoReady(repo).git('branch', 'other');
    const session = writing(repo);
    expect(stopKilled(repo, session, 'update-index', 'before')).toBe(true);
    const [commit, checkpoint] = [repo.git('rev-parse', 'HEAD'), repo.checkpointOf('HEAD')];
    repo.git('switch', '--quiet', '--force', 'other');
    session.prompt('go on');
    expect(owed(repo)).toEqual([]);
    expect(repo.verdict()).toMatchObject({ commit, reason: 'linked', checkpoint });
    expect(repo.state(session.id).checkpoint_count).toBe(1);
  });
});
