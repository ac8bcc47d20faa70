import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { scenario } from './support/test-repo.ts';

scenario('65: resume of another branch switches there and restores the transcript', (repo) => {
  repo.ready();
  repo.git('switch', '--quiet', '-c', 'feature');
  const session = repo.session();
  session.prompt('Add a file');
  session.edit('a.txt', 'a\n');
  session.stop();
  repo.commit('Add a', 'a.txt');
  const text = session.read();
  repo.git('switch', '--quiet', 'main');
  rmSync(session.transcript);
  const { stdout, stderr } = repo.entire('resume', 'feature');
  console.log(stderr);
  expect(stdout).toBe('');
  expect(repo.git('branch', '--show-current')).toBe('feature');
  expect(readFileSync(session.transcript, 'utf8')).toBe(text);
});
