import { expect } from 'vitest';
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
