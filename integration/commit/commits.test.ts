import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('trailers', () => {
  onBothBuilds('a human commit after the stop has one trailer and nothing else of ours', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const id = repo.commit('fix: add a', 'a.txt');
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.message('HEAD')).toBe(`fix: add a\n\nEntire-Checkpoint: ${id}`);
    expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id, sessions: [session.id] });
  });

  variation(
    "an agent's commit in its turn always has one, without transcript and without shadow branch",
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('commit something', { transcript_path: '' });
      repo.write('made.txt', 'by a command nobody reported\n');
      const id = repo.agentCommit('Add made', 'made.txt');
      expect(id).toMatch(/^[0-9a-f]{12}$/);
      expect(repo.storedJson(id as string, '0/metadata.json')).toMatchObject({
        session_id: session.id,
        files_touched: ['made.txt'],
      });
      expect(repo.verdict().reason).toBe('linked');
    },
  );

  variation('a commit of two sessions says once that it is linked, and one of nobody nothing', (repo) => {
    repo.ready();
    for (const file of ['a.txt', 'b.txt']) {
      const session = repo.session();
      session.prompt(`create ${file}`);
      session.edit(file, 'one\n');
      session.stop();
    }
    repo.git('add', 'a.txt', 'b.txt');
    const { stderr } = repo.tryGit('commit', '--quiet', '-m', 'Add both');
    expect(stderr).toBe(`[entire] Linked to ${repo.checkpointOf('HEAD')} (2 sessions)\n`);
    repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
    expect(repo.tryGit('commit', '--quiet', '-m', 'Mine').stderr).toBe('');
  });

  variation('a human commit in a turn is linked by what the transcript shows', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.editWithoutHook('a.txt', 'one\n');
    repo.write('foreign.txt', 'mine\n');
    expect(repo.commit('Unrelated', 'foreign.txt')).toBeUndefined();
    expect(repo.verdict().reason).toBe('no-overlap');
    expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation('without a transcript path there is nothing to go by', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt', { transcript_path: '' });
    session.editWithoutHook('a.txt', 'one\n');
    expect(repo.commit('Add a', 'a.txt')).toBeUndefined();
  });

  variation('a second commit without new work has no trailer; the next turn has an id of its own', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const first = repo.commit('Add a', 'a.txt');
    repo.write('mine.txt', 'mine\n');
    expect(repo.commit('Mine', 'mine.txt')).toBeUndefined();

    session.prompt('change a.txt');
    session.edit('a.txt', 'two\n');
    session.stop();
    const second = repo.commit('Change a', 'a.txt');
    expect(second).toMatch(/^[0-9a-f]{12}$/);
    expect(second).not.toBe(first);
  });

  variation('a commit of unrelated files is not linked', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.commit('Add a', 'a.txt');
    repo.write('b.txt', 'mine\n');
    expect(repo.commit('Add b', 'b.txt')).toBeUndefined();
    expect(repo.verdict().reason).toBe('no-overlap');
  });

  variation('one touched file among foreign ones is enough, and only it is listed', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.write('mine.txt', 'mine\n');
    const id = repo.commit('Add both', 'a.txt', 'mine.txt');
    expect(repo.storedJson(id as string, 'metadata.json').files_touched).toEqual(['a.txt']);
  });

  variation('a split commit: own ids, then a manual edit without', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create three files');
    for (const name of ['a', 'b', 'c']) session.edit(`${name}.txt`, `content of ${name}\n`);
    session.stop();
    const first = repo.commit('Add a and b', 'a.txt', 'b.txt');
    const second = repo.commit('Add c', 'c.txt');
    expect(first).toMatch(/^[0-9a-f]{12}$/);
    expect(second).toMatch(/^[0-9a-f]{12}$/);
    expect(second).not.toBe(first);
    expect(repo.storedJson(first as string, 'metadata.json').files_touched).toEqual(['a.txt', 'b.txt']);
    expect(repo.storedJson(second as string, 'metadata.json').files_touched).toEqual(['c.txt']);

    repo.write('a.txt', 'changed by hand\n');
    expect(repo.commit('By hand', 'a.txt')).toBeUndefined();
  });

  variation('editor: trailer with comments; removing it leaves the work with the session', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.git('add', 'a.txt');
    const seen = join(repo.scratch, 'seen');
    const editor = join(repo.scratch, 'editor');
    const script = `#!/bin/sh\ncp "$1" ${seen}\ngrep -v Entire-Checkpoint "$1" > "$1.new"\n(echo "Add a"; cat "$1.new") > "$1"\n`;
    writeFileSync(editor, script, { mode: 0o755 });
    repo.gitWith({ env: { GIT_EDITOR: editor } }, 'commit', '--quiet');
    const shown = repo.run('cat', [seen]).stdout;
    expect(shown).toMatch(
      /^\n\nEntire-Checkpoint: [0-9a-f]{12}\n# Remove the Entire-Checkpoint trailer above/,
    );
    expect(shown).toContain('# Last Prompt: create a.txt\n');
    expect(shown).toContain('# Please enter the commit message');
    expect(repo.checkpointOf('HEAD')).toBeUndefined();
    expect(repo.verdict()).toMatchObject({ reason: 'trailer-missing', sessions: [session.id] });
    expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
  });

  variation('a message that is nothing but our trailer aborts the commit', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.git('add', 'a.txt');
    const before = repo.git('rev-parse', 'HEAD');
    const result = repo.run('git', ['commit', '--quiet'], { env: { GIT_EDITOR: 'true' } });
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('empty commit message');
    expect(repo.git('rev-parse', 'HEAD')).toBe(before);
  });

  variation('an amended commit keeps its checkpoint, and the session follows', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const id = repo.commit('Add a', 'a.txt');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: id });
    expect(repo.state(session.id).base_commit).toBe(repo.git('rev-parse', 'HEAD'));
  });

  variation('a message in another encoding keeps its bytes', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.git('add', 'a.txt');
    repo.git('config', 'i18n.commitEncoding', 'ISO-8859-1');
    const file = join(repo.scratch, 'message');
    writeFileSync(file, Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
    repo.git('commit', '--quiet', '-F', file);
    expect(repo.checkpointOf('HEAD')).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.git('log', '-1', '--format=%s', '--encoding=UTF-8')).toBe('Grüße');
  });
});
