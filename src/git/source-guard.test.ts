import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { afterEach, describe, expect, test } from 'vitest';
import { type Git, gitAt, gitFor, gitForHook, replaceSpawn, runGit } from './run.ts';

/**
 * What the source may not do to a user's repository, read from the source itself: git is started in one file only, other
 * programs in one other; with no optional locks, and no command that writes an index is run on any index but one of our
 * own. What auto-commit has committed is written to the index of the user, in one file and by one command; a branch that a
 * person wants moved is moved in one file.
 */

const DOOR = 'git/run.ts';
/** Talks with git through the same door, in Bun by Bun's own way; the others start a pager, an agent's command, our own program, never git. */
const OTHER_DOORS = ['git/talk.ts', 'base/process/program.ts', 'base/process/open-program.ts'];
/**
 * Auto-commit follows its own commits in the index; a person who resumes a branch, or goes back, wants it checked out, and one who
 * asks for a worktree, or its removal, wants that; the list of worktrees only reads; `stash store` puts a commit that is there among
 * the stashes, and touches neither the index nor a file; doctor
 * commits in a repository that it makes and throws away, and that file refuses any other.
 */
const WRITING_DOORS: readonly { readonly name: string; readonly command: string }[] = [
  { name: 'git/worktree/user-index.ts', command: 'update-index' },
  { name: 'git/worktree/switch.ts', command: 'checkout' },
  { name: 'git/worktree/switch.ts', command: 'reset' },
  { name: 'git/worktree/worktree-change.ts', command: 'worktree' },
  { name: 'git/worktree/worktree-list.ts', command: 'worktree' },
  { name: 'worktree/keep.ts', command: 'stash store' },
  { name: 'doctor/self-test/scratch-git.ts', command: 'add' },
  { name: 'doctor/self-test/scratch-git.ts', command: 'commit' },
];

/** Texts that we write into a repository, and that run in the process of the agent: they start `entire`, so many times, and nothing else. */
const EMBEDDED: ReadonlyMap<string, number> = new Map([
  ['agents/opencode/plugin.ts', 0],
  ['agents/opencode/plugin-functions.ts', 1],
  ['agents/pi/extension.ts', 1],
]);

/** Commands of git that write the index, the worktree, or both. */
const WRITERS = new Set([
  ...[
    'add',
    'am',
    'apply',
    'checkout',
    'checkout-index',
    'cherry-pick',
    'clean',
    'commit',
    'merge',
    'mv',
    'pull',
  ],
  ...[
    'read-tree',
    'rebase',
    'reset',
    'restore',
    'revert',
    'rm',
    'sparse-checkout',
    'stash',
    'submodule',
    'switch',
  ],
  ...['update-index', 'worktree', 'write-tree', 'merge-index', 'merge-recursive', 'bisect'],
]);

const PROCESSES =
  /['"`](?:node:)?child_process['"`]|['"`](?:simple-git|execa)['"`]|\bBun\s*\.\s*(?:spawn|\$)/;

/** Says what is wrong in one file; `name` is relative to `src`. */
function findViolations(name: string, text: string): string[] {
  const found: string[] = [];
  if (name !== DOOR && !OTHER_DOORS.includes(name) && PROCESSES.test(text))
    found.push(`${name}: starts processes`);
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const command = commandOf(node);
    const isDoor = WRITING_DOORS.some(
      (door) => name === door.name && command === door.command.split(' ')[0] && isSaid(node, door.command),
    );
    if (command && WRITERS.has(command) && !isDoor && !hasPrivateIndex(node))
      found.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: git ${command}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The git command that a list of arguments begins with: the first word that is no option, nor the value of `-c`. */
function commandOf(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node.parent ?? node)) return undefined; // `new Set(['revert', …])` is a set of names
  const isAsked = ts.isCallExpression(node) && /\b(?:askGit|raw)$/.test(node.expression.getText());
  const words = ts.isArrayLiteralExpression(node) ? node.elements : isAsked ? node.arguments : [];
  let isValue = false;
  for (const word of words) {
    const text = ts.isStringLiteralLike(word) ? word.text : undefined;
    if (isValue) isValue = false;
    else if (text === '-c' || text === '-C') isValue = true;
    else if (text !== undefined && !text.startsWith('-')) return text;
    else if (text !== undefined) return undefined; // an option before a command is not one of ours
  }
  return undefined;
}

