import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { classes } from '../support/command/blame.ts';
import { withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('lines that no commit has', () => {
  scenario(
    'a file that git does not track yet: the agent’s lines and the person’s; no index is touched',
    (repo) => {
      withWork(repo, { 'new.txt': 'by the agent\n}\n' });
      repo.write('new.txt', 'by the agent\n}\nby hand\n').write('mine.txt', 'by hand\n');
      const index = join(repo.commonDir, 'index');
      repo.git('config', 'core.splitIndex', 'true');
      const [before, beside] = [lstatSync(index), readdirSync(repo.commonDir)];
      expect(classes(repo, 'new.txt')).toEqual(['agent:written', 'agent:neighbours', 'human:not-written']);
      expect(classes(repo, 'mine.txt')).toEqual(['human:untouched']);
      expect(repo.entire('blame', 'new.txt').stdout).toMatch(/^------- Claude Code .* 1\) by the agent\n/);
      expect(lstatSync(index)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
      expect(readdirSync(repo.commonDir)).toEqual(beside);
      repo.git('config', '--unset', 'core.splitIndex');
      expect(repo.git('status', '--porcelain', '--', '*.txt')).toBe('?? mine.txt\n?? new.txt');
    },
  );

  variation(
    'braces that somebody put in elsewhere are not those of the session in the same commit',
    (repo) => {
      const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`);
      repo.ready().write('a.txt', `${lines.join('\n')}\n`);
      repo.commit('Add a', 'a.txt');
      const session = repo.session();
      session.prompt('Change the top');
      session.edit('a.txt', ['line 0', 'by the agent', ...lines.slice(2), ''].join('\n'));
      session.stop();
      repo.write(
        'a.txt',
        ['line 0', 'by the agent', ...lines.slice(2, 6), '}', '', '{', ...lines.slice(6), ''].join('\n'),
      );
      const all = ['agent:written', ...['unknown', 'unknown', 'unknown'].map((kind) => `${kind}:unseen`)];
      const changed = () => [1, 6, 7, 8].map((at) => classes(repo, 'a.txt')[at]);
      expect(changed()).toEqual(all);
      repo.commit('Both', 'a.txt');
      expect(changed()).toEqual(all);
    },
  );

  variation('what nobody can have seen is nobody’s: off, paused, or while a session is at work', (repo) => {
    repo.init();
    repo.write('README.md', 'x\n').commit('Begin', 'README.md');
    repo.write('new.txt', 'by whom?\n');
    expect(classes(repo, 'new.txt')).toEqual(['unknown:unseen']);
    repo.entire('enable', '--agent', 'claude-code');
    expect(classes(repo, 'new.txt')).toEqual(['human:untouched']);
    repo.entire('pause');
    expect(classes(repo, 'new.txt')).toEqual(['unknown:unseen']);
    repo.entire('pause', '--end');
    const session = repo.session();
    session.prompt('Run the generator');
    expect(classes(repo, 'new.txt')).toEqual(['unknown:unseen']);
    session.stop();
    repo.entire('disable');
    expect(classes(repo, 'new.txt')).toEqual(['unknown:unseen']);
  });

  variation('a brace below a line that somebody changed may be the agent’s still', (repo) => {
    withWork(repo, { 'f.js': 'function f() {\n  return 1;\n}\n' });
    repo.write('f.js', 'function f() {\n  return 10;\n}\n');
    expect(classes(repo, 'f.js')).toEqual(['agent:written', 'human:not-written', 'unknown:unseen']);
    repo.commit('Add f', 'f.js');
    expect(classes(repo, 'f.js').at(-1)).toBe('unknown:unseen');
  });

  variation(
    'files of another repository are its own; before the first commit all lines wait for one',
    (repo) => {
      repo.ready();
      repo.git('init', '--quiet', 'inner');
      repo.write('inner/f.txt', 'x\n');
      const refused = repo.tryEntire('blame', 'inner/f.txt');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain(`inner/f.txt is in another repository: ${join(repo.dir, 'inner')}`);
      repo.git('checkout', '--quiet', '--orphan', 'fresh');
      repo.write('new.txt', 'one\ntwo\n');
      expect(classes(repo, 'new.txt')).toEqual(['human:untouched', 'human:untouched']);
    },
  );
});
