import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { FUTURE, line, turn } from '../support/command/resume.ts';
import { variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';

describe('what older and other versions stored', () => {
  const ID = 'a1b2c3d4e5f6';
  const TEXT = line('hello', '2026-01-02T03:04:05.000Z');
  const commit = (repo: { git(...args: string[]): string }) =>
    repo.git('commit', '--quiet', '--allow-empty', '-m', `Work\n\nEntire-Checkpoint: ${ID}`);

  variation('a checkpoint without agent metadata is restored as one session', (repo) => {
    repo.ready();
    commit(repo);
    const session = 'old-session';
    store(repo, { [ID]: checkpointFiles(ID, { session, transcript: TEXT, metadata: { agent: '' } }) });
    const { stderr } = repo.entire('resume', 'main');
    const file = join(
      repo.home,
      '.claude',
      'projects',
      repo.dir.replace(/[^a-zA-Z0-9]/g, '-'),
      `${session}.jsonl`,
    );
    expect(stderr).toBe(`Session restored to: ${file}
Session: ${session}

To continue this session, run:
  claude -r ${session}
`);
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  variation('a session whose log was never stored is named, with its command', (repo) => {
    repo.ready();
    commit(repo);
    store(repo, { [ID]: checkpointFiles(ID, { session: 's-1' }) });
    expect(
      repo.entire('resume', 'main').stderr,
    ).toBe(`Session 's-1' found in commit trailer but session log not available

To continue this session, run:
  claude -r s-1
`);
  });

  variation('an agent that we do not know is passed over, the other session restored', (repo) => {
    repo.ready();
    commit(repo);
    const files = checkpointFiles(
      ID,
      { session: 's-1', transcript: TEXT, metadata: { agent: 'Other\x1b[31m' } },
      { session: 's-2', transcript: TEXT, metadata: { agent: 'Unknown' } },
    );
    store(repo, { [ID]: files });
    const { stderr } = repo.entire('resume', 'main');
    expect(stderr).toContain(
      '  Warning: session 0 (s-1) has unknown agent "Other", skipping (`entire agent list`',
    );
    expect(stderr).toContain('Session: s-2\n');
  });

  variation('auto-commit is told of in the words for one session', (repo) => {
    repo.ready();
    commit(repo);
    const metadata = { strategy: 'auto-commit' };
    store(repo, {
      [ID]: checkpointFiles(ID, { session: 's-1', transcript: TEXT, prompts: ['Hi'], metadata }),
    });
    expect(repo.entire('resume', 'main').stderr).toMatch(
      /^Session restored to: .*\/s-1\.jsonl\nSession: s-1\n\nTo continue this session, run:\n {2}claude -r s-1\n$/,
    );
  });

  variation('a line of any length is read for its time', (repo) => {
    repo.ready();
    const session = repo.session();
    turn(repo, session, 'a.txt');
    appendFileSync(session.transcript, line('x'.repeat(1 << 20), FUTURE));
    const newer = session.read();
    expect(repo.tryEntire('resume', 'main').code).toBe(1);
    expect(session.read()).toBe(newer);
  });
});

variation('a session that went on from an older checkpoint has its own part behind that', (repo) => {
  repo.ready();
  const session = repo.session();
  const first = turn(repo, session, 'a.txt');
  const lines = session.read().trim().split('\n').length;
  turn(repo, session, 'b.txt');
  repo.entire('resume', first, '--force');
  const third = turn(repo, session, 'c.txt', 'A third thing');
  expect(repo.storedJson(third, '0/metadata.json').checkpoint_transcript_start).toBe(lines);
  const prompts = repo.stored(third, '0/prompt.txt').split('\n\n---\n\n');
  expect(prompts).toEqual(['Add a.txt', 'A third thing']);
  expect(repo.entire('explain', third).stdout).toContain('\n> A third thing\n');
});
