import { describe, expect } from 'vitest';
import { blame, classes } from '../support/command/blame.ts';
import { linesOf, stats } from '../support/command/stats.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const note = (rows: string): string =>
  `${rows}---\n${JSON.stringify({
    schema_version: 'authorship/3.0.0',
    base_commit_sha: '',
    prompts: {},
    humans: { h_99616bc195b9b3: { author: 'Ana Roe <ana@example.com>' } },
    sessions: { s_0eb597716bd15d: { agent_id: { tool: 'claude', id: 'their-session', model: 'm' } } },
  })}\n`;

/** A commit that somebody without Entire made, and the note that git-ai left on it. */
function theirs(repo: TestRepo, path: string, content: string, text: string | Buffer): void {
  repo.write(path, content).git('add', path);
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', `Add ${path}`);
  const blob = repo.gitWith({ input: text }, 'hash-object', '-w', '--stdin');
  repo.git('notes', '--ref=ai', 'add', '--force', '-C', blob, 'HEAD');
}

describe('import', () => {
  variation('notes of git-ai tell of commits without a record of ours, and of no others', (repo) => {
    repo.ready();
    const rows = 'a.ts\n  s_0eb597716bd15d::t_0a1b2c3d4e5f60 1-2\n  h_99616bc195b9b3 3\n';
    theirs(repo, 'a.ts', linesOf('Theirs', 4), note(rows));
    theirs(repo, 'huge.ts', 'huge\n', Buffer.alloc(5 << 20, 0x20));
    theirs(repo, 'binary.ts', 'binary\n', Buffer.from([0, 0xff, 1]));
    theirs(repo, 'forged.ts', 'forged\n', note('forged.ts\n  s_0eb597716bd15d 1 - 9\n'));
    const agent = repo.session();
    agent.prompt('ours');
    agent.edit('ours.ts', linesOf('Ours', 2));
    agent.stop();
    repo.write('hand.ts', linesOf('Hand', 2));
    repo.commit('Ours', 'ours.ts', 'hand.ts');
    const forged = repo.gitWith(
      { input: note('hand.ts\n  s_0eb597716bd15d 1-2\nours.ts\n  h_99616bc195b9b3 1-2\n') },
      ...['hash-object', '-w', '--stdin'],
    );
    repo.git('notes', '--ref=ai', 'add', '-C', forged, 'HEAD');

    const unknown = Array.from({ length: 4 }, () => 'unknown:no-record');
    expect(classes(repo, 'a.ts')).toEqual(unknown);
    const looked =
      '5 notes of git-ai: 2 can be read.\n1 note refused: too large.\n1 note refused: not text.\n1 note refused: with lines that are not of the format.\n';
    const dry = repo.entire('import', '--format', 'git-ai', '--dry-run').stdout;
    expect(dry.split('\n').sort()).toEqual(looked.split('\n').sort());
    expect(classes(repo, 'a.ts')).toEqual(unknown);
    expect(repo.entire('import', '--format', 'git-ai').stdout).toContain(
      '✓ `entire blame`, `stats` and `export`',
    );
    expect(classes(repo, 'a.ts')).toEqual([
      'agent:git-ai',
      'agent:git-ai',
      'human:git-ai',
      'unknown:no-record',
    ]);
    expect(blame(repo, 'a.ts').sessions).toEqual([
      { session_id: 'their-session', agent: 'Claude Code', checkpoint: null, prompt: null },
    ]);
    for (const path of ['huge.ts', 'binary.ts', 'forged.ts'])
      expect(classes(repo, path), path).toEqual(['unknown:no-record']);
    expect(classes(repo, 'ours.ts')).toEqual(['agent:written', 'agent:written']);
    expect(classes(repo, 'hand.ts')).toEqual(['human:untouched', 'human:untouched']);

    // Lines further down, and in a file of another name, are those of the commit that the note is of.
    repo.write('a.ts', `// above\n${repo.read('a.ts')}`).git('mv', 'a.ts', 'b.ts');
    repo.commit('Move', 'b.ts');
    expect(classes(repo, 'b.ts').slice(1)).toEqual([
      ...['agent:git-ai', 'agent:git-ai', 'human:git-ai', 'unknown:no-record'],
    ]);
    const counted = stats(repo, 'HEAD~6..HEAD~5');
    expect(counted.added).toEqual({ agent: 2, human: 1, unknown: 1 });
    expect(counted.by_session.map(({ key }) => key)).toContain('their-session');
    // Of what their note says none of ours is made.
    expect(repo.entire('export', '--format', 'git-ai', 'HEAD~6..HEAD~5').stdout).toBe('');

    expect(repo.tryEntire('import', '--format', 'git-ai', 'HEAD~1..').stderr).toContain(
      'on commits of HEAD~1..',
    );
    expect(repo.entire('import', '--format', 'git-ai', 'HEAD~2..').stdout).toContain(
      'They are in use already: the setting import.git_ai_notes is on.',
    );
    repo.entire('config', 'unset', 'import.git_ai_notes');
    expect(classes(repo, 'b.ts').slice(1)).toEqual(unknown);
    expect(repo.git('notes', '--ref=ai', 'list').split('\n')).toHaveLength(5);
  });

  variation('says where there are no notes, and where nothing would read them', (repo) => {
    repo.init().write('a.txt', 'a\n');
    const none = repo.tryEntire('import', '--format', 'git-ai');
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('No notes of git-ai here');
    theirs(repo, 'a.txt', 'a\n', note('a.txt\n  h_99616bc195b9b3 1\n'));
    expect(repo.tryEntire('import', '--format', 'git-ai').stderr).toContain('entire enable');
    expect(repo.tryEntire('import').code).toBe(2);
    expect(repo.tryEntire('import', '--format', 'other').code).toBe(2);
  });
});
