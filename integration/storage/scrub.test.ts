import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const METADATA = 'entire/checkpoints/v1';
const ADDRESS = 'ada@acme.dev';
// Joined here, so that the repository holds nothing that looks like a live key.
const SECRET = ['sb_', 'secret_', 'k3J9'.repeat(6)].join('');

/** A checkpoint and an unfinished session that hold what the settings ask for only now. */
function storedEarlier(repo: TestRepo): { id: string; shadow: string; session: string } {
  repo.ready();
  const session = repo.session();
  session.prompt(`ask ${ADDRESS} what to write`);
  session.edit('a.txt', `for ${ADDRESS}\n`);
  session.stop(`${ADDRESS} said so`);
  const id = repo.commit('Add a', 'a.txt') as string;
  session.prompt(`tell ${ADDRESS} about b`);
  session.edit('b.txt', 'two\n');
  session.stop();
  session.edit('b.txt', 'three\n');
  session.stop();
  const file = join(repo.dir, '.entire/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...settings, redaction: { pii: { enabled: true } } }));
  return { id, shadow: repo.shadowBranches()[0] as string, session: session.id };
}

/** Every version of every text of sessions that a branch reaches. */
const textsOf = (repo: TestRepo, branch: string): string =>
  repo.git('log', '-p', '--format=%B', branch, '--', ...(branch === METADATA ? [] : ['.entire/metadata']));

/** With the newline at its end. */
const rawTranscript = (repo: TestRepo, id: string): string =>
  repo.run('git', ['show', `${METADATA}:${id.slice(0, 2)}/${id.slice(2)}/0/full.jsonl`]).stdout;

const expectHash = (repo: TestRepo, id: string): void => {
  const digest = createHash('sha256').update(rawTranscript(repo, id)).digest('hex');
  expect(repo.stored(id, '0/content_hash.txt')).toBe(`sha256:${digest}`);
};

onBothBuilds(
  'scrub puts a commit on top of the metadata branch, and says what keeps the old text',
  (repo) => {
    const { id, shadow, session } = storedEarlier(repo);
    const before = repo.git('rev-parse', METADATA);
    const steps = repo.git('log', '--format=%an %ad', shadow);

    const trial = JSON.parse(repo.entire('scrub', '--dry-run', '--json').stdout);
    expect(trial).toMatchObject({ dry_run: true, rules: { 'pii:email': expect.any(Number) } });
    expect(repo.git('rev-parse', METADATA)).toBe(before);
    expect(textsOf(repo, shadow)).toContain(ADDRESS);

    const { stdout } = repo.entire('scrub');
    expect(stdout).toContain('pii:email');
    expect(stdout).toContain('entire/checkpoints/v1: a new commit');
    expect(stdout).toContain('older commits of entire/checkpoints/v1 keep the old text');
    expect(repo.git('rev-parse', `${METADATA}^`)).toBe(before);
    for (const path of ['0/full.jsonl', '0/prompt.txt', '0/context.md']) {
      expect(repo.stored(id, path)).toContain('[REDACTED_EMAIL]');
      expect(repo.stored(id, path)).not.toContain(ADDRESS);
    }
    expectHash(repo, id);
    expect(textsOf(repo, shadow)).not.toContain(ADDRESS);
    expect(repo.git('log', '--format=%an %ad', shadow)).toBe(steps);
    expect(repo.git('show', `${shadow}:a.txt`)).toContain(ADDRESS); // the user's own file
    expect(readdirSync(join(repo.dir, '.git/entire/transcripts'))).toEqual([]);
    expect(repo.state(session).first_prompt).toBe('ask [REDACTED_EMAIL] what to write');

    const again = JSON.parse(repo.entire('scrub', '--json').stdout);
    expect(again.branches.map(({ done }: { done: string }) => done)).not.toContain('commit');
  },
);

variation('scrub --rewrite leaves nothing in the history of the branch, and work goes on', (repo) => {
  const { id } = storedEarlier(repo);
  const commits = repo.git('rev-list', '--count', METADATA);
  const report = JSON.parse(repo.entire('scrub', '--rewrite', '--json').stdout);
  expect(report.branches).toContainEqual({ name: METADATA, done: 'rewritten', older_commits: false });
  expect(repo.git('rev-list', '--count', METADATA)).toBe(commits);
  expect(textsOf(repo, METADATA)).not.toContain(ADDRESS);
  expectHash(repo, id);
  expect(repo.git('for-each-ref', 'refs/entire/')).toBe('');
  const next = repo.commit('Add b', 'b.txt') as string;
  expect(repo.stored(next, '0/full.jsonl')).not.toContain(ADDRESS);
  expectHash(repo, next);
  expect(JSON.parse(repo.entire('scrub', '--json').stdout)).toMatchObject({ found: 0 });
});

variation('scrub replaces what a summary says, and nothing else of the metadata', (repo) => {
  repo.ready();
  const id = 'a1b2c3d4e5f6';
  const files = checkpointFiles(id, {
    session: 's',
    metadata: {
      files_touched: [`for ${ADDRESS}.txt`],
      summary: { intent: `Write to ${ADDRESS}`, outcome: 'Done', friction: ['none'] },
    },
  });
  store(repo, { [id]: files });
  const settings = { enabled: true, strategy: 'manual-commit', redaction: { pii: { enabled: true } } };
  writeFileSync(join(repo.dir, '.entire/settings.json'), JSON.stringify(settings));
  repo.entire('scrub');
  const before = JSON.parse(files['0/metadata.json'] as string) as { summary: object };
  expect(JSON.parse(repo.stored(id, '0/metadata.json'))).toEqual({
    ...before,
    summary: { ...before.summary, intent: 'Write to [REDACTED_EMAIL]' },
  });
  expect(repo.stored(id, 'metadata.json')).toBe((files['metadata.json'] as string).trimEnd());
});

variation('scrub finds texts under names of other versions', (repo) => {
  repo.ready();
  const id = 'a1b2c3d4e5f6';
  const files = checkpointFiles(id, { session: 's', transcript: '{"text":"x"}' });
  const line = (text: string) => JSON.stringify({ text, id: text });
  store(repo, { [id]: { ...files, '0/full.log': line(SECRET), '0/notes.txt': `see ${SECRET}` } });
  repo.entire('scrub');
  expect(repo.stored(id, '0/full.log')).toBe(line(SECRET).replace(SECRET, 'REDACTED'));
  expect(repo.stored(id, '0/notes.txt')).toBe('see REDACTED');
  for (const [path, text] of Object.entries(files)) expect(repo.stored(id, path)).toBe(text.trimEnd());
});

variation('scrub does not call changed what it leaves in older commits', (repo) => {
  repo.ready();
  const id = 'a1b2c3d4e5f6';
  const slot = (text: string) => ({
    [id]: checkpointFiles(id, { session: 's', transcript: `{"text":"${text}"}` }),
  });
  store(repo, slot(SECRET));
  store(repo, slot('x'));
  const before = repo.git('rev-parse', METADATA);
  const { stdout } = repo.entire('scrub');
  expect(repo.git('rev-parse', METADATA)).toBe(before);
  expect(stdout).toMatch(/^Checked \d+ stored texts: 1 needed redaction\.$/m);
  expect(stdout).toContain(`${METADATA}: nothing to change at its tip`);
  expect(stdout).not.toMatch(/changed/);
});

variation('scrub --rewrite says that a remote brings the old text back', (repo) => {
  repo.ready();
  const id = 'a1b2c3d4e5f6';
  store(repo, { [id]: checkpointFiles(id, { session: 's', transcript: `{"text":"${SECRET}"}` }) });
  repo.git('update-ref', `refs/remotes/origin/${METADATA}`, METADATA);
  repo.git('update-ref', 'refs/entire/remotes/0123456789ab', METADATA);
  const comesBack = 'the next push or fetch would bring its old text back';
  const { stdout } = repo.entire('scrub', '--rewrite');
  expect(stdout).toContain(`the branch on the remote origin: ${comesBack}`);
  expect(stdout).toContain(
    `the branch on the remote that checkpoint_remote or a pushurl names: ${comesBack}`,
  );
  expect(repo.entire('scrub').stdout).not.toContain(comesBack);
});

variation('scrub finds what only a commit message says', (repo) => {
  repo.ready();
  const id = 'a1b2c3d4e5f6';
  store(repo, { [id]: checkpointFiles(id, { session: 's', transcript: '{"text":"x"}' }) });
  const tree = repo.git('rev-parse', `${METADATA}^{tree}`);
  const message = `Checkpoint: ${id}\n\nTodo: ${SECRET}\n`;
  const tip = repo.git('commit-tree', tree, '-p', METADATA, '-m', message);
  repo.git('update-ref', `refs/heads/${METADATA}`, tip);
  expect(repo.entire('scrub').stdout).toContain('older commits of entire/checkpoints/v1 keep the old text');
  repo.entire('scrub', '--rewrite');
  expect(repo.message(METADATA)).toBe(`Checkpoint: ${id}\n\nTodo: REDACTED`);
  expect(repo.git('rev-parse', `${METADATA}^{tree}`)).toBe(tree);
  const again = JSON.parse(repo.entire('scrub', '--rewrite', '--json').stdout);
  expect(again.branches).toEqual([{ name: METADATA, done: 'nothing', older_commits: false }]);
});

variation('scrub --dry-run waits for no session; without it the caches wait for their sessions', (repo) => {
  const { session } = storedEarlier(repo);
  const lock = join(repo.dir, '.git/entire-sessions', `${session}.lock`);
  mkdirSync(lock);
  writeFileSync(join(lock, `pid-${process.pid}`), '');
  expect(repo.entire('scrub', '--dry-run').stdout).toContain('1 session state would change');
  expect(repo.tryEntire('scrub')).toMatchObject({ code: 1, stderr: expect.stringContaining('holds') });
  expect(readdirSync(join(repo.dir, '.git/entire/transcripts'))).toEqual([session]);
  rmSync(lock, { recursive: true });
  expect(repo.entire('scrub').stdout).toContain('1 transcript cache deleted');
});

variation('scrub does what it can where objects are missing, and says so', (repo) => {
  repo.ready();
  repo.git('config', 'fastimport.unpackLimit', '1000000');
  const id = 'a1b2c3d4e5f6';
  const slot = { session: 's', prompts: ['p'], transcript: `{"text":"${SECRET}"}` };
  store(repo, { [id]: checkpointFiles(id, slot) });
  const lost = repo.git('rev-parse', `${METADATA}:${id.slice(0, 2)}/${id.slice(2)}/0/prompt.txt`);
  const file = join(repo.dir, '.git/objects', lost.slice(0, 2), lost.slice(2));
  const kept = readFileSync(file);
  rmSync(file);
  const { code, stderr } = repo.tryEntire('scrub', '--rewrite');
  expect({ code, isNamed: stderr.includes(lost) }).toEqual({ code: 1, isNamed: true });
  expect(repo.entire('scrub').stdout).toContain('  - 1 object that this repository lacks');
  expect(repo.stored(id, '0/full.jsonl')).toBe('{"text":"REDACTED"}');
  writeFileSync(file, kept);
});

variation('scrub follows the settings of a repository that is disabled, too', (repo) => {
  const { id } = storedEarlier(repo);
  repo.entire('disable');
  repo.entire('scrub');
  expect(repo.stored(id, '0/full.jsonl')).not.toContain(ADDRESS);
});

variation('scrub in a repository without records has nothing to do; elsewhere it says so', (repo) => {
  repo.ready();
  expect(repo.entire('scrub').stdout).toContain('Checked 0 stored texts: 0 needed redaction.');
  writeFileSync(join(repo.dir, '.entire/settings.json'), '{');
  expect(repo.tryEntire('scrub')).toMatchObject({ code: 1, stderr: expect.stringContaining('unreadable') });
  expect(repo.tryEntire('scrub', '--all')).toMatchObject({ code: 2 });
});

variation('prompts in the records for undo, and in the states that a rewind would put back', (repo) => {
  const { session } = storedEarlier(repo);
  const [point] = JSON.parse(repo.entire('rewind', '--list').stdout);
  repo.entire('rewind', '--to', point.id);
  const snaps = join(repo.commonDir, 'entire/snapshots', session, 'snaps');
  const texts = () => readdirSync(snaps).map((name) => readFileSync(join(snaps, name), 'utf8'));
  const held = texts().filter((text) => text.includes(ADDRESS)).length;
  expect(held).toBeGreaterThan(2);
  expect(JSON.parse(repo.entire('scrub', '--dry-run', '--json').stdout).steps).toBe(held);
  expect(texts().filter((text) => text.includes(ADDRESS))).toHaveLength(held);
  expect(repo.entire('scrub').stdout).toContain(`  ${held} records for undo changed\n`);
  expect(texts().join('')).not.toContain(ADDRESS);
  expect(repo.entire('undo', '--list', '--json').stdout).not.toContain(ADDRESS);
  expect(repo.entire('undo', '--force').stdout).not.toContain('went on since the rewind');
  expect(repo.read('b.txt')).toBe('three\n');
  expect(repo.state(session).first_prompt).not.toContain(ADDRESS);
});

variation('prompts in the states of sessions that went back along with a rewind', (repo) => {
  const { session } = storedEarlier(repo);
  const file = join(repo.dir, '.entire/settings.json');
  const rules = readFileSync(file, 'utf8');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(rules), redaction: {} }));
  const other = repo.session();
  other.prompt(`Write to ${ADDRESS}`);
  other.edit('other.txt', 'other\n');
  other.stop();
  const points = JSON.parse(repo.entire('rewind', '--list').stdout);
  repo.entire(
    'rewind',
    '--to',
    points.find((point: { session_id: string }) => point.session_id === session).id,
  );
  expect(repo.exists('other.txt')).toBe(false);
  writeFileSync(file, rules);
  repo.entire('scrub');
  const snaps = join(repo.commonDir, 'entire/snapshots', session, 'snaps');
  expect(
    readdirSync(snaps)
      .map((name) => readFileSync(join(snaps, name), 'utf8'))
      .join(''),
  ).not.toContain(ADDRESS);
  repo.entire('undo');
  expect(repo.read('other.txt')).toBe('other\n');
});
