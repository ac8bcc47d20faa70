import { expect } from 'vitest';
import { shares, stats } from '../support/command/stats.ts';
import { variation } from '../support/repository/scenario.ts';

variation('a file’s name that breaks a line somewhere stays one line, in quotes as git has them', (repo) => {
  repo.ready();
  const name = 'a\u2028Not linked "b".txt';
  const quoted = '"a\\342\\200\\250Not linked \\"b\\".txt"';
  const session = repo.session();
  session.prompt('write');
  session.edit(name, 'one\n');
  session.stop();
  const outputs = [repo.entire('status').stdout, repo.entire('undo', '--dry-run').stdout];
  repo.commit('Odd', name);
  outputs.push(
    repo.entire('why').stdout,
    repo.entire('explain', '--commit', 'HEAD').stdout.split('\n> ')[0] as string,
  );
  for (const text of outputs) {
    expect(text).toContain(quoted);
    expect(text).not.toContain('\u2028');
  }
});

variation('lines of a file whose name has a line break are nobody’s that is known', (repo) => {
  repo.ready();
  const [odd, coloured] = ['new\nline.txt', 'esc\u001b[31mred.txt'];
  const session = repo.session();
  session.prompt('write');
  for (const name of [odd, coloured]) session.edit(name, 'what an agent writes\nin two lines\n');
  session.stop();
  repo.commit('Odd', '.');
  const files = Object.fromEntries(stats(repo, 'HEAD').by_file.map(({ key, added }) => [key, added]));
  expect(files).toMatchObject({ [odd]: shares(0, 0, 2), [coloured]: shares(2, 0) });
  const { stdout } = repo.entire('stats', 'HEAD', '--by', 'file');
  expect(stdout).toContain('"new\\nline.txt"');
  expect(stdout).toContain('"esc\\033[31mred.txt"');
});
