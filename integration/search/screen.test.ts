import stringWidth from 'string-width';
import { expect } from 'vitest';
import { scenario } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectGolden } from '../support/runner/golden.ts';

const SESSION = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';

/** What `entire search` prints, on both streams, is what stands in the golden file. */
function onScreen(repo: TestRepo, name: string, named: Record<string, string>, ...args: string[]): void {
  const { code, stdout, stderr } = repo.tryEntire('search', ...args);
  const said = `$ entire search ${args.join(' ')}`.trimEnd();
  const told = stderr.replace(/^(Looking|Reading) .*\n/gm, '');
  const shown = `${said}\n${stdout}${told === '' ? '' : `[stderr]\n${told}`}[exit ${code}]\n`;
  const dated = shown
    .replace(/ {2}\d\d:\d\d {2}/g, '  <time>  ')
    .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"<time>"');
  expectGolden(repo, `${name}.txt`, dated, named);
}

scenario(
  'each form of search prints what its golden file holds, and no line is wider than the terminal',
  (repo) => {
    repo.ready();
    const session = repo.session(SESSION);
    session.prompt(
      'Add a rate limiter to the gateway, with a limit for each client and one for all of them together',
    );
    session.edit('src/limiter.ts', 'export const limit = 10;\n');
    session.stop('Every client has a limit of its own now, and all of them together have one, too.');
    const id = repo.commit('feat: a limit for each client', 'src') as string;
    session.prompt('Read the limit from the settings');
    session.edit('src/settings.ts', 'export const read = () => 10;\n');
    session.stop(`It is read when the gateway starts. ${'設定の上限 limit '.repeat(20)}`);
    onScreen(repo, 'search', { id }, 'limit', '--kind', 'prompt', '--kind', 'answer');
    onScreen(repo, 'search-file', { id }, 'settings.ts');
    onScreen(repo, 'search-json', { id }, '"rate limiter"', '--json');
    onScreen(repo, 'search-nothing', { id }, 'nowhere', 'limit');
    onScreen(repo, 'search-help', {}, '--help');
    for (const width of [60, 100, 160]) {
      const command = `stty cols ${width} 2>/dev/null; ${repo.build.bin}/entire search limit --no-pager`;
      const { stdout } = repo.run('script', ['-qec', `sh -c '${command}'`, '/dev/null'], {
        env: { TERM: 'xterm', NO_COLOR: '1' },
      });
      const lines = stdout.replaceAll('\r', '').split('\n');
      expect(
        lines.some((line) => line.includes('bee76f83')),
        stdout,
      ).toBe(true);
      for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
    }
  },
);
