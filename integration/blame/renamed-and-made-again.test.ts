import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { commitWithout, why } from '../support/command/why.ts';
import { addWork } from '../support/command/work.ts';
import { linksOf } from '../support/repository/links.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const HEX =
  'export function toHex(n: number): string {\n  return n.toString(16).padStart(2, "0");\n}\n\nexport const hexDigits = 16;\n';

/** Of each line that says something: who wrote it, by the beginning of its session. */
const owners = (repo: TestRepo, path: string): (string | null)[] =>
  blame(repo, path).lines.flatMap(({ text, class: kind, session_id }) =>
    /\w/.test(text) ? [kind === 'agent' ? session_id : kind] : [],
  );

/** A linked commit of `hex.ts`, which a session wrote. */
function written(repo: TestRepo): { id: string; session: string } {
  const session = addWork(repo, { 'hex.ts': HEX });
  const id = repo.commit('Hex', 'hex.ts') as string;
  session.end();
  return { id, session: session.id };
}

/** What only commits held that are gone is taken out of what is stored. */
function push(repo: TestRepo): void {
  const there = join(repo.scratch, 'there.git');
  repo.git('init', '--quiet', '--bare', there);
  repo.git('remote', 'add', 'origin', there);
  repo.git('push', '--quiet', 'origin', 'main');
  repo.entire('push', '--yes');
}

describe('a rename together with what makes a commit again keeps its link', () => {
  scenario('an amend that renames the file, before and after a push', (repo) => {
    const { id, session } = written(repo.ready());
    repo.git('mv', 'hex.ts', 'hexa.ts');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    const check = (): void => {
      expect(why(repo)).toMatchObject({ status: 'linked', checkpoint: id });
      expect(owners(repo, 'hexa.ts')).toEqual([session, session, session]);
    };
    check();
    push(repo);
    check();
  });

  variation('an amend that renames the file and changes a line', (repo) => {
    const { id, session } = written(repo.ready());
    repo.git('mv', 'hex.ts', 'hexa.ts');
    repo.write('hexa.ts', HEX.replace('hexDigits = 16', 'digitsByHand = 15'));
    repo.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    expect(why(repo)).toMatchObject({ status: 'linked', checkpoint: id });
    expect(owners(repo, 'hexa.ts')).toEqual([session, session, 'human']);
  });

  variation('a reset over the commit that renamed it, before and after a push', (repo) => {
    const { id, session } = written(repo.ready());
    repo.git('mv', 'hex.ts', 'hexa.ts');
    repo.git('commit', '--quiet', '-m', 'Rename');
    repo.git('reset', '--quiet', '--soft', 'HEAD~2');
    repo.git('commit', '--quiet', '-m', 'Hexa');
    repo.entire('relink');
    const check = (): void => {
      expect(why(repo).status).toBe('linked');
      expect(linksOf(repo)).toEqual([id]);
      expect(owners(repo, 'hexa.ts')).toEqual([session, session, session]);
    };
    check();
    push(repo);
    check();
  });

  variation('a squash of a branch that renames it', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const { id, session } = written(repo);
    const next = addWork(repo, {
      'hex.ts': HEX.replace('\n\n', '\n\nexport const padding = "0";\n'),
    });
    const second = repo.commit('Padding', 'hex.ts') as string;
    next.end();
    repo.git('mv', 'hex.ts', 'hexa.ts');
    repo.git('commit', '--quiet', '-m', 'Rename');
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '-m', 'All of it');
    repo.entire('relink');
    expect(why(repo).status).toBe('linked');
    expect(linksOf(repo).sort()).toEqual([id, second].sort());
    expect(owners(repo, 'hexa.ts')).toEqual([session, session, next.id, session]);
  });
});

describe('a trailer that was copied stays what it is', () => {
  variation('onto other work, also with a line of the first, and onto a rename alone', (repo) => {
    const { id } = written(repo.ready());
    const copied = `\n\nEntire-Checkpoint: ${id}`;
    repo.write(
      'other.ts',
      `export const hexDigits = 16;\nexport const somethingElse = 'entirely of my own';\n`,
    );
    commitWithout(repo, `Other${copied}`, 'other.ts');
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'foreign-checkpoint' });
    repo.git('mv', 'other.ts', 'moved.ts');
    commitWithout(repo, `Move${copied}`, 'moved.ts');
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'foreign-checkpoint' });
  });
});
