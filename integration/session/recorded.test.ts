import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { turn } from '../support/command/resume.ts';
import { scenario } from '../support/repository/scenario.ts';

scenario('what hooks recorded here is listed, wherever its agent was started', (repo) => {
  // biome-ignore lint/suspicious/noExplicitAny: JSON as a program sees it
  const list = (...more: string[]): any[] =>
    JSON.parse(repo.entire('session', 'list', '--json', ...more).stdout);
  repo.ready();
  const session = repo.session();
  turn(repo, session, 'a.txt', 'Write a');
  const text = session.read().replaceAll(JSON.stringify(repo.dir), JSON.stringify(dirname(repo.dir)));
  writeFileSync(session.transcript, text);
  const [one, ...more] = list();
  expect(more).toEqual([]);
  expect(one).toMatchObject({
    session_id: session.id,
    cli_origin: 'claude-code',
    title: 'Write a',
    surviving_lines: 1,
  });
  expect(one.commits).toEqual([repo.git('rev-parse', 'HEAD')]);
  expect(list('--everywhere')).toHaveLength(1);
  rmSync(session.transcript);
  expect(list('--here')).toMatchObject([{ session_id: session.id }]);
  expect(list('--agent', 'codex')).toEqual([]);
  expect(list('--chats')).toEqual([]);
});
