import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import * as z from 'zod';
import { linesOf } from '../support/command/stats.ts';
import { readGitAiNote, renderReadNote } from '../support/export/git-ai-reader.ts';
import { root } from '../support/process/builds.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

vi.setConfig({ testTimeout: 300_000 });

const ID = '11111111-aaaa-4bbb-8ccc-000000000001';
const MODEL = 'claude-sonnet-4-5';
const SCHEMA = z.fromJSONSchema(
  JSON.parse(readFileSync(join(root, 'integration', 'fixtures', 'agent-trace', 'trace-record.json'), 'utf8')),
);

/** What git has as the note, byte for byte. */
const noteOf = (repo: TestRepo, commit: string): Buffer =>
  execFileSync('git', ['cat-file', 'blob', repo.git('notes', '--ref=ai', 'list', commit)], {
    cwd: repo.dir,
    env: repo.env,
  });

const commitsOf = (repo: TestRepo, range: string): string[] => repo.git('rev-list', range).split('\n');

/** One session, a commit after each turn; every third has lines by hand beside the agent's. */
function session(repo: TestRepo, commits: number): void {
  repo.ready();
  const agent = repo.session(ID);
  agent.start();
  for (let at = 0; at < commits; at++) {
    agent.prompt(`part ${at}`);
    const text = [{ type: 'text', text: 'I see.' }];
    agent.write({
      type: 'assistant',
      message: { id: `m${at}`, role: 'assistant', model: MODEL, content: text },
    });
    const path = at % 4 === 0 ? `docs/user guide ${at}.md` : `src/part-${at % 7}.ts`;
    agent.edit(path, linesOf(`Part${at}`, 3));
    agent.stop();
    if (at % 3 === 0) repo.write(`src/hand-${at}.ts`, linesOf(`Hand${at}`, 2));
    repo.commit(`Part ${at}`, '.');
  }
}

