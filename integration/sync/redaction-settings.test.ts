import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { commitWithoutPostCommit } from '../support/command/work.ts';
import { checkpointsOn, METADATA, userPush, withOrigin } from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ask = (repo: TestRepo, redaction: unknown, name = 'settings.json'): void => {
  const file = join(repo.dir, '.entire', name);
  const before = name === 'settings.json' ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
  writeFileSync(file, JSON.stringify({ ...before, redaction }));
};

scenario('redaction settings: hooks replace what they ask for', (repo) => {
  repo.ready();
  ask(repo, {
    pii: { enabled: true, custom_patterns: { employee: 'E-[0-9]{4}' } },
    custom_redactions: { codename: '(?i)falcon', broken: 'sesame(' },
  });
  const session = repo.session();
  session.prompt('mail ada@acme.dev about Falcon');
  session.edit('a.txt', 'one\n');
  session.say('E-1234 knows');
  expect(session.stop()).toMatchObject({ code: 0 });
  const id = repo.commit('Add a', 'a.txt') as string;
  const stored = repo.stored(id, '0/full.jsonl') + repo.stored(id, '0/prompt.txt');
  expect(stored).toContain('mail [REDACTED_EMAIL] about REDACTED');
  expect(stored).toContain('[REDACTED_EMPLOYEE] knows');
  expect(stored).not.toMatch(/ada@|falcon|E-1234/i);

  const skipped = 'redaction.custom_redactions.broken is skipped: missing closing )';
  expect(repo.entire('status').stdout).toContain(skipped);
  const log = readFileSync(join(repo.dir, '.entire/logs/entire.log'), 'utf8');
  expect(log).toContain(skipped);
  expect(log).not.toContain('sesame');
});

variation('settings that change in mid-session hold for all of its transcript from then on', (repo) => {
  repo.ready();
  const session = repo.session();
  session.prompt('ask ada@acme.dev');
  session.edit('a.txt', 'one\n');
  session.stop();
  ask(repo, { pii: { enabled: true } });
  session.prompt('go on');
  session.edit('b.txt', 'two\n');
  session.stop();
  const id = repo.commit('Add both', 'a.txt', 'b.txt') as string;
  expect(repo.stored(id, '0/full.jsonl')).toContain('ask [REDACTED_EMAIL]');
  expect(repo.stored(id, '0/full.jsonl')).not.toContain('ada@');
});

variation('a local file cannot switch off what the project asks for', (repo) => {
  repo.ready();
  ask(repo, { pii: { enabled: true } });
  ask(repo, { pii: { enabled: false, email: false } }, 'settings.local.json');
  const session = repo.session();
  session.prompt('ask ada@acme.dev');
  session.edit('a.txt', 'one\n');
  session.stop();
  const id = repo.commit('Add a', 'a.txt') as string;
  expect(repo.stored(id, '0/prompt.txt')).toBe('ask [REDACTED_EMAIL]');
});

variation('what `entire push` completes is redacted as the settings ask', (repo) => {
  withOrigin(repo);
  ask(repo, { pii: { enabled: true } });
  const session = repo.session();
  session.prompt('mail ada@acme.dev');
  session.edit('a.txt', 'one\n');
  const id = commitWithoutPostCommit(repo, 'a.txt');
  expect(repo.tryGit('rev-parse', `entire/checkpoints/v1:${id.slice(0, 2)}`).code).not.toBe(0);
  repo.entire('push', '--yes');
  expect(repo.stored(id, '0/full.jsonl')).toContain('mail [REDACTED_EMAIL]');
});

