import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { viewOf } from '../support/undo/view.ts';

/** A repository in which `CLAUDE.md` leads to `AGENTS.md` by two links, and `documents` to a folder. */
function withLinks(repo: TestRepo): void {
  repo.ready();
  repo.write('AGENTS.md', 'for all\n').write('docs/guide.md', 'guide\n');
  for (const [target, link] of [
    ['AGENTS.md', 'CLAUDE.md'],
    ['CLAUDE.md', 'GEMINI.md'],
    ['docs', 'documents'],
  ] as const)
    symlinkSync(target, join(repo.dir, link));
  repo.commit('Links', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'docs', 'documents');
}

describe('an edit through a link', () => {
  variation('is one of the file behind it, and the link stays', (repo) => {
    withLinks(repo);
    const before = viewOf(repo.dir);
    const session = repo.session();
    session.prompt('say it to all of them');
    session.edit('GEMINI.md', 'for all, and more\n');
    session.edit('documents/guide.md', 'guide, too\n');
    session.edit('documents/new.md', 'new\n');
    const tracked = readFileSync(join(repo.commonDir, 'entire-sessions', `${session.id}.files`), 'utf8');
    expect(tracked).toBe('AGENTS.md\ndocs/guide.md\ndocs/new.md\n');
    session.stop();
    const after = viewOf(repo.dir);
    expect(readlinkSync(join(repo.dir, 'CLAUDE.md'))).toBe('AGENTS.md');
    expect(repo.entire('undo').stdout).toContain('  restored  AGENTS.md');
    expect(viewOf(repo.dir)).toEqual(before);
    expect(repo.git('status', '--porcelain')).toBe('');
    repo.entire('redo');
    expect(viewOf(repo.dir)).toEqual(after);
    repo.entire('undo', '--files', 'CLAUDE.md');
    expect([repo.read('AGENTS.md'), repo.exists('docs/new.md')]).toEqual(['for all\n', true]);
  });

  variation('that leads out of the repository, or is no link any more by then', (repo) => {
    withLinks(repo);
    const outside = join(repo.scratch, 'notes.txt');
    writeFileSync(outside, 'mine\n');
    symlinkSync(outside, join(repo.dir, 'notes.txt'));
    mkdirSync(join(repo.scratch, 'shared'));
    symlinkSync(join(repo.scratch, 'shared'), join(repo.dir, 'shared'));
    const session = repo.session();
    session.prompt('write');
    session.edit('notes.txt', 'by the agent\n');
    session.edit('shared/a.txt', 'by the agent\n');
    repo.run('rm', ['CLAUDE.md']);
    session.edit('CLAUDE.md', 'a file of its own\n');
    session.stop();
    repo.entire('undo');
    expect(readFileSync(outside, 'utf8')).toBe('by the agent\n');
    expect(lstatSync(join(repo.dir, 'notes.txt')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(repo.scratch, 'shared', 'a.txt'), 'utf8')).toBe('by the agent\n');
    expect([readlinkSync(join(repo.dir, 'CLAUDE.md')), repo.read('AGENTS.md')]).toEqual([
      'AGENTS.md',
      'for all\n',
    ]);
  });
});
