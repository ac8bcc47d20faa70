import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { expectProblems, problems } from '../support/command/verify.ts';
import { withoutProgress } from '../support/process/progress.ts';
import { turn } from '../support/repository/leftovers.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const METADATA = 'entire/checkpoints/v1';

/** Two checkpoints, one of them of two sessions, and steps that wait for a commit. */
function busy(repo: TestRepo): { readonly ids: string[]; readonly waiting: string } {
  repo.ready();
  const [one, two] = [turn(repo, 'a.txt'), turn(repo, 'b.txt')];
  const first = repo.commit('Add both', 'a.txt', 'b.txt') as string;
  turn(repo, 'c.txt', one);
  const second = repo.commit('Add c', 'c.txt') as string;
  turn(repo, 'd.txt', two);
  two.edit('e.txt', 'e\n');
  return { ids: [first, second], waiting: two.id };
}

/** Everything below the git folder and .entire, with its time: reading must leave it as it is. */
function stamp(repo: TestRepo): string[] {
  return [repo.commonDir, join(repo.dir, '.entire')].flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => {
      const { mtimeMs, size } = statSync(join(dir, name));
      return `${name} ${size} ${mtimeMs}`;
    }),
  );
}

describe('what is sound', () => {
  onBothBuilds('verify and verify --read-data find nothing, and write nothing', (repo) => {
    const { ids } = busy(repo);
    const before = stamp(repo);
    const plain = repo.entire('verify');
    expect(plain.stdout).toMatch(
      /^2 checkpoints, 1 step, \d+ session files, \d+ records: no problems found\.\nTranscripts were not read/,
    );
    const deep = repo.entire('verify', '--read-data');
    expect(deep.stdout).toMatch(/^2 checkpoints, .*, \d+ stored texts: no problems found\.\n$/);
    expect(withoutProgress(plain.stderr + deep.stderr)).toBe('');
    expect(JSON.parse(repo.entire('verify', '--json').stdout)).toMatchObject({
      read_data: false,
      looked: { checkpoints: ids.length, texts: 0 },
      problems: [],
    });
    expect(stamp(repo)).toEqual(before);
  });

  variation('nothing stored, nothing set up, and a checkpoint of 0.4.4', (repo) => {
    repo.init();
    expect(repo.entire('verify', '--read-data').stdout).toContain('no problems found');
    repo.ready();
    const transcript = '{"type":"user","message":{"content":"hi"}}\n';
    store(repo, {
      a1b2c3d4e5f6: checkpointFiles('a1b2c3d4e5f6', { session: 's-1', prompts: ['hi'], transcript }),
      b1b2c3d4e5f6: checkpointFiles(
        'b1b2c3d4e5f6',
        { session: 's 2', transcript: '{"messages":[\n{"a":1}\n]}', metadata: { agent: 'Gemini CLI' } },
        { session: 's@3' },
      ),
      c1b2c3d4e5f6: {
        'metadata.json': JSON.stringify({ checkpoint_id: 'c1b2c3d4e5f6', session_id: 'flat' }),
        'full.log': 'no JSON at all',
        'prompt.txt': 'x',
      },
    });
    expect(problems(repo, '--read-data')).toEqual([]);
  });

  variation('with auto-commit, after scrub, and after a merge of two branches', (repo) => {
    repo.ready();
    repo.entire('enable', '--strategy', 'auto-commit', '--project');
    repo.git('commit', '--quiet', '--all', '-m', 'Switch');
    const session = turn(repo, 'a.txt');
    turn(repo, 'b.txt', session);
    writeFileSync(
      join(repo.dir, '.entire/settings.local.json'),
      JSON.stringify({ redaction: { custom_redactions: { words: 'write' } } }),
    );
    repo.entire('scrub', '--rewrite');
    expect(problems(repo, '--read-data')).toEqual([]);
    const origin = join(repo.scratch, 'origin.git');
    repo.git('init', '--quiet', '--bare', origin);
    repo.git('remote', 'add', 'origin', `file://${origin}`);
    repo.entire('push', '--yes');
    store(repo, { d1b2c3d4e5f6: checkpointFiles('d1b2c3d4e5f6', { session: 'other' }) }, 'refs/heads/theirs');
    repo.git('push', '--quiet', '--force', 'origin', `theirs:${METADATA}`);
    repo.entire('fetch');
    repo.git('branch', '-D', 'theirs');
    expect(problems(repo, '--read-data')).toEqual([]);
    expect(JSON.parse(repo.entire('verify', '--json').stdout).looked.checkpoints).toBe(3);
  });
});

