import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { autoReady } from '../support/command/auto.ts';
import { withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import { BRANCH, folderOf } from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** `class:reason` of each line. */
const classes = (repo: TestRepo, path: string): string[] =>
  JSON.parse(repo.entire('blame', path, '--json').stdout).lines.map(
    (line: { class: string; reason: string }) => `${line.class}:${line.reason}`,
  );

describe('commits that auto-commit makes of tasks', () => {
  variation('blame knows what the sub-agent wrote, and why what the commit is', (repo) => {
    autoReady(repo);
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'by the sub-agent\n');
    repo.write('a.txt', 'by the sub-agent\nby hand\n');
    task.result();
    task.finish();
    expect(classes(repo, 'a.txt')).toEqual(['agent:written', 'human:not-written']);
    session.stop();
    expect(classes(repo, 'a.txt')).toEqual(['agent:written', 'human:not-written']);

    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Later');
    const other = repo.run('rm', ['-f', `${repo.commonDir}/entire/verdicts.jsonl`]);
    expect(other.code).toBe(0);
    const { stdout } = repo.entire('why', 'HEAD~');
    expect(stdout).toContain('Linked: the id in its trailer leads to a checkpoint that is here.');
    expect(stdout).not.toContain('may have been copied');
  });

  variation('a task that is not over: its lines are nobody else’s', (repo) => {
    autoReady(repo).git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'by the sub-agent\n');
    task.todo([{ content: 'Write a.txt', status: 'completed', activeForm: 'Writing' }]);
    expect(classes(repo, 'a.txt')).toEqual(['unknown:unseen']);
  });
});

describe('tools that we know nothing of', () => {
  variation(
    'what a tool of an MCP server may have written is unknown, and what is recorded is known',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('create a.txt and let the server extend it');
      session.edit('a.txt', 'by the agent\n');
      repo.write('a.txt', 'by the agent\nby the server\n');
      session.tool('mcp__files__append', { path: 'a.txt', text: 'by the server' });
      session.stop();
      repo.commit('Add a', 'a.txt');
      expect(classes(repo, 'a.txt')).toEqual(['agent:written', 'unknown:unseen']);
    },
  );
});

describe('checkpoints that are there in part', () => {
  /** Puts something in the place of a file of the checkpoint; without `text` it is gone. */
  function spoil(repo: TestRepo, id: string, path: string, text?: string): void {
    const file = `${folderOf(id)}/${path}`;
    const change =
      text === undefined ? `D ${file}\n` : `M 100644 inline ${file}\ndata ${text.length}\n${text}\n`;
    const head = `commit ${BRANCH}\ncommitter Ada <ada@example.com> 1767323045 +0000\ndata 5\nspoil\n`;
    repo.gitWith({ input: `${head}from ${BRANCH}^0\n${change}\n` }, 'fast-import', '--quiet');
    repo.run('rm', ['-f', `${repo.commonDir}/entire/verdicts.jsonl`]);
  }

  for (const [name, path, text] of [
    ['metadata that is no JSON', '0/metadata.json', '{"session_id":'],
    ['metadata that is gone', '0/metadata.json'],
    ['metadata of another shape', '0/metadata.json', '{"files_touched":{"a.txt":true}}'],
    ['a session that is gone', '0'],
    ['everything gone but a file', '', undefined],
  ] as const)
    variation(`${name}: nothing is taken for a person’s work`, (repo) => {
      withWork(repo);
      const id = repo.commit('Add a', 'a.txt') as string;
      if (path === '') {
        spoil(repo, id, '0');
        spoil(repo, id, 'metadata.json', '[]');
      } else spoil(repo, id, path, text);
      for (const origin of classes(repo, 'a.txt')) expect(origin).toMatch(/^(agent:written|unknown:unseen)$/);
      const { stdout } = repo.entire('why');
      expect(stdout).toContain('Problems:');
      expect(stdout).not.toContain('may have been copied');
    });
});
