import { structuredPatch } from 'diff';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { blame } from '../support/command/blame.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const CHUNK = `export function chunk(list: string[], size: number): string[][] {
  const out: string[][] = [];
  for (let i = 0; i < list.length; i += size) out.push(list.slice(i, i + size));
  return out;
}
`;
const HUMAN = Array(5).fill('human');

/** Whose each line is: `human`, `unknown`, or the session's id. */
const owners = (repo: TestRepo, path = 'a.ts'): string[] =>
  blame(repo, path).lines.map(({ class: kind, session_id }) => session_id ?? kind);

/** A command in the shell of a client that reports what commands changed. */
function shell(repo: TestRepo, session: AgentSession, command: string, path = 'a.ts'): void {
  const text = (): string => (repo.exists(path) ? repo.read(path) : '');
  const before = text();
  session.version = '2.1.330';
  const answer: Record<string, unknown> = { stdout: '', stderr: '', interrupted: false };
  const act = (): void => {
    const { code, stderr } = repo.run('sh', ['-c', command], { env: { CLAUDE_CODE_SESSION_ID: session.id } });
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    const filePath = `${repo.dir}/${path}`;
    const { hunks } = structuredPatch(path, path, before, text(), '', '', { context: 3 });
    if (hunks.length > 0)
      answer.bashEditDiff = { files: [{ filePath, hunks }], moreFiles: 0, changedFiles: [filePath] };
  };
  session.tool('Bash', { command }, { act, answer });
  const captured = answer.bashEditDiff ? 'PostToolUse-Bash-with-edit-diff' : 'PostToolUse-Bash';
  session.hook('post-file-edit', captured, { tool_input: { command }, tool_response: answer });
}

function begin(repo: TestRepo): AgentSession {
  repo.ready().write('base.ts', 'const base = compute(1);\n').commit('Base', 'base.ts');
  return repo.session();
}

/** A branch `topic` on which somebody adds a file. */
function onTopic(repo: TestRepo, act: () => void): void {
  repo.git('switch', '--quiet', '--create', 'topic');
  act();
  repo.commit('Chunk on topic', 'a.ts');
  repo.git('switch', '--quiet', 'main');
}

/** Nothing of `topic`, or of a stash, is left but what came into the history. */
function forget(repo: TestRepo): void {
  if (repo.git('branch', '--list', 'topic') !== '') repo.git('branch', '--quiet', '-D', 'topic');
  repo.git('reflog', 'expire', '--expire=now', '--all');
  repo.git('gc', '--quiet', '--prune=now');
}

const SQUASH = 'git status --short && git merge --quiet --squash topic';
const COMMANDS = [
  SQUASH,
  'git -C . -c core.editor=true cherry-pick --no-commit topic',
  'ls; git checkout topic -- a.ts',
  'sh -c "git restore --source topic a.ts"',
  'git show topic:a.ts > a.ts',
  'git diff main topic | git apply',
];

describe('blame: what git brings in an agent’s shell', () => {
  for (const command of COMMANDS)
    variation(`is a person’s where they wrote it, and nobody’s once nothing tells: ${command}`, (repo) => {
      const session = begin(repo);
      onTopic(repo, () => void repo.write('a.ts', CHUNK));
      session.prompt('take what is on topic');
      shell(repo, session, command);
      session.stop();
      expect(repo.commit('Chunk', 'a.ts')).toBeDefined();
      expect(owners(repo)).toEqual(HUMAN);
      forget(repo);
      const left = blame(repo, 'a.ts').lines.map((line) => `${line.class}:${line.reason}`);
      expect(left).toEqual(Array(5).fill('unknown:unseen'));
    });

  variation('from a person’s stash is not its own', (repo) => {
    const session = begin(repo);
    repo.write('a.ts', CHUNK).git('stash', 'push', '--quiet', '--include-untracked');
    session.prompt('pop the stash');
    shell(repo, session, 'git stash pop --quiet');
    expect(owners(repo)).not.toContain(session.id);
    session.stop();
    expect(owners(repo)).not.toContain(session.id);
    repo.commit('Popped', 'a.ts');
    expect(owners(repo)).not.toContain(session.id);
  });

  variation('of its own work on another branch is still its own', (repo) => {
    const session = begin(repo);
    onTopic(repo, () => {
      session.prompt('write it');
      session.edit('a.ts', CHUNK);
      session.stop();
    });
    session.prompt('and squash it');
    shell(repo, session, SQUASH);
    session.stop();
    repo.commit('Chunk', 'a.ts');
    expect(owners(repo)).toEqual(Array(5).fill(session.id));
    forget(repo);
    expect(owners(repo)).toEqual(Array(5).fill(session.id));
  });

  variation('of another session is that one’s', (repo) => {
    const session = begin(repo);
    let author = '';
    onTopic(repo, () => {
      author = addWork(repo, { 'a.ts': CHUNK }).id;
    });
    session.prompt('squash it');
    shell(repo, session, SQUASH);
    session.stop();
    repo.commit('Chunk', 'a.ts');
    expect(owners(repo)).toEqual(Array(5).fill(author));
  });

  variation('from its own stash is its own, after another commit too', (repo) => {
    const session = begin(repo);
    session.prompt('write it');
    session.edit('a.ts', CHUNK);
    session.edit('b.ts', 'const besides = compute(813);\n');
    session.stop();
    repo.commit('Besides', 'b.ts');
    session.prompt('away and back');
    shell(repo, session, 'git stash push --quiet --include-untracked');
    shell(repo, session, 'git stash pop --quiet');
    session.stop();
    repo.commit('Chunk', 'a.ts');
    expect(owners(repo)).toEqual(Array(5).fill(session.id));
  });

  variation('in the same command as what that itself wrote leaves that its own', (repo) => {
    const session = begin(repo);
    session.prompt('write it');
    shell(repo, session, `git pull --quiet . main; cat > a.ts <<'END'\n${CHUNK}END`);
    shell(repo, session, 'git stash push --quiet --include-untracked; git stash pop --quiet');
    session.stop();
    repo.commit('Chunk', 'a.ts');
    expect(owners(repo)).toEqual(Array(5).fill(session.id));
  });
});
