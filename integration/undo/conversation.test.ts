import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('undo --conversation', () => {
  scenario('writes the conversation up to the turn as a session of its own', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    addWork(repo, { 'a.txt': 'two\n', 'b.txt': 'b\n' }, session);
    addWork(repo, { 'a.txt': 'three\n' }, session);
    const before = session.read();
    const result = repo.entire('undo', '--steps', '2', '--conversation');
    expect(repo.read('a.txt')).toBe('one\n');
    expect(session.read()).toBe(before);
    const id = /claude -r (\S+)/.exec(result.stdout)?.[1] as string;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const text = readFileSync(join(dirname(session.transcript), `${id}.jsonl`), 'utf8');
    expect(text.replaceAll(id, session.id)).toBe(before.slice(0, text.length));
    expect(text).toContain('write a.txt');
    expect(text).not.toContain('write a.txt and b.txt');
  });

  variation('where the conversation began with the turn, or was rewritten, nothing is changed', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    const first = repo.tryEntire('undo', '--conversation');
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('it began with this turn')]);
    addWork(repo, { 'a.txt': 'two\n' }, session);
    writeFileSync(session.transcript, '{"type":"summary","uuid":"x","sessionId":"y"}\n');
    const second = repo.tryEntire('undo', '--conversation');
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('compacted or rewritten')]);
    expect(repo.read('a.txt')).toBe('two\n');
    expect(readdirSync(dirname(session.transcript))).toEqual([`${session.id}.jsonl`]);
  });

  variation(
    'a turn whose beginning could not be written has no place in the conversation, not that of the turn before',
    (repo) => {
      repo.ready();
      const session = addWork(repo, { 'a.txt': 'one\n' });
      addWork(repo, { 'a.txt': 'two\n' }, session);
      const begin = join(repo.commonDir, 'entire/snapshots', session.id, 'start.json');
      const kept = readFileSync(begin);
      session.prompt('write it again');
      writeFileSync(begin, kept);
      session.edit('a.txt', 'three\n');
      session.stop();
      const { code, stderr } = repo.tryEntire('undo', '--conversation');
      expect([code, stderr]).toEqual([1, expect.stringContaining('not known where this turn began')]);
      expect(repo.read('a.txt')).toBe('three\n');
    },
  );

  variation('of several sessions: nothing is done before it is said whose conversation is meant', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': 'one\n' });
    addWork(repo, { 'a.txt': 'two\n' }, one);
    const two = addWork(repo, { 'b.txt': 'b\n' });
    addWork(repo, { 'c.txt': 'c\n' }, two);
    addWork(repo, { 'a.txt': 'three\n' }, one);
    for (const flags of [[], ['--dry-run'], ['--json']]) {
      const { code, stdout, stderr } = repo.tryEntire('undo', '--steps', '4', '--conversation', ...flags);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('these are steps of several sessions');
      expect(stderr).toContain(
        `Say which: entire undo --session ${one.id} --steps 2${flags[0] === '--dry-run' ? ' --dry-run' : ''} --conversation`,
      );
      expect(stderr).toContain(`\n  ${two.id}`);
    }
    expect([repo.read('a.txt'), repo.exists('c.txt')]).toEqual(['three\n', true]);
    expect(readdirSync(dirname(one.transcript))).toHaveLength(2);
    const { stdout } = repo.entire('undo', '--session', one.id, '--steps', '2', '--conversation', '--json');
    const { steps, conversation } = JSON.parse(stdout);
    expect(steps).toHaveLength(2);
    expect(readdirSync(dirname(one.transcript))).toContain(basename(conversation.file));
    expect([repo.read('a.txt'), repo.exists('c.txt')]).toEqual(['one\n', true]);
  });

  variation('goes neither with --files-only nor with redo', (repo) => {
    repo.ready();
    expect(repo.tryEntire('undo', '--conversation', '--files-only').code).toBe(2);
    expect(repo.tryEntire('redo', '--conversation').code).toBe(2);
  });
});
