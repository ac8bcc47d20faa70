import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  addCheckpoint,
  addClone,
  METADATA,
  setPush,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectGolden } from '../support/runner/golden.ts';

/** What a command prints, on both streams, is what stands in the golden file `name`. */
function onScreen(
  repo: TestRepo,
  name: string,
  words: string,
  named: Readonly<Record<string, string>> = {},
): void {
  const { code, stdout, stderr } = repo.tryEntire(...words.split(' '));
  const said = `${stdout}${stderr === '' ? '' : `[stderr]\n${stderr}`}`
    .replace(/\d+(\.\d+)? (bytes|KiB)\b/g, '<size>')
    .replace(/("bytes": )\d+/g, '$1<count>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>')
    .replace(/\b(just now|\d+m ago)/g, '<ago>');
  expectGolden(repo, `${name}.txt`, `$ entire ${words}\n${said}[exit ${code}]\n`, named);
}

const SESSION = '5e551011-0000-4000-8000-000000000001';
const SECRET = 'AKIAZ7Q2M4X6P8R3T5W9';

/** One commit of a session, and work of it that no commit has. */
function withRecord(repo: TestRepo): string {
  const session = repo.session(SESSION);
  session.prompt(`Write a and b; the key is ${SECRET}`);
  session.edit('a.txt', 'one\n');
  session.edit('b.txt', 'two\n');
  session.stop('Done.');
  return repo.commit('Add a', 'a.txt') as string;
}

scenario('status prints what its golden files hold', (repo) => {
  repo.init();
  onScreen(repo, 'status-not-set-up', 'status');
  repo.ready();
  const id = withRecord(repo);
  repo.write('mine.txt', 'mine\n');
  repo.commit('Mine', 'mine.txt');
  onScreen(repo, 'status', 'status', { id });
  onScreen(repo, 'status-detailed', 'status --detailed', { id });
  onScreen(repo, 'status-json', 'status --json', { id });
  repo.entire('disable');
  onScreen(repo, 'status-disabled', 'status', { id });
});

variation('push and fetch print what their golden files hold', (repo) => {
  const bare = withOrigin(repo, false);
  onScreen(repo, 'push-log-nothing', 'push --log');
  const id = withRecord(repo);
  onScreen(repo, 'push-preview', 'push --preview', { id });
  onScreen(repo, 'push-preview-json', 'push --preview --json', { id });
  onScreen(repo, 'push-refused', 'push');
  onScreen(repo, 'push', 'push --yes');
  onScreen(repo, 'push-preview-nothing', 'push --preview');
  onScreen(repo, 'push-log', 'push --log');
  onScreen(repo, 'push-log-json', 'push --log --json');

  const other = addClone(repo, bare);
  const named = { remote: bare };
  onScreen(other, 'fetch-nothing-new', 'fetch', named);
  other.git('update-ref', '-d', METADATA);
  onScreen(other, 'fetch-first', 'fetch', named);
  setPush(repo, true);
  repo.session(SESSION).stop();
  repo.commit('Add b', 'b.txt');
  userPush(repo);
  addCheckpoint(other);
  onScreen(other, 'fetch', 'fetch', named);
  onScreen(other, 'fetch-json', 'fetch --json', named);
});

variation('scrub prints what its golden files hold', (repo) => {
  repo.ready();
  const session = repo.session(SESSION);
  session.prompt('Ask ada@acme.dev');
  session.edit('a.txt', 'one\n');
  session.stop('ada@acme.dev says yes');
  repo.commit('Add a', 'a.txt');
  onScreen(repo, 'scrub-nothing', 'scrub');
  const file = join(repo.dir, '.entire/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...settings, redaction: { pii: { enabled: true } } }));
  onScreen(repo, 'scrub-dry-run', 'scrub --dry-run');
  onScreen(repo, 'scrub-json', 'scrub --dry-run --json');
  onScreen(repo, 'scrub', 'scrub');
  onScreen(repo, 'scrub-rewrite', 'scrub --rewrite');
});
