import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const begin = (repo: TestRepo): TestRepo => {
  repo.init().write('README.md', '# demo\n');
  repo.git('add', '.');
  repo.git('commit', '--quiet', '-m', 'init');
  return repo;
};

interface Listed {
  readonly name: string;
  readonly presence: string;
  /** `null` where its settings cannot be read. */
  readonly hooks: number | null;
  readonly expected: number | null;
}

const findingsOf = (repo: TestRepo): { code: string }[] =>
  JSON.parse(repo.tryEntire('doctor', '--json').stdout).findings;

const list = (repo: TestRepo): Listed[] => JSON.parse(repo.entire('agent', '--json').stdout).agents;

/** Names of agents whose hooks are all there. */
const installed = (repo: TestRepo): string[] =>
  list(repo).flatMap(({ name, hooks, expected }) => (hooks !== null && hooks === expected ? [name] : []));

describe('entire enable chooses agents', () => {
  variation('each that is named', (repo) => {
    begin(repo).entire('enable', '--agent', 'gemini', '--agent', 'codex');
    expect(installed(repo)).toEqual(['codex', 'gemini']);
  });

  variation('as people call it, one after the other or with commas', (repo) => {
    begin(repo).entire('enable', '--agent', 'claude,Gemini CLI');
    expect(installed(repo)).toEqual(['claude-code', 'gemini']);
    repo.entire('agent', 'remove', 'claude');
    expect(installed(repo)).toEqual(['gemini']);
    expect(repo.tryEntire('agent', 'add', 'co').stderr).toContain('Unknown agent "co"');
  });

  variation('and says what the client wants before it runs hooks, as does doctor', (repo) => {
    const { stderr } = begin(repo).entire('enable', '--agent', 'codex', '--agent', 'copilot-cli');
    expect(stderr).toContain('Note: Codex does not run these hooks yet. Start `codex` here once');
    expect(stderr).toContain('Note: Copilot CLI does not run these hooks yet.');
    const waiting = () => findingsOf(repo).filter(({ code }) => code === 'agent-hooks-waiting');
    expect(waiting()).toHaveLength(2);
    mkdirSync(join(repo.home, '.copilot'));
    const trusted = JSON.stringify({ trustedFolders: [repo.dir] });
    writeFileSync(join(repo.home, '.copilot/config.json'), trusted);
    expect(waiting()).toHaveLength(1);
  });

  variation('one that there is not, and nothing is changed', (repo) => {
    const { code, stderr } = begin(repo).tryEntire('enable', '--agent', 'codex', '--agent', 'nobody');
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'Error: Unknown agent "nobody". Available agents:']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  variation('and the settings of another, which cannot be read, do not keep it from that', (repo) => {
    begin(repo).write('.gemini/settings.json', '{ broken');
    expect(repo.tryEntire('enable', '--agent', 'gemini').stderr).toContain(
      'Error: .gemini/settings.json, line 1',
    );
    repo.entire('enable', '--agent', 'claude-code');
    expect(installed(repo)).toEqual(['claude-code']);
    expect(repo.entire('enable').stdout).toContain('Already enabled');
    expect(repo.entire('agent', 'list').stderr).toContain('Warning: .gemini/settings.json, line 1');
    expect(repo.read('.gemini/settings.json')).toBe('{ broken');
  });

  variation('those that the worktree shows, where nobody can be asked', (repo) => {
    begin(repo).write('.gemini/GEMINI.md', 'be brief\n').write('.opencode/notes.md', 'notes\n');
    const { stdout } = repo.entire('enable');
    expect(stdout).toContain('Agent: Gemini CLI, OpenCode (use --agent to change)');
    expect(installed(repo)).toEqual(['gemini', 'opencode']);
  });

  variation('the default one where it shows none, and afterwards those it has', (repo) => {
    begin(repo).entire('enable');
    expect(installed(repo)).toEqual(['claude-code']);
    repo.entire('agent', 'add', 'codex');
    expect(repo.entire('enable').stdout).toContain('Agent: Claude Code, Codex');
  });
});

describe('entire agent', () => {
  variation("adds and removes hooks; a user's own in the same file stay", (repo) => {
    const own = `${JSON.stringify({ hooks: { Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'ding' }] }] } }, null, 2)}\n`;
    begin(repo).write('.claude/settings.json', own).entire('enable', '--agent', 'claude-code');
    repo.entire('agent', 'add', 'opencode', 'codex');
    expect(installed(repo)).toEqual(['claude-code', 'codex', 'opencode']);
    expect(repo.entire('agent', 'remove', 'claude-code', 'opencode').stdout).toContain('Removed');
    expect(repo.read('.claude/settings.json')).toBe(own);
    expect([installed(repo), repo.exists('.opencode')]).toEqual([['codex'], false]);
    expect(repo.entire('agent', 'remove', 'opencode').stdout).toContain('No hooks for OpenCode');
  });

  variation('says where hooks do nothing yet, and what it does not know', (repo) => {
    const { stderr } = begin(repo).entire('agent', 'add', 'codex');
    expect(stderr).toContain('Entire is not enabled here');
    for (const args of [['nonsense'], ['add'], ['add', 'nobody'], ['list', 'codex']])
      expect(repo.tryEntire('agent', ...args).code, args.join(' ')).toBe(2);
  });

  variation('lists what is used here and what is installed', (repo) => {
    begin(repo).write('.claude/notes.md', 'notes\n');
    const claude = list(repo).find(({ name }) => name === 'claude-code');
    expect(claude).toMatchObject({ presence: 'here', hooks: 0 });
    const { stdout } = repo.entire('agent', 'list');
    expect(stdout).toMatch(/^claude-code +no hooks +used here$/m);
  });
});