/** Whether the list begins with just these words; one word alone is the command. */
const isSaid = (node: ts.Node, words: string): boolean =>
  !words.includes(' ') ||
  node.getText().startsWith(
    `[${words
      .split(' ')
      .map((word) => `'${word}'`)
      .join(', ')},`,
  );

/** Arguments of a call whose environment is that of `withPrivateIndex(…)`. */
function hasPrivateIndex(node: ts.Node): boolean {
  const call = ts.isCallExpression(node) ? node : node.parent;
  return ts.isCallExpression(call) && /^withPrivateIndex\(/.test(call.arguments[0]?.getText() ?? '');
}

describe('the source', () => {
  const src = resolve(import.meta.dirname, '..');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );

  test('starts git in one file, and never on the index of the user', () => {
    expect(files.length).toBeGreaterThan(80);
    expect(files).toContain(DOOR);
    expect(files).toEqual(expect.arrayContaining(OTHER_DOORS));
    const read = (name: string): string => {
      const text = readFileSync(join(src, name), 'utf8');
      return EMBEDDED.has(name) ? text.replace(/`(?:[^`\\]|\\[\s\S])*`/g, '``') : text;
    };
    expect(files.flatMap((name) => findViolations(name, read(name)))).toEqual([]);
    for (const [name, times] of EMBEDDED) {
      const started = [...readFileSync(join(src, name), 'utf8').matchAll(/\bspawn\(([^,]+),/g)];
      expect(
        started.map(([, program]) => program),
        name,
      ).toEqual(Array(times).fill('"entire"'));
    }
  });

  test.each([
    ["import { spawnSync } from 'node:child_process';", 'starts processes'],
    ["const cp = await import('child_process');", 'starts processes'],
    ["const { simpleGit } = await import('simple-git');", 'starts processes'],
    ["Bun.spawn(['git', 'status']);", 'starts processes'],
    ["runGit(git, ['add', '--', path]);", 'git add'],
    ["const args = ['read-tree', tree];", 'git read-tree'],
    ["gitText(git, ['-c', 'core.x=y', 'update-index', '--refresh']);", 'git update-index'],
    ["runGit(git, [...flags, 'reset', '--hard'], { noHooks: true });", 'git reset'],
    ["await askGit(gitFor(repo), 'stash', 'push');", 'git stash'],
    ['runGit(git, [`commit`, `-m`, text]);', 'git commit'],
  ])('a planted %j is found', (planted, complaint) => {
    expect(findViolations('strategy/planted.ts', `export const x = 1;\n${planted}\n`)).toEqual([
      expect.stringContaining(complaint),
    ]);
  });

  test.each([
    "runGit(withPrivateIndex(git, file), ['read-tree', tree]);",
    "const args = ['interpret-trailers', '--if-missing', 'add'];",
    "if (source === 'commit') return;",
    "const REPLAYING = new Set(['revert', 'rebase']);",
  ])('%j is allowed', (text) => {
    expect(findViolations('strategy/planted.ts', text)).toEqual([]);
  });

  test('a file that may store a stash may do nothing else with stashes', () => {
    const found = (...words: string[]) =>
      findViolations(
        'worktree/keep.ts',
        `runGit(git, [${words.map((word) => `'${word}'`).join(', ')}, oid]);`,
      );
    expect(found('stash', 'store', '-m')).toEqual([]);
    for (const other of ['pop', 'push', 'drop'])
      expect(found('stash', other)).toEqual([expect.stringContaining('git stash')]);
  });
});

describe('every git process', () => {
  const repo = { worktreeRoot: '/r', gitDir: '/r/.git', commonDir: '/r/.git', worktreeId: '' };
  const before = process.env.GIT_OPTIONAL_LOCKS;
  afterEach(() => {
    if (before === undefined) delete process.env.GIT_OPTIONAL_LOCKS;
    else process.env.GIT_OPTIONAL_LOCKS = before;
  });

  test('takes no optional locks, whatever the environment says', () => {
    process.env.GIT_OPTIONAL_LOCKS = '1';
    const seen: unknown[] = [];
    const restore = replaceSpawn(((
      _program: string,
      _args: string[],
      options: { env: NodeJS.ProcessEnv },
    ) => {
      seen.push(options.env.GIT_OPTIONAL_LOCKS);
      return { status: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    }) as never);
    const gits: Git[] = [gitFor(repo), gitForHook(repo), gitAt('/r'), { cwd: '/r', env: {} }];
    for (const git of gits) runGit(git, ['status']);
    restore();
    expect(seen).toEqual(['0', '0', '0', '0']);
  });
});