variation(
  'tasks, transcripts of many parts, and remainders are as sound on branches as in checkpoints',
  (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('delegate');
    const agent = new SubAgent(session);
    agent.start();
    agent.edit('task.txt', 'by the task\n');
    agent.finish();
    for (let n = 0; n < 1500; n++) session.say(`line ${n} ${'words '.repeat(60)}`);
    session.edit('a.txt', 'a\n');
    session.stop();
    expect(problems(repo, '--read-data')).toEqual([]);
    const id = repo.commit('Add a', 'a.txt') as string; // task.txt is carried forward
    expect(repo.storedPaths(id).filter((path) => /full\.jsonl\.\d+$/.test(path)).length).toBeGreaterThan(1);
    session.prompt('more');
    session.say('and more');
    session.edit('b.txt', 'b\n');
    session.stop();
    repo.commit('Add the rest', 'b.txt', 'task.txt');
    turn(repo, 'c.txt', session);
    expect(problems(repo, '--read-data')).toEqual([]);
    const { looked } = JSON.parse(repo.entire('verify', '--read-data', '--json').stdout);
    expect(looked).toMatchObject({ checkpoints: 2, steps: 1 });
  },
);

describe('states and files beside them', () => {
  const files: ReadonlyArray<readonly [string, string, string | Uint8Array]> = [
    ['state-unreadable', 'entire-sessions/s.json', ''],
    ['state-unreadable', 'entire-sessions/s.json', Buffer.alloc(300)],
    ['state-unreadable', 'entire-sessions/s.json', '{"session_id":"s"'],
    ['state-unreadable', 'entire-sessions/s.json', '{"session_id":7}'],
    ['state-unreadable', 'entire/archive/s.json', '[]'],
    ['state-of-another', 'entire-sessions/s.json', '{"session_id":"t"}'],
    ['state-name-invalid', 'entire-sessions/..s.json', '{"session_id":"s"}'],
    ['state-set-aside', 'entire-sessions/s.json.corrupt-1700000000000', '{'],
    [
      'steps-missing',
      'entire-sessions/s.json',
      '{"session_id":"s","base_commit":"abc1234","checkpoint_count":2}',
    ],
    ['tracking-torn', 'entire-sessions/s.files', 'a.txt\nb.t'],
    ['tracking-line-invalid', 'entire-sessions/s.files', 'a.txt\n../b\n'],
    ['tracking-line-invalid', 'entire-sessions/s.files.claim-0123456789ab', 'a\n\0\0\n'],
    ['tracking-line-invalid', 'entire-sessions/s@side.files', Buffer.from([0x61, 0xff, 0x0a])],
    ['cache-unreadable', 'entire/sessions.json', '{'],
    ['cache-unreadable', 'entire/summaries.json', 'null'],
    ['cache-unreadable', 'entire/transcripts/s/index.json', ''],
    ['version-unknown', 'entire/transcripts/s/agents.json', '{"version":9}'],
    ['cache-unreadable', 'entire/transcripts/s/totals.json', '{'],
    ['version-unknown', 'entire/transcripts/s/unfinished.json', '{"version":2}'],
    ['record-unreadable', 'entire/compactions/s.json', '{'],
    ['cache-unreadable', 'entire/compaction-looks/s.json', '7'],
    ['record-unreadable', 'entire/positions/s.json', '{}'],
    ['record-unreadable', 'entire/reads/s.json', '"a.txt"\n\0\0\n'],
    ['record-unreadable', 'entire/snapshots/s/start.json', '{'],
    ['record-unreadable', 'entire/snapshots/s@side/looks.jsonl', '{"path":"a"}\n\0\0\n'],
    ['record-unreadable', 'entire/snapshots/s/edits.jsonl', 'x\n'],
    ['record-unreadable', 'entire/snapshots/s/edits/edits-1.jsonl', '\0'],
    ['record-unreadable', '../.entire/tmp/pre-prompt-s.json', '{'],
    ['record-unreadable', '../.entire/tmp/pre-task-t.json', '7'],
    ['record-unreadable', 'entire/turns/s.json', '{"version":'],
    ['version-unknown', 'entire/turns/s.json', '{"version":1}'],
    ['record-unreadable', 'entire/tasks/s.json', '7'],
    ['record-unreadable', 'entire/user-lines/s.json', '{}'],
    ['record-unreadable', 'entire/introductions/s.json', Buffer.alloc(10)],
    ['record-unreadable', 'entire/agent-settings/claude-code.json', '"'],
    ['record-unreadable', 'entire/push-notice.json', '{'],
    ['record-unreadable', 'entire/remote-urls.json', '[]'],
    ['privacy-unreadable', 'entire/paused.json', '{'],
    ['privacy-unreadable', 'entire/pauses/0123456789ab/begin.json', '{}'],
    ['privacy-unreadable', 'entire/pauses/0123456789ab/s.json', '7'],
    ['privacy-unreadable', 'entire/private/s.json', ''],
    ['privacy-unreadable', 'entire/private/@side.json', '{"version":'],
    ['privacy-unreadable', 'entire/forgotten/s.json', '[]'],
    ['owed-unreadable', 'entire/owed/0123456789ab.json', '{'],
    ['ledger-line-invalid', 'entire/verdicts.1.jsonl', '\n{"commit":"a"}\n'],
    ['ledger-line-invalid', 'entire/pushes.jsonl', '{"id":"x","at":"y","state":"started"}\n{\n'],
  ];

  variation('each kind of damage is named, with the file', (repo) => {
    busy(repo);
    for (const [code, path, content] of files) {
      const file = join(repo.commonDir, path);
      const before = existsSync(file) ? readFileSync(file) : undefined;
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, content);
      expectProblems(repo, [{ code, where: file }], path);
      if (before) writeFileSync(file, before);
      else repo.run('rm', [file]);
    }
    expect(problems(repo)).toEqual([]);
  });

  variation('what is no regular file, and a torn line at the end of verdicts', (repo) => {
    const { waiting } = busy(repo);
    const folder = join(repo.commonDir, 'entire-sessions', 'folder.files');
    mkdirSync(folder);
    expectProblems(repo, [{ code: 'tracking-not-a-file', where: folder }]);
    repo.run('rmdir', [folder]);
    repo.run('mkfifo', [folder]);
    expectProblems(repo, [{ code: 'tracking-not-a-file', where: folder }]);
    repo.run('rm', [folder]);
    repo.run('truncate', ['-s', '3G', folder]); // named with its size, and not read
    expectProblems(repo, [
      { code: 'tracking-not-a-file', where: folder, detail: expect.stringContaining('3.0 GiB') },
    ]);
    repo.run('rm', [folder]);
    appendFileSync(join(repo.commonDir, 'entire/verdicts.jsonl'), '{"commit":"ab');
    expectProblems(repo, [
      { code: 'ledger-line-invalid', where: join(repo.commonDir, 'entire/verdicts.jsonl') },
    ]);
    const { code, stdout } = repo.tryEntire('verify');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ledger-line-invalid: \S*verdicts\.jsonl \(line \d+\)\n {2}A line is not what Entire writes[^\n]*\n {2}Nothing has/,
    );
    expect(stdout).toMatch(/records: 1 problem found\.\n$/);
    expect(repo.tracked(waiting)).toEqual(['e.txt']);
  });

  variation('redacted lines of a cache are read with --read-data alone', (repo) => {
    const { waiting } = busy(repo);
    const file = join(repo.commonDir, 'entire/transcripts', waiting, 'redacted.jsonl');
    writeFileSync(file, `no JSON\n${readFileSync(file, 'utf8')}`);
    expect(problems(repo)).toEqual([]);
    expectProblems(repo, [{ code: 'cache-unreadable', where: file }], '', '--read-data');
  });
});
