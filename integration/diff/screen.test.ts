import { addWork } from '../support/command/work.ts';
import { scenario } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectGolden } from '../support/runner/golden.ts';

const SESSION = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';

/** What `entire diff` prints, on both streams, is what stands in the golden file. */
function onScreen(repo: TestRepo, name: string, named: Record<string, string>, ...args: string[]): void {
  const { code, stdout, stderr } = repo.tryEntire('diff', ...args);
  const said = `$ entire diff ${args.join(' ')}`.trimEnd();
  const shown = `${said}\n${stdout}${stderr === '' ? '' : `[stderr]\n${stderr}`}[exit ${code}]\n`;
  const dated = shown
    .replace(/^(Date: {3})(?!Fri Jan).*$/gm, '$1<date>')
    .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"<time>"');
  expectGolden(repo, `${name}.txt`, dated, named);
}

scenario('each form of diff prints what its golden file holds', (repo) => {
  repo.ready();
  const session = repo.session(SESSION);
  const greet = (word: string) => `export const greet = (name: string) => \`${word}, \${name}!\`;\n`;
  session.prompt('Add a greeting, with a test');
  session.edit('src/greet.ts', greet('Hello'));
  session.edit('src/greet.test.ts', "test('greets', () => {});\n");
  session.stop();
  repo.write('mine.txt', 'mine\n');
  const id = repo.commit('Add a greeting', 'src', 'mine.txt') as string;
  session.prompt('Greet in French, too');
  session.edit('src/greet.ts', greet('Bonjour'));
  session.stop();
  addWork(repo, { 'other.txt': 'other\n' }, repo.session('0123aaaa-58dd-4892-8e75-8c5fe1567bcd'));
  repo.entire('undo');
  onScreen(repo, 'diff', {});
  onScreen(repo, 'diff-session', {}, 'bee7', '--stat');
  onScreen(repo, 'diff-turn-undone', {}, '0123:1');
  onScreen(repo, 'diff-session-undone', {}, '0123');
  onScreen(repo, 'diff-commit', { id }, 'HEAD');
  onScreen(repo, 'diff-commit-unlinked', { id }, 'HEAD~1');
  onScreen(repo, 'diff-json', {}, 'bee7:-1', '--json');
  onScreen(repo, 'diff-not-found', {}, 'nobody');
  onScreen(repo, 'diff-help', {}, '--help');
});