describe('export', () => {
  variation('60 commits of a session: notes and records that the published formats accept', (repo) => {
    session(repo, 60);
    const said = repo.entire('export', '--format', 'git-ai', '--write-notes', 'HEAD~60..').stdout;
    expect(said).toBe('✓ 60 notes written to refs/notes/ai\n');
    const key = createHash('sha256').update(`claude:${ID}`).digest('hex').slice(0, 14);
    const human = createHash('sha256').update('Ada <ada@example.com>').digest('hex').slice(0, 14);
    expect(key).toBe('0eb597716bd15d'); // as the standard has it
    for (const [at, commit] of commitsOf(repo, 'HEAD~60..').reverse().entries()) {
      const bytes = noteOf(repo, commit).toString('utf8');
      const note = readGitAiNote(bytes);
      expect(renderReadNote(note)).toBe(bytes);
      expect(note.document.base_commit_sha).toBe(commit);
      expect(note.document.sessions).toMatchObject({
        [`s_${key}`]: {
          agent_id: { tool: 'claude', id: ID, model: MODEL },
          custom_attributes: { 'io.entire.checkpoint': repo.checkpointOf(commit) },
        },
      });
      const lines = note.files.map(({ path, entries }) => [
        path,
        entries.map(({ key: one, ranges }) => [one.slice(0, 16), ranges]),
      ]);
      const agents = [
        at % 4 === 0 ? `docs/user guide ${at}.md` : `src/part-${at % 7}.ts`,
        [[`s_${key}`, [[1, 3]]]],
      ];
      const hands = [`src/hand-${at}.ts`, [[`h_${human}`, [[1, 2]]]]];
      expect(Object.fromEntries(lines)).toEqual(
        Object.fromEntries(at % 3 === 0 ? [agents, hands] : [agents]),
      );
    }
    // A second clone that has the record says the same, byte for byte.
    const here = repo.dir;
    const printed = repo.entire('export', '--format', 'git-ai', 'HEAD~60..').stdout;
    repo.dir = `${repo.scratch}/second`;
    repo.gitWith({ cwd: here }, 'clone', '--quiet', `file://${here}`, repo.dir);
    repo.git('fetch', '--quiet', 'origin', 'entire/checkpoints/v1:entire/checkpoints/v1');
    expect(repo.entire('export', '--format', 'git-ai', 'HEAD~60..').stdout).toBe(printed);
    repo.dir = here;

    const records = repo.entire('export', '--format', 'agent-trace', 'HEAD~60..').stdout.trim().split('\n');
    expect(records).toHaveLength(60);
    for (const row of records) {
      const record = JSON.parse(row);
      expect(SCHEMA.safeParse(record).error, row).toBeUndefined();
      const ofAgent = record.files.find(({ path }: { path: string }) => !path.includes('hand'));
      expect(ofAgent.conversations[0]).toMatchObject({
        contributor: { type: 'ai', model_id: `anthropic/${MODEL}` },
        ranges: [{ start_line: 1, end_line: 3 }],
      });
    }
    expect(SCHEMA.safeParse({ ...JSON.parse(records[0] ?? ''), version: '1.0' }).success).toBe(false);
    expect(repo.entire('export', '--format', 'agent-trace', 'HEAD~60..').stdout.trim().split('\n')).toEqual(
      records,
    );
  });

  variation('a note of another program stays, and one of ours is written anew', (repo) => {
    session(repo, 3);
    const [newest = '', middle = '', oldest = ''] = commitsOf(repo, 'HEAD~3..');
    const foreign = 'src/a.ts\n  h_0123456789abcd 1\n---\n{"schema_version":"authorship/3.0.0"}\n\n\n';
    repo.write('note', foreign);
    repo.git('notes', '--ref=ai', 'add', '-C', repo.git('hash-object', '-w', 'note'), newest);
    repo.entire('export', '--format', 'git-ai', '--write-notes', 'HEAD~3..');
    expect(noteOf(repo, newest).toString()).toBe(foreign);
    const ours = noteOf(repo, middle).toString();
    const older = ours.replace(MODEL, 'another');
    repo.write('note', older);
    repo.git('notes', '--ref=ai', 'add', '--force', '-C', repo.git('hash-object', '-w', 'note'), middle);
    repo.write('note', ours.replace('"schema_version"', '"git_ai_version": "1.6.24",\n  "schema_version"'));
    repo.git('notes', '--ref=ai', 'add', '--force', '-C', repo.git('hash-object', '-w', 'note'), oldest);
    expect(repo.entire('export', '--format', 'git-ai', '--write-notes', 'HEAD~3..').stdout).toBe(
      '✓ 1 note written to refs/notes/ai; 2 left: another program wrote the note\n',
    );
    expect(noteOf(repo, middle).toString()).toBe(ours);
    expect(noteOf(repo, oldest).toString()).toContain('1.6.24');
  });

  variation('unknown lines are in no note, and paths that the format cannot name are left out', (repo) => {
    repo.ready();
    repo.write('before.txt', 'nobody knows\n').git('add', '.');
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'Without hooks');
    const agent = repo.session(ID);
    agent.prompt('odd names');
    for (const name of ['line\nend.ts', '---', '"quoted".ts', ' blank ', 'tab\t.ts', 'plain.ts'])
      agent.edit(name, linesOf('Odd', 1));
    agent.stop();
    repo.commit('Odd', '.');
    const { stdout, stderr } = repo.entire('export', '--format', 'git-ai', 'HEAD~2..');
    const [commit, unknown] = commitsOf(repo, 'HEAD~2..');
    expect(stdout.startsWith(`commit ${commit}\n`)).toBe(true);
    expect(stdout).not.toContain(`commit ${unknown}`);
    const note = readGitAiNote(
      stdout
        .slice(stdout.indexOf('\n') + 1)
        .trimEnd()
        .concat('\n'),
    );
    expect(note.files.map(({ path }) => path)).toEqual([' blank ', '"quoted".ts', 'plain.ts', 'tab\t.ts']);
    expect(stderr).toContain('which is left out: ---');
    expect(stderr).not.toContain('"line'); // git tells of no such name, so that its lines are unknown
    const json = repo
      .entire('export', '--format', 'json', 'HEAD~2..')
      .stdout.trim()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(json[0].files).toHaveLength(6);
    expect(json[1].files[0].ranges).toEqual([
      {
        first: 1,
        last: 1,
        class: 'unknown',
        reason: 'no-record',
        session_id: null,
        checkpoint: null,
        person: null,
      },
    ]);
    expect(repo.entire('export', '--format', 'json', '-o', 'out', 'HEAD~2..').stdout).toBe(
      '✓ 2 files written to out\n',
    );
    expect(readdirSync(join(repo.dir, 'out')).sort()).toEqual(
      [commit, unknown].map((oid) => `${oid}.json`).sort(),
    );
    expect(repo.tryEntire('export').code).toBe(2);
    expect(repo.tryEntire('export', '--format', 'json', '--write-notes').stderr).toContain(
      '--write-notes goes with',
    );
  });

  variation('each commit gets a note where the settings ask for it, and no push takes it along', (repo) => {
    repo.ready();
    const bare = `${repo.scratch}/bare.git`;
    repo.git('init', '--quiet', '--bare', bare);
    repo.git('remote', 'add', 'origin', `file://${bare}`);
    const agent = repo.session(ID);
    agent.prompt('one');
    agent.edit('one.ts', linesOf('One', 2));
    agent.stop();
    repo.commit('One', 'one.ts');
    expect(repo.tryGit('rev-parse', '--verify', '--quiet', 'refs/notes/ai').code).toBe(1);
    repo.entire('config', 'set', 'export.git_ai_notes', 'true');
    agent.prompt('two');
    agent.edit('two.ts', linesOf('Two', 2));
    agent.stop();
    repo.commit('Two', 'two.ts');
    expect(readGitAiNote(noteOf(repo, 'HEAD').toString()).files[0]).toMatchObject({ path: 'two.ts' });
    repo.write('hand.ts', linesOf('Hand', 2));
    repo.commit('By hand', 'hand.ts');
    expect(readGitAiNote(noteOf(repo, 'HEAD').toString()).files[0]?.entries[0]?.key).toMatch(/^h_/);
    repo.git('push', '--quiet', 'origin', 'main');
    expect(repo.git('ls-remote', 'origin')).not.toContain('notes/ai');
    // Whatever is wrong with that ref: the commit is made, and nobody hears of it but the log.
    repo.git('update-ref', 'refs/notes/ai', repo.git('hash-object', '-w', 'hand.ts'));
    repo.write('more.ts', linesOf('More', 2)).git('add', 'more.ts');
    const made = repo.tryGit('commit', '--quiet', '-m', 'More');
    expect(made).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(repo.logText()).toContain('note for git-ai not written');
    repo.git('update-ref', '-d', 'refs/notes/ai');
  });

  variation('Entire’s own set-up is nobody’s work, as in stats', (repo) => {
    repo.ready();
    repo.write('mine.ts', linesOf('Mine', 2)).git('add', '--all', '--force', '.entire', '.claude');
    repo.commit('Set up, and more', 'mine.ts');
    const { files } = JSON.parse(repo.entire('export', '--format', 'json', 'HEAD~1..').stdout);
    expect(files.map(({ path }: { path: string }) => path)).toEqual(['mine.ts']);
  });

  variation('says why there can be no folder', (repo) => {
    repo.ready().write('a.txt', 'a\n');
    const refused = (folder: string) => repo.tryEntire('export', '--format', 'json', '-o', folder).stderr;
    const hint = 'Hint: Give --output a folder that you can write to; it is made where it is not there.\n';
    expect(refused('a.txt')).toBe(`Error: the folder a.txt could not be made: a file stands there\n${hint}`);
    expect(refused('a.txt/b')).toContain('a file stands on its way');
    expect(refused('/proc/x')).toContain('/proc/x could not be made: no folder can be made there');
  });
});
