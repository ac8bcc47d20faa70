import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { report, rows } from '../support/agent/reported-command.ts';
import { blame } from '../support/command/blame.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const STAYS = 'export const staysWhereItIs = 1;\n';
const MOVES = 'export const movesToTheOther = 2;\nexport function alsoMoves(first, second) {\n}\n';

/** An Edit, as the client reports it: with the file it found. */
function takeOut(repo: TestRepo, session: ReturnType<TestRepo['session']>): void {
  const file_path = `${repo.dir}/a.ts`;
  const input = { file_path, old_string: MOVES, new_string: '' };
  const answer = { filePath: file_path, originalFile: `${STAYS}${MOVES}`, oldString: MOVES, newString: '' };
  session.tool('Edit', input, { act: () => repo.write('a.ts', STAYS), answer });
  session.hook('post-file-edit', 'PostToolUse-Edit', { tool_input: input, tool_response: answer });
}

describe('lines of one session that another one moves to a new file before they were ever committed', () => {
  for (const [name, first] of [
    ['with the file that they were in', []],
    ['after it', ['a.ts']],
    ['before it', ['lib/e.ts']],
  ] as const)
    variation(`are those of the first, committed ${name}`, (repo) => {
      repo.ready();
      const [writer, mover] = [repo.session(), repo.session()];
      writer.prompt('write');
      writer.edit('a.ts', `${STAYS}${MOVES}`);
      writer.stop();
      mover.prompt('move');
      takeOut(repo, mover);
      mover.edit('lib/e.ts', MOVES);
      mover.stop();
      if (first.length > 0) repo.commit('First', ...first);
      repo.commit('Rest', 'a.ts', 'lib/e.ts');
      const sessions = blame(repo, 'lib/e.ts').lines.map((line) => `${line.class} ${line.session_id ?? '-'}`);
      expect(new Set(sessions)).toEqual(new Set([`agent ${writer.id}`]));
    });
});

describe('an edit of a file that was renamed, which a rebase brings into a commit before that', () => {
  variation('stays the session’s, also where nothing else changed the file under its new name', (repo) => {
    repo.ready().write('old.ts', `${STAYS}// a line\n// and more\n// of them\n`).commit('Begin', 'old.ts');
    repo.write('other.ts', 'export const other = 1;\n').commit('Other', 'other.ts');
    repo.git('mv', 'old.ts', 'new.ts');
    repo.commit('Rename');
    const session = repo.session();
    session.prompt('edit');
    session.edit('new.ts', `${repo.read('new.ts')}${MOVES}`);
    session.stop();
    repo.git('add', 'new.ts');
    repo.git('commit', '--quiet', '--fixup=HEAD~1');
    const env = { GIT_EDITOR: 'true', GIT_SEQUENCE_EDITOR: 'true' };
    expect(repo.run('git', ['rebase', '--quiet', '-i', '--autosquash', 'HEAD~3'], { env }).code).toBe(0);
    expect(repo.git('log', '--format=%s')).not.toContain('fixup!');
    const lines = blame(repo, 'new.ts').lines.slice(-3);
    expect(lines.map(({ session_id }) => session_id)).toEqual([session.id, session.id, session.id]);
  });
});

describe('a new file of one session that another one moves, before it was ever committed,', () => {
  variation('to a name that a file of the first had once, is the first one’s', (repo) => {
    repo.ready();
    const [writer, mover] = [repo.session(), repo.session()];
    writer.prompt('begin');
    writer.edit('c.ts', STAYS);
    writer.stop();
    repo.commit('Begin', 'c.ts');
    repo.git('mv', 'c.ts', 'a.ts');
    repo.commit('Moved');
    writer.prompt('go on');
    writer.edit('b.ts', 'export const besides = 3;\n');
    writer.edit('lib/d.ts', MOVES);
    writer.stop();
    mover.prompt('move');
    repo.write('c.ts', MOVES).run('rm', ['lib/d.ts']);
    report(repo, mover, { 'lib/d.ts': rows('-', MOVES), 'c.ts': rows('+', MOVES) });
    mover.stop();
    repo.commit('Part', 'b.ts');
    repo.commit('Rest', 'c.ts');
    const sessions = blame(repo, 'c.ts').lines.map((line) => `${line.class} ${line.session_id ?? '-'}`);
    expect(new Set(sessions)).toEqual(new Set([`agent ${writer.id}`]));
  });
});

describe('lines of a session that it moves to a new file, to which another one gives its name', () => {
  variation('are its own, also where their commit is split', (repo) => {
    repo.ready();
    const [writer, mover] = [repo.session(), repo.session()];
    writer.prompt('write');
    writer.edit('a.ts', `${STAYS}${MOVES}`);
    writer.stop();
    repo.commit('Written', 'a.ts');
    writer.prompt('move');
    takeOut(repo, writer);
    writer.edit('c.ts', MOVES);
    writer.edit('other.ts', 'export const something = otherThanThat();\n');
    writer.stop();
    mover.prompt('rename');
    renameSync(join(repo.dir, 'c.ts'), join(repo.dir, 'd.ts'));
    report(repo, mover, { 'c.ts': rows('-', MOVES), 'd.ts': rows('+', MOVES) });
    mover.stop();
    repo.commit('Whole', 'a.ts', 'd.ts', 'other.ts');
    repo.git('reset', '--quiet', '--mixed', 'HEAD^');
    repo.commit('First half', 'a.ts');
    repo.commit('Second half', 'd.ts', 'other.ts');
    const sessions = blame(repo, 'd.ts').lines.map(({ session_id }) => session_id);
    expect(sessions).toEqual([writer.id, writer.id, writer.id]);
  });
});

describe('a file from which a session moved a line, and which stays', () => {
  variation('has nothing to do with what a person writes where that went', (repo) => {
    repo.ready().write('a.ts', `${STAYS}// a line\n`).write('b.ts', '// another\n');
    repo.commit('Begin', 'a.ts', 'b.ts');
    const session = repo.session();
    session.prompt('move');
    const edit = (path: string, old_string: string, new_string: string): void => {
      const input = { file_path: join(repo.dir, path), old_string, new_string };
      const act = () => repo.write(path, repo.read(path).replace(old_string, new_string));
      session.tool('Edit', input, { act });
      session.reportEdit(path);
    };
    edit('a.ts', STAYS, MOVES);
    edit('a.ts', '// a line', 'const part = ');
    edit('b.ts', '// another\n', `// another\n${STAYS}`);
    session.stop();
    repo.write(
      'b.ts',
      `${repo.read('b.ts')}export const movesToTheOther = 2;\nconst part = somethingElse();\n`,
    );
    repo.commit('Both', 'a.ts', 'b.ts');
    expect(blame(repo, 'b.ts').lines.map((line) => line.class)).not.toContain('agent');
    expect(blame(repo, 'a.ts').lines[0]).toMatchObject({ class: 'agent', session_id: session.id });
  });
});
