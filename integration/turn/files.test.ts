import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('files of a session', () => {
  onBothBuilds(
    'are listed for people and for programs: of the newest session, or of the one that is named',
    (repo) => {
      repo.ready();
      const older = repo.session('older-1');
      older.prompt('Read');
      older.hook('post-file-read', 'PostToolUse-Read', {
        tool_input: { file_path: join(repo.dir, 'README.md') },
      });
      older.stop();
      expect(repo.entire('files').stdout).toBe(
        'Session older-1, active just now\n\nRead (1):\n  README.md\n',
      );
      const newer = repo.session('newer-2');
      newer.prompt('Write');
      newer.edit('a.txt', 'a\n');
      newer.shell(() => repo.write('b.txt', 'b\n'));
      newer.stop();
      repo.commit('Add both', 'a.txt', 'b.txt');
      expect(JSON.parse(repo.entire('files', '--json').stdout)).toEqual({
        session_id: 'newer-2',
        modified: ['a.txt', 'b.txt'],
        read: [],
        last_compaction: null,
      });
      expect(JSON.parse(repo.entire('files', '--session', 'olde', '--json').stdout)).toEqual({
        session_id: 'older-1',
        modified: [],
        read: ['README.md'],
        last_compaction: null,
      });
    },
  );

  variation('are none without a session, and a name that fits none or several is refused', (repo) => {
    repo.ready();
    expect(repo.tryEntire('files')).toMatchObject({ code: 1, stdout: '' });
    for (const id of ['abc-1', 'abc-2']) repo.session(id).prompt('Hello');
    expect(repo.tryEntire('files', '--session', 'abc-').stderr).toMatch(/abc-1 .*\n.*abc-2 /);
    expect(repo.tryEntire('files', '--session', 'nobody').stderr).toContain('no such session: nobody');
    expect(repo.entire('files', '--session', 'abc-1').stdout).toContain('No files so far.');
  });
});
