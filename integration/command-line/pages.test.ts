import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../support/process/builds.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** The session that pages tell of. */
const ID = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';

/** Blocks whose lines are one way each, and not one after the other. */
const ALTERNATIVES = new Set(
  ['undo.md', 'rewind.md', 'resume.md', 'sessions.md'].map((name) => `docs/${name}`),
);

/** What a test cannot do, by the beginning of the command. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'entire session chat': 'an agent answers: integration/session/chat.test.ts',
  'entire explain HEAD --generate': 'claude answers: integration/explain/generate.test.ts',
  'entire resume feature --exec': 'an agent is started: integration/resume',
  'entire completion fish | source': 'fish is not everywhere: integration/command-line/completion.test.ts',
  'npm ': 'integration/install, and .ci/run',
  'cd my-repository': 'the story is in it',
};

/** Asked for where nobody can answer: the command fails, and says which flag it wants. */
const ASKS: Readonly<Record<string, { readonly code: number; readonly flag: string }>> = {
  'entire forget bee76f83': { code: 1, flag: '--yes' },
  'entire reset': { code: 1, flag: '--force' },
  'entire disable --uninstall': { code: 1, flag: '--force' },
  // The log here is newer.
  'entire resume feature': { code: 1, flag: '--force' },
  'entire resume e357ed9c6526': { code: 1, flag: '--force' },
  'entire rewind': { code: 2, flag: '--to' },
};

/** What a page takes for granted before a command. */
const FIRST: Readonly<Record<string, (repo: TestRepo) => unknown>> = {
  'entire redo': (repo) => repo.entire('undo'),
  'entire resume feature': (repo) => repo.git('stash'),
  'entire import --format git-ai --dry-run': (repo) =>
    repo.entire('export', '--format', 'git-ai', '--write-notes'),
  'entire session import talk.json': (repo) =>
    repo.run('bash', ['-c', `entire session export ${ID} > talk.json`]),
  'git commit -m "Add a greeting"': (repo) => repo.write('src/more.ts', 'x\n').git('add', 'src/more.ts'),
  'entire enable --push-to ref --project': (repo) => repo.entire('enable', '--push-sessions'),
  'entire enable --agent claude-code': (repo) => {
    repo.entire('disable', '--uninstall', '--force');
    repo.git('commit', '--quiet', '--all', '--message', 'Without');
  },
};

interface Line {
  readonly page: string;
  /** Of the page, counted from 1. */
  readonly block: number;
  readonly command: string;
}

const PAGES = ['README.md', ...namesIn('docs')];

/** Pages of a folder. */
function namesIn(dir: string): string[] {
  const names = readdirSync(join(root, dir)).filter((name) => name.endsWith('.md'));
  return names.sort().map((name) => `${dir}/${name}`);
}

/** The commands of a page: lines of a shell's block, and in those with output what stands behind `$`. */
function linesOf(page: string): Line[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```(sh|console)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, kind, body = ''], at) =>
    body.split('\n').flatMap((line): Line[] => {
      const said = kind === 'sh' ? line : (/^\$ (.*)/.exec(line)?.[1] ?? '');
      const command = said
        .replace(/ +#.*$/, '')
        .replace(' [remote]', '')
        .trim();
      return command === '' ? [] : [{ page, block: at + 1, command }];
    }),
  );
}

/** What happened before somebody reads a page: two turns, the first one committed, the second one not. */
function tell(repo: TestRepo): (command: string) => string {
  repo.ready().write('notes.md', 'a rate limit\n').commit('Begin', 'notes.md');
  const bare = join(repo.home, 'origin.git');
  repo.git('init', '--quiet', '--bare', bare);
  repo.git('remote', 'add', 'origin', `file://${bare}`);
  repo.git('tag', 'v1.2');
  repo.git('branch', 'topic');
  const session = repo.session(ID);
  session.prompt('Add a greeting, with a test, and a rate limit to the rate limiter');
  session.edit('src/greet.ts', 'export const greet = 1;\n');
  session.edit('src/greet.test.ts', 'test\n');
  session.stop('There it is.');
  const checkpoint = repo.commit('Add a greeting', 'src') as string;
  repo.git('push', '--quiet', '--set-upstream', 'origin', 'HEAD');
  repo.git('branch', 'feature');
  session.prompt('Greet in French, too');
  session.edit('src/greet.ts', `${repo.read('src/greet.ts')}export const salute = 1;\n`);
  session.stop('It does.');
  const copy = JSON.parse(repo.entire('session', 'fork', ID, '--json').stdout || '{}');
  const turn = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
  const real: Readonly<Record<string, string>> = {
    '643f5ae': repo.git('rev-parse', '--short', 'HEAD'),
    e357ed9c6526: checkpoint,
    'e3/57ed9c6526': `${checkpoint.slice(0, 2)}/${checkpoint.slice(2)}`,
    '7f3a91c2': copy.session_id ?? ID,
    '7f3a': copy.session_id ?? ID,
    '1795471200123-0a': JSON.stringify(turn).match(/\d{13}-[0-9a-z]+/)?.[0] ?? 'none',
    'main..feature': 'HEAD~1..feature',
  };
  return (command) =>
    Object.entries(real).reduce((text, [shown, own]) => text.replaceAll(shown, own), command);
}

/** Keeps the repository and the home as they are, and brings them back. */
function keep(repo: TestRepo): () => void {
  const run = (script: string): void => {
    const { code, stderr } = repo.run('bash', ['-c', script], { cwd: repo.scratch });
    if (code !== 0) throw new Error(stderr);
  };
  run('mkdir kept && cp -a home repo kept/');
  return () => run('find home repo -mindepth 1 -delete; cp -a kept/home kept/repo .');
}

for (const page of PAGES) {
  const lines = linesOf(page);
  if (lines.length === 0) continue;
  variation(`what ${page} says to type works`, (repo) => {
    const toReal = tell(repo);
    const restore = keep(repo);
    let before: Line | undefined;
    for (const line of lines) {
      const { command, block } = line;
      if (Object.keys(NOT_RUN).some((start) => command.includes(start))) continue;
      if (before && (before.block !== block || ALTERNATIVES.has(page))) restore();
      before = line;
      FIRST[command]?.(repo);
      const { code, stderr } = repo.run('bash', ['-c', toReal(command)]);
      const asked = ASKS[command];
      if (asked)
        expect([code, stderr.includes(asked.flag)], `${command}: ${stderr}`).toEqual([asked.code, true]);
      else expect(code, `${command}: ${stderr}`).toBe(0);
    }
    restore();
  });
}
