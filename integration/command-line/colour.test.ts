import { expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

const COLOUR = /\u001b\[\d*m/;

scenario('--color and the variables say whether there are colours, and git is told', (repo) => {
  repo.ready();
  const session = repo.session();
  addWork(repo, { 'a.txt': 'a\n' }, session);
  const run = (env: Record<string, string>, ...args: string[]): string =>
    repo.run('entire', args, { env: { NO_COLOR: '', ...env } }).stdout;
  for (const command of ['log', `diff ${session.id}`]) {
    const args = command.split(' ');
    const plain = run({}, ...args);
    expect(plain).not.toMatch(COLOUR);
    for (const flags of [['--color'], ['--color=always'], ['--color', 'always']])
      expect(run({ NO_COLOR: '1', TERM: 'dumb' }, ...args, ...flags)).toMatch(COLOUR);
    for (const env of [{ CLICOLOR_FORCE: '1' }, { FORCE_COLOR: '1' }])
      expect(run(env, ...args), JSON.stringify(env)).toMatch(COLOUR);
    for (const flags of [['--no-color'], ['--color=never'], ['--color', 'auto', '--no-color']])
      expect(run({ CLICOLOR_FORCE: '1' }, ...args, ...flags)).toBe(plain);
  }
  expect(repo.tryEntire('log', '--color=blue')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Error: Invalid usage: --color takes auto, always or never, not "blue"\nHint: See `entire help log`.\n',
  });
});

variation('in a terminal, colours go where a variable does not want them', (repo) => {
  repo.ready();
  const session = repo.session();
  addWork(repo, { 'a.txt': 'a\n' }, session);
  for (const command of ['log', `diff ${session.id} --no-pager`]) {
    const run = (env: Record<string, string>, flag = ''): string => {
      const shell = `stty cols 100 rows 50; exec entire ${command} ${flag}`;
      const args = ['--quiet', '--return', '--command', shell, '/dev/null'];
      return repo.run('script', args, { env: { TERM: 'xterm', NO_COLOR: '', ...env } }).stdout;
    };
    expect(run({})).toMatch(COLOUR);
    expect(run({ NO_COLOR: '1' }, '--color=auto')).not.toMatch(COLOUR);
    expect(run({ CLICOLOR: '0' })).not.toMatch(COLOUR);
    expect(run({ FORCE_COLOR: '0' })).not.toMatch(COLOUR);
    expect(run({}, '--no-color')).not.toMatch(COLOUR);
  }
});