variation(
  'an expression that begins with ^ finds every prompt, wherever prompts are stored together',
  (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('begin');
    session.prompt('door code is swordfish');
    session.edit('a.txt', 'one\n');
    session.stop();
    const first = repo.commit('Add a', 'a.txt') as string;
    const texts = (id: string) =>
      ['full.jsonl', 'prompt.txt', 'context.md'].map((name) => repo.stored(id, `0/${name}`)).join('\n');
    expect(texts(first)).toContain('swordfish');
    ask(repo, { custom_redactions: { door: '^door code .*' } });
    repo.entire('scrub');
    expect(texts(first)).not.toContain('swordfish');

    session.prompt('go on');
    session.prompt('door code was swordfish');
    session.edit('b.txt', 'two\n');
    session.stop();
    expect(repo.git('log', '-p', '--format=%B', repo.shadowBranches()[0] as string)).not.toContain(
      'swordfish',
    );
    expect(texts(repo.commit('Add b', 'b.txt') as string)).not.toContain('swordfish');
  },
);

/** Settings of this repository whose own rules nobody can read, and other ones that hold all the same. */
function withBroken(repo: TestRepo, text: string): void {
  mkdirSync(join(repo.home, '.config/entire'), { recursive: true });
  const own = { redaction: { custom_redactions: { mine: 'heron' } } };
  writeFileSync(join(repo.home, '.config/entire/settings.json'), JSON.stringify(own));
  writeFileSync(join(repo.dir, '.entire/settings.json'), text);
}

const RULES = '{"custom_redactions": {"codename": "(?i)falcon", "brackets": "\\\\{x\\\\}"}}';

variation('a typo in the settings takes no rule of redaction away that stands beside it', (repo) => {
  const bare = withOrigin(repo);
  withBroken(repo, `{"enabled": true, "redaction": ${RULES},}`);
  const session = repo.session();
  session.prompt('falcon, heron, {x} and ada@acme.dev');
  session.edit('a.txt', 'one\n');
  session.stop();
  const id = repo.commit('Add a', 'a.txt') as string;
  expect(repo.stored(id, '0/prompt.txt')).toBe('REDACTED, REDACTED, REDACTED and [REDACTED_EMAIL]');
  const told = repo.entire('status').stdout;
  expect(told).toContain('is not read, and permits nothing');
  expect(told).not.toContain('rules of redaction');
  expect(userPush(repo).said.join()).toContain('is not read');
  writeFileSync(join(repo.dir, '.entire/settings.json'), `{"enabled": true, "redaction": ${RULES}}`);
  userPush(repo);
  expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
});

variation(
  'what was stored without rules that could not be read does not leave until they are applied',
  (repo) => {
    const bare = withOrigin(repo);
    withBroken(repo, '{"enabled": true, "redaction": {"custom_redactions": {"codename": "(?i)fal');
    const session = repo.session();
    session.prompt('falcon, heron and ada@acme.dev');
    session.edit('a.txt', 'one\n');
    session.stop();
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.stored(id, '0/prompt.txt')).toBe('falcon, REDACTED and [REDACTED_EMAIL]');
    expect(repo.entire('status').stdout).toContain(
      'Its own rules of redaction, if it has any, are not applied',
    );
    expect(userPush(repo).said.join()).toContain('is not read');

    writeFileSync(join(repo.dir, '.entire/settings.json'), `{"enabled": true, "redaction": ${RULES}}`);
    const why =
      'some were stored while a settings file could not be read, without its rules of redaction; `entire scrub --rewrite` applies them';
    expect(userPush(repo, 'origin', 'HEAD:topic').said).toEqual([
      `[entire] Session logs stay on this machine: ${why}`,
    ]);
    expect(repo.entire('status').stdout).toContain(`Session logs: stay on this machine (${why})`);
    expect(repo.tryEntire('push', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
    expect(checkpointsOn(repo, METADATA, bare)).toEqual([]);
    repo.entire('scrub', '--dry-run');
    repo.entire('scrub'); // older commits have it still
    expect(userPush(repo, 'origin', 'HEAD:topic').said).toHaveLength(1);
    repo.entire('scrub', '--rewrite');
    expect(userPush(repo, 'origin', 'HEAD:more').said.join()).toContain('Pushing session logs');
    expect(checkpointsOn(repo, METADATA, bare)).toEqual([id]);
    expect(repo.git('-C', bare, 'log', '-p', '--format=%B', METADATA)).not.toContain('falcon');
  },
);
