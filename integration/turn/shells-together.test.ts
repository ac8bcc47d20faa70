import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { SessionId } from '../../src/base/ids.ts';
import { locateRepo } from '../../src/git/locate.ts';
import { recordShellEdits } from '../../src/strategy/turn/shell.ts';
import { workIn } from '../../src/strategy/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const GEMINI = '00a32fd7-867b-4b9b-8db9-2726221f39c0' as SessionId;

/** Plays a hook of Gemini CLI, which says that its shell has run and not what that wrote. */
function gemini(repo: TestRepo, verb: string, payload: string): void {
  const file = join(import.meta.dirname, '../fixtures/gemini', `${payload}.json`);
  const input = readFileSync(file, 'utf8').replaceAll('"/repo', `"${repo.dir}`);
  expect(repo.run('entire', ['hooks', 'gemini', verb], { input })).toMatchObject({ code: 0, stdout: '' });
}

const linked = (repo: TestRepo, path: string): string[] => {
  const id = repo.commit(path, path) as string;
  const { sessions } = repo.storedJson(id, 'metadata.json');
  return sessions.map((_: unknown, slot: number) => repo.storedJson(id, `${slot}/metadata.json`).agent);
};

describe('what a shell writes while another session is in a turn', () => {
  variation('is the work of the one whose shell it was, whichever ends first', (repo) => {
    repo.ready().entire('agent', 'add', 'gemini');
    const claude = repo.session();
    claude.prompt('run something');
    claude.shell(() => {});
    gemini(repo, 'before-agent', 'BeforeAgent');
    repo.write('g.txt', 'by its shell\n');
    gemini(repo, 'post-shell', 'AfterTool-run_shell_command');
    claude.edit('c.txt', 'c\n');
    claude.stop();
    expect(linked(repo, 'g.txt')).toEqual(['Gemini CLI']);
    expect(linked(repo, 'c.txt')).toEqual(['Claude Code']);
  });

  variation('comes back by an undo of that session', (repo) => {
    repo.ready().entire('agent', 'add', 'gemini');
    const claude = repo.session();
    claude.prompt('run something');
    claude.shell(() => {});
    gemini(repo, 'before-agent', 'BeforeAgent');
    repo.write('README.md', 'by its shell\n');
    gemini(repo, 'post-shell', 'AfterTool-run_shell_command');
    claude.stop();
    gemini(repo, 'after-agent', 'AfterAgent');
    repo.entire('undo', '--session', GEMINI);
    expect(repo.read('README.md')).toBe('# demo\n\nbase line\n');
  });

  variation(
    'is not what another has written this moment, and its hook tells of a moment later',
    async (repo) => {
      repo.ready().entire('agent', 'add', 'gemini');
      const claude = repo.session();
      claude.prompt('write c');
      gemini(repo, 'before-agent', 'BeforeAgent');
      repo.write('c.txt', 'c\n').write('g.txt', 'g\n');
      const located = locateRepo(repo.dir);
      if (!located) throw new Error('no repository');
      await recordShellEdits(workIn(located), GEMINI, async () => claude.edit('c.txt', 'c\n'));
      expect([repo.tracked(GEMINI), repo.tracked(claude.id)]).toEqual([['g.txt'], ['c.txt']]);
    },
  );

  variation('is left to the end of the turn where nobody else is at work', (repo) => {
    repo.ready().entire('agent', 'add', 'gemini');
    gemini(repo, 'before-agent', 'BeforeAgent');
    repo.write('g.txt', 'by its shell\n');
    gemini(repo, 'post-shell', 'AfterTool-run_shell_command');
    expect(repo.tracked(GEMINI)).toEqual([]);
  });
});
