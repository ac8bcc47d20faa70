import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { scenario, variation } from './support/test-repo.ts';
import { addWork } from './support/work.ts';

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

  variation('goes neither with --files-only nor with redo', (repo) => {
    repo.ready();
    expect(repo.tryEntire('undo', '--conversation', '--files-only').code).toBe(2);
    expect(repo.tryEntire('redo', '--conversation').code).toBe(2);
  });
});
