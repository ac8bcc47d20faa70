import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { commitLinked, walkTheLine } from '../support/repository/walk.ts';
import {
  configureLefthook,
  installManager,
  MANAGERS,
  type Manager,
  ONE_COMMIT,
  withManager,
} from './managers.ts';

const TWO_COMMITS = [...ONE_COMMIT, ...ONE_COMMIT];

const enable = (repo: TestRepo) => repo.entire('enable', '--agent', 'claude-code');

/** What lies in the hooks folder besides git's samples. */
const hooksIn = (repo: TestRepo, { hooksDir }: Manager): string[] =>
  readdirSync(join(repo.dir, hooksDir))
    .filter((name) => !name.endsWith('.sample'))
    .sort();

const backups = (repo: TestRepo, manager: Manager) =>
  hooksIn(repo, manager).filter((name) => name.includes('.pre-entire'));

for (const manager of MANAGERS) {
  const scenario = (name: string, body: (repo: TestRepo, calls: () => string[]) => void) =>
    onBothBuilds(`${manager.name}: ${name}`, (repo, skip) => {
      if (!manager.command) skip('there is no Python 3 with venv on this machine');
      body(repo, withManager(repo, manager).calls);
    });

  describe(manager.name, () => {
    scenario('theirs first, then ours: both run, once', (repo, calls) => {
      installManager(repo, manager);
      enable(repo);
      walkTheLine(repo);
      expect(calls()).toEqual(TWO_COMMITS);
    });

    scenario(
      'ours first, then theirs: commits go through, and from the next prompt on both run, once',
      (repo, calls) => {
        enable(repo);
        const session = repo.session();
        session.prompt('write a');
        session.edit('a.txt', 'one\n');
        session.stop();
        installManager(repo, manager);
        const id = repo.commit('Add a', 'a.txt');
        if (manager.callsOthers) expect(id).toMatch(/^[0-9a-f]{12}$/);
        expect(calls()).toEqual(ONE_COMMIT);
        walkTheLine(repo, { folder: 'sub/' });
        expect(calls()).toEqual(TWO_COMMITS);
      },
    );

    scenario(
      'both install again and again: no hook is lost, doubled or blocked, nothing piles up',
      (repo, calls) => {
        enable(repo);
        installManager(repo, manager);
        repo.session().prompt('hello');
        const once = hooksIn(repo, manager);
        for (const round of [1, 2, 3]) {
          installManager(repo, manager);
          const between = repo.run('git', ['commit', '--allow-empty', '--quiet', '-m', 'between']);
          expect(between.code, `round ${round}: ${between.stdout}${between.stderr}`).toBe(0);
          expect(calls(), `round ${round}, before the prompt`).toEqual(ONE_COMMIT);
          walkTheLine(repo, { folder: `round-${round}/` });
          expect(calls(), `round ${round}`).toEqual(TWO_COMMITS);
          enable(repo);
          expect(hooksIn(repo, manager)).toEqual(once);
        }
        expect(backups(repo, manager)).toEqual(expect.arrayContaining(['commit-msg.pre-entire']));
        expect(backups(repo, manager).filter((name) => name.endsWith('.1'))).toEqual([]);
      },
    );

    scenario("a hook of the user's own that was there before both runs on, and comes back", (repo, calls) => {
      if (manager.name === 'Husky') repo.git('config', 'core.hooksPath', '.husky/_');
      const own = `${manager.hooksDir}/commit-msg`;
      const text = '#!/bin/sh\necho "own commit-msg" >>"$CALLS"\n';
      repo.write(own, text);
      chmodSync(join(repo.dir, own), 0o755);
      enable(repo);
      for (const _ of [1, 2]) {
        installManager(repo, manager);
        repo.session().prompt('hello');
      }
      repo.commit('More', '.claude');
      expect(calls().sort()).toEqual(['own commit-msg', ...ONE_COMMIT].sort());
      expect(repo.read(`${own}.pre-entire`)).toBe(text);
      repo.entire('disable', '--uninstall', '--force');
      calls();
      repo.git('commit', '--quiet', '--allow-empty', '-m', 'without us');
      expect(calls()).toEqual(ONE_COMMIT);
    });

    scenario('a hook of theirs that refuses a commit is obeyed, and no link is left behind', (repo) => {
      installManager(repo, manager);
      enable(repo);
      const session = repo.session();
      session.prompt('write a');
      session.edit('a.txt', 'one\n');
      session.stop();
      repo.git('add', 'a.txt');
      const shells: Record<string, string> = { CALLS: '/nonexistent/folder/calls' };
      const refused = repo.run('git', ['commit', '-m', 'Add a'], { env: shells });
      expect(refused.code).not.toBe(0);
      expect(repo.branches()).toContain('entire/checkpoints/v1');
      commitLinked(repo, session, 'a.txt');
    });

    scenario('uninstalling ours leaves theirs as it was', (repo, calls) => {
      installManager(repo, manager);
      const before = hooksIn(repo, manager).map((name) => [name, repo.read(`${manager.hooksDir}/${name}`)]);
      enable(repo);
      repo.session().prompt('hello');
      installManager(repo, manager);
      repo.session().prompt('hello again');
      repo.entire('disable', '--uninstall', '--force');
      expect(hooksIn(repo, manager).map((name) => [name, repo.read(`${manager.hooksDir}/${name}`)])).toEqual(
        before,
      );
      calls();
      repo.git('commit', '--quiet', '--allow-empty', '-m', 'without us');
      expect(calls()).toEqual(ONE_COMMIT);
    });

    if (manager.name !== 'Lefthook') return;
    scenario(
      'it installs itself again in the middle of a commit, and the commit is linked',
      (repo, calls) => {
        installManager(repo, manager);
        enable(repo);
        const session = repo.session();
        session.prompt('write a');
        session.edit('a.txt', 'one\n');
        session.stop();
        configureLefthook(repo, { 'pre-push': { commands: { note: { run: 'true' } } } });
        const { mtime } = { mtime: new Date(Date.now() + 5_000) };
        repo.run('touch', ['-d', mtime.toISOString(), 'lefthook.yml']); // it looks at whole seconds
        commitLinked(repo, session, 'a.txt');
        expect(calls()).toEqual(ONE_COMMIT);
        expect(repo.read('.git/hooks/pre-push.pre-entire')).toContain('call_lefthook');
      },
    );
  });
}
