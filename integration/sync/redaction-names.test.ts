import { describe, expect } from 'vitest';
import { expandSample } from '../support/command/redaction-sample.ts';
import { variation } from '../support/repository/scenario.ts';

describe.each(['manual-commit', 'auto-commit'])('%s', (strategy) => {
  variation('names of branches and files that hold a key are in no metadata', (repo) => {
    repo.ready().entire('enable', '--strategy', strategy, '--agent', 'claude-code');
    const { text: key } = expandSample('ghp_{A36}', 1);
    const path = `exports/${key}.json`;
    repo.git('checkout', '--quiet', '-b', `fix/${key}`);
    const session = repo.session();
    session.prompt('write them');
    session.edit(path, '{}\n');
    session.edit('b.txt', 'two\n');
    session.stop();
    if (strategy === 'manual-commit') repo.commit('Both', path, 'b.txt');
    const id = repo.checkpointOf('HEAD') as string;
    for (const file of ['metadata.json', '0/metadata.json'])
      expect(repo.storedJson(id, file).files_touched).toEqual(['b.txt', 'exports/REDACTED.json']);
    expect(repo.storedJson(id, '0/metadata.json').branch).toBe('fix/REDACTED');
    const objects = repo.git('rev-list', '--objects', 'entire/checkpoints/v1').split('\n');
    const input = objects.map((line) => line.slice(0, 40)).join('\n');
    expect(objects.join('\n')).not.toContain(key);
    expect(repo.run('git', ['cat-file', '--batch'], { input }).stdout).not.toContain(key);

    // Readers know the file again, also where no hook has seen the commit.
    repo.run('rm', ['-f', '.git/entire/verdicts.jsonl']);
    const why = JSON.parse(repo.entire('why', '--json').stdout);
    expect(why).toMatchObject({
      status: 'linked',
      sessions: [{ files_in_commit: ['b.txt', 'exports/REDACTED.json'] }],
    });
    const [line] = JSON.parse(repo.entire('blame', path, '--json').stdout).lines;
    expect(line).toMatchObject({ class: 'unknown' }); // nobody's, rather than the user's
  });
});
