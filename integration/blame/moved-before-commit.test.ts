import { describe, expect } from 'vitest';
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
