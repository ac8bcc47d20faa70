import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { all, attributionOf, lines } from '../support/command/attribution.ts';
import { variation } from '../support/repository/scenario.ts';

describe('a state that v0.4.4 wrote into', () => {
  const AGENT = lines('agent', 4);
  const MORE = AGENT + lines('mine', 5) + lines('agent', 4, 4);

  for (const [name, spoil] of Object.entries({
    'without our record': (file: string) => rmSync(file),
    'with a broken record': (file: string) => writeFileSync(file, '{"version":1,'),
    'with one of an earlier commit': (file: string) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"since":"[^"]*"/, '"since":"0"')),
  }))
    variation(`${name} the sums of the state count, as far as the steps hold them`, (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('a');
      session.edit('a.txt', AGENT);
      session.stop();
      repo.write('a.txt', AGENT + lines('mine', 5));
      session.prompt('go on');
      session.edit('a.txt', MORE);
      session.stop();
      const file = join(repo.commonDir, 'entire-sessions', `${session.id}.json`);
      const state = repo.state(session.id);
      state.prompt_attributions[1].user_lines_removed = 70; // in a file that no step has
      state.prompt_attributions[1].user_added_per_file['notes.txt'] = 90;
      writeFileSync(file, JSON.stringify(state));
      spoil(join(repo.commonDir, 'entire', 'user-lines', `${session.id}.json`));
      expect(attributionOf(repo, repo.commit('A', 'a.txt'))).toMatchObject({
        agent_lines: 8,
        human_added: 5,
        human_removed: 0,
        total_committed: 13,
      });
    });
});

describe('what has no lines', () => {
  variation('our own files, settings of agents, binary files and submodules', (repo) => {
    repo.ready();
    repo.write('.claude/settings.json', `${repo.read('.claude/settings.json')}\n\n\n`);
    repo.write('.claude/settings.local.json', '{\n  "a": 1\n}\n');
    repo.write('.gemini/settings.json', '{\n  "a": 1\n}\n');
    repo.write('.entire/settings.json', `${repo.read('.entire/settings.json')}\n\n\n`);
    repo.write('image.bin', `\0${lines('x', 20)}`);
    const session = repo.session();
    session.prompt('a');
    expect(repo.state(session.id).pending_prompt_attribution).toMatchObject({ user_lines_added: 0 });
    session.edit('a.txt', lines('agent', 4));
    session.edit('tool.bin', `\0${lines('y', 20)}`);
    session.stop();
    repo.write('image.bin', `\0${lines('x', 40)}`);
    repo.git('clone', '--quiet', '.', 'sub');
    repo.git('-c', 'advice.addEmbeddedRepo=false', 'add', '--all');
    repo.git('reset', '--quiet', 'HEAD', '--', '.entire/logs');
    expect(attributionOf(repo, repo.commit('All'))).toMatchObject(all(4));
  });

  variation('a file of 100,000 lines turned around does not hold up a commit', (repo) => {
    repo.ready();
    const rows = Array.from({ length: 100_000 }, (_, index) => `row ${index}\n`);
    repo.write('big.txt', rows.join(''));
    repo.commit('Big', 'big.txt');
    const session = repo.session();
    session.prompt('turn it around');
    session.edit('big.txt', rows.toReversed().join(''));
    session.stop();
    expect(attributionOf(repo, repo.commit('Turned', 'big.txt'))).toMatchObject({
      agent_lines: 0, // nothing new: lines that only moved
      human_added: 0,
      total_committed: 0,
    });
  });

  variation('line ends that git converts are no edit', (repo) => {
    repo.ready();
    repo.write('.gitattributes', '*.txt text eol=crlf\n').write('a.txt', 'one\r\ntwo\r\n');
    repo.commit('Base', '.gitattributes', 'a.txt');
    repo.write('a.txt', 'one\r\ntwo\r\nthree\r\n');
    const session = repo.session();
    session.prompt('a');
    expect(repo.state(session.id).pending_prompt_attribution.user_added_per_file).toEqual({ 'a.txt': 1 });
  });
});
