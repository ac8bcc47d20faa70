import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const storeOf = (repo: TestRepo, id: string) => join(repo.commonDir, 'entire', 'snapshots', id);
const blobsOf = (repo: TestRepo, id: string) => readdirSync(join(storeOf(repo, id), 'blobs'));

/** Nothing of the store is young any more. */
function age(repo: TestRepo, id: string): void {
  for (const name of blobsOf(repo, id)) utimesSync(join(storeOf(repo, id), 'blobs', name), 1, 1);
}

/** Text that no compression would help, of so many MiB. */
const noise = (mib: number, seed: number): string => {
  let text = '';
  for (let state = seed; text.length < mib << 20; ) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    text += `${state}\n`;
  }
  return text;
};

function setBudget(repo: TestRepo, mib: number): void {
  const file = join(repo.dir, '.entire', 'settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  settings.strategy_options = { ...settings.strategy_options, snapshots: { budget_mb: mib } };
  writeFileSync(file, JSON.stringify(settings));
}

describe('gc', () => {
  onBothBuilds('takes away what no step needs, and nothing that undo needs', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    addWork(repo, { 'a.txt': 'two\n' }, session);
    writeFileSync(join(storeOf(repo, session.id), 'blobs', 'e'.repeat(64)), 'stray\n');
    age(repo, session.id);
    expect(repo.entire('gc', '--dry-run').stdout).toContain('1 content that no step needs would be removed');
    expect(repo.entire('gc').stdout).toContain('1 content that no step needs removed');
    expect(repo.entire('gc').stdout).toContain('Nothing to remove.');
    repo.entire('undo', '--steps', '2');
    expect(repo.exists('a.txt')).toBe(false);
    age(repo, session.id);
    repo.entire('gc');
    repo.entire('redo');
    expect(repo.read('a.txt')).toBe('two\n');
  });

  variation('beyond the budget the oldest steps go, and it says which', (repo) => {
    repo.ready();
    setBudget(repo, 64);
    const session = repo.session();
    for (let turn = 1; turn <= 4; turn++) {
      session.prompt(`turn ${turn}`);
      session.shell(() => repo.write('big.txt', noise(20, turn)));
      session.edit('small.txt', `${turn}\n`);
      session.stop();
    }
    age(repo, session.id);
    const preview = JSON.parse(repo.entire('gc', '--dry-run', '--json').stdout);
    expect(preview.evicted).toEqual([expect.objectContaining({ session_id: session.id, steps: 2 })]);
    expect(repo.entire('gc').stdout).toMatch(
      /2 steps of .* removed, beyond the budget: .*cannot be undone any more/,
    );
    const { undo } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
    expect(undo.map(({ subject }: { subject: string }) => subject)).toEqual(['Turn 4', 'Turn 3']);
    repo.entire('undo', '--steps', '2');
    expect(repo.read('big.txt') === noise(20, 2)).toBe(true);
    expect(repo.read('small.txt')).toBe('2\n');
  });

  variation('no step goes where what no step needs is all that is beyond the budget', (repo) => {
    repo.ready();
    setBudget(repo, 64);
    const session = addWork(repo, { 'a.txt': 'one\n' });
    addWork(repo, { 'a.txt': 'two\n' }, session);
    const stray = join(storeOf(repo, session.id), 'blobs', 'e'.repeat(64));
    writeFileSync(stray, '');
    truncateSync(stray, 65 << 20);
    age(repo, session.id);
    const { evicted } = JSON.parse(repo.entire('gc', '--json').stdout);
    expect([evicted, existsSync(stray)]).toEqual([[], false]);
    repo.entire('undo', '--steps', '2');
    expect(repo.exists('a.txt')).toBe(false);
  });

  variation('what a killed command was about to write goes, except while it can be finished', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    const staging = join(storeOf(repo, session.id), 'staging-0123');
    mkdirSync(staging);
    writeFileSync(join(staging, 'new-0'), 'half');
    repo.entire('gc');
    expect(existsSync(staging)).toBe(true); // a moment old
    utimesSync(staging, 1, 1);
    repo.entire('gc');
    expect(existsSync(staging)).toBe(false);
  });

  variation('runs by itself in the background, once a day', async (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    const last = join(repo.commonDir, 'entire', 'last-gc');
    const stray = join(storeOf(repo, session.id), 'blobs', 'e'.repeat(64));
    writeFileSync(stray, 'stray\n');
    age(repo, session.id);
    addWork(repo, { 'a.txt': 'two\n' }, session);
    expect(existsSync(stray)).toBe(true);
    utimesSync(last, 1, 1);
    addWork(repo, { 'a.txt': 'three\n' }, session);
    for (let wait = 0; existsSync(stray) && wait < 200; wait++)
      await new Promise((done) => setTimeout(done, 50));
    expect(existsSync(stray)).toBe(false);
    expect(statSync(last).mtimeMs).toBeGreaterThan(1e12);
    for (let wait = 0; !repo.logText().includes('looked through') && wait < 200; wait++)
      await new Promise((done) => setTimeout(done, 50));
    expect(repo.logText()).toContain('kept for undo: looked through');
  });

  variation('leaves alone what it cannot read, and says so', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    const snaps = join(storeOf(repo, session.id), 'snaps');
    writeFileSync(join(snaps, readdirSync(snaps)[0] as string), '');
    age(repo, session.id);
    const before = blobsOf(repo, session.id);
    expect(repo.entire('gc').stdout).toContain(`${session.id} left alone: `);
    expect(blobsOf(repo, session.id)).toEqual(before);
  });

  variation('removes nothing where the settings cannot be read, which may allow more', (repo) => {
    repo.ready();
    for (const text of ['{', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`]) {
      writeFileSync(join(repo.dir, '.entire', 'settings.json'), text);
      const { code, stderr } = repo.tryEntire('gc');
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('.entire/settings.json is not read: '),
      });
      expect(repo.entire('status').stdout).toContain('settings.json is not read, and permits nothing');
    }
  });

  variation('without anything kept says so', (repo) => {
    repo.ready();
    expect(repo.entire('gc').stdout).toBe('Kept for undo: 0 bytes of 1 GiB. Nothing to remove.\n');
  });
});
