/** `entire session chat` where sessions cannot be kept, or are kept by two at once; a program stands in for Claude Code. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ANSWERS, folderOf, type Kept, keptOf, standIn, wordsOf } from '../support/agent/stand-in.ts';
import { variation } from '../support/repository/scenario.ts';

describe('a store that cannot be used', () => {
  variation('the answer is told all the same, and that nothing is kept', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    mkdirSync(join(repo.home, '.entire'));
    writeFileSync(folderOf(repo), 'in the way');
    const { code, stdout, stderr } = repo.tryEntire('session', 'chat', 'hello');
    expect([code, stdout]).toEqual([1, 'HELLO\n']);
    expect(stderr).toContain('The session is not saved');
  });

  variation('a session that is broken is left as it is, until it is deleted', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    mkdirSync(folderOf(repo), { recursive: true });
    for (const [id, text] of [
      ['empty', ''],
      ['torn', '{"session_id":"torn","messa'],
      ['other', '{"version":99}'],
    ] as const) {
      writeFileSync(join(folderOf(repo), `${id}.json`), text);
      const result = repo.tryEntire('session', 'chat', '--resume', id, 'hello');
      expect([result.code, result.stderr]).toEqual([
        1,
        expect.stringContaining(`${id}.json holds no session`),
      ]);
      expect(readFileSync(join(folderOf(repo), `${id}.json`), 'utf8')).toBe(text);
      expect(repo.entire('session', 'delete', id).stdout).toBe(`Deleted ${id}.\n`); // the only way to be rid of it
    }
    expect(keptOf(repo)).toEqual([]);
  });

  variation('of two that go on with one session at once, the later one keeps a fork', async (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    repo.entire('session', 'chat', 'base');
    const id = keptOf(repo)[0]?.session_id ?? '';
    // It answers when the other one is over.
    standIn(
      repo,
      ANSWERS.replace(
        'createInterface({',
        'const go = require("node:fs").existsSync; createInterface({',
      ).replace(
        "if (type !== 'user') return;",
        "if (type !== 'user') return; while (message.content === 'slow' && !go('over'));",
      ),
    );
    const slow = spawn(join(repo.build.bin, 'entire'), ['session', 'chat', '--resume', id, 'slow'], {
      ...{ cwd: repo.dir, env: repo.env, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    let told = '';
    slow.stderr?.on('data', (part) => {
      told += part;
    });
    const ended = new Promise((fulfil) => slow.on('close', fulfil));
    while (!wordsOf(keptOf(repo)[0] as Kept).includes('slow'))
      await new Promise((fulfil) => setTimeout(fulfil, 20));
    repo.entire('session', 'chat', '--resume', id, 'quick');
    repo.write('over', '');
    expect(await ended).toBe(0);
    expect(told).toContain('is kept as');
    const [one, fork] = keptOf(repo).sort((a) => (a.session_id === id ? -1 : 1));
    // It was told what the other one had been asked, and nothing was answered yet.
    expect(wordsOf(one as Kept).slice(-3)).toEqual(['slow', 'quick', expect.stringMatching(/QUICK$/)]);
    expect(fork).toMatchObject({ parent_id: id });
    expect(wordsOf(fork as Kept).slice(-2)).toEqual(['slow', 'SLOW']);
  });
});
