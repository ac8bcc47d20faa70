import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const SECRET = 'nobody knows this sentence about the harbour';

/** What a payload may name, and what the log says of it. */
const NAMED: Record<string, { plant: (file: string) => void; why: string }> = {
  'a file that is no transcript': {
    plant: (file) => writeFileSync(file, `root:x:0:0:${SECRET}:/root:/bin/sh\n`),
    why: 'does not begin like a transcript',
  },
  'a file with keys': {
    plant: (file) => writeFileSync(file, JSON.stringify({ token: SECRET })),
    why: 'does not begin like a transcript',
  },
  'a link to one': {
    plant: (file) => {
      writeFileSync(`${file}.real`, `${SECRET}\n`);
      symlinkSync(`${file}.real`, file);
    },
    why: 'does not begin like a transcript',
  },
  'a device that never ends': { plant: (file) => symlinkSync('/dev/zero', file), why: 'not a regular file' },
  'a folder': { plant: (file) => mkdirSync(file), why: 'not a regular file' },
};

/** Everything that git holds here, as text. */
const objects = (repo: TestRepo): string =>
  repo.run('sh', ['-c', 'git cat-file --batch --batch-all-objects']).stdout;

describe('a payload names as transcript', () => {
  for (const [what, { plant, why }] of Object.entries(NAMED)) {
    variation(`${what}: nothing of it is stored, the files are recorded, and status says why`, (repo) => {
      repo.ready();
      const session = repo.session();
      const file = join(repo.home, 'named');
      plant(file);
      const named = { transcript_path: file };
      session.prompt('write a', named);
      session.editWithoutHook('a.txt', 'one\n');
      session.reportEdit('a.txt', named);
      session.hook('pre-task', 'PreToolUse-Agent', named);
      session.hook('subagent-stop', 'SubagentStop', { ...named, agent_transcript_path: file });
      session.hook('stop', 'Stop', named);
      const id = repo.commit('Add a', 'a.txt') as string;
      expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [session.id] });
      expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
      expect(repo.storedPaths(id)).not.toContain('0/full.jsonl');
      expect(objects(repo)).not.toContain(SECRET);
      expect(repo.run('grep', ['-r', SECRET, '.git', '.entire']).stdout).toBe('');
      expect(repo.entire('status').stdout).toContain(why);
    });
  }

  variation('a file that becomes another one between two hooks: what was stored stays', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a');
    session.edit('a.txt', 'one\n');
    session.stop('Written.');
    session.prompt('write b');
    session.edit('b.txt', 'two\n');
    const before = readFileSync(session.transcript, 'utf8');
    rmSync(session.transcript);
    writeFileSync(session.transcript, `${SECRET}\n`);
    session.hook('stop', 'Stop');
    const id = repo.commit('Add both', 'a.txt', 'b.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt', 'b.txt']);
    expect(repo.stored(id, '0/full.jsonl')).toContain('Written.');
    expect(objects(repo)).not.toContain(SECRET);
    writeFileSync(session.transcript, before);
    session.prompt('go on');
    session.edit('c.txt', 'three\n');
    session.stop('Went on.');
    expect(repo.stored(repo.commit('Add c', 'c.txt') as string, '0/full.jsonl')).toContain('Went on.');
  });
});
