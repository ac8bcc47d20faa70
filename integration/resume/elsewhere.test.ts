import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { goOn, turn } from '../support/command/resume.ts';
import { addClone, withOrigin } from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const SECRET = 'AKIAZ7Q2M4X6P8R3T5W9';

/** Puts the agent's folder elsewhere. Returns where the log of a session goes now. */
function moveAgent(repo: TestRepo, transcript: string): string {
  const config = join(repo.scratch, 'config');
  repo.variables = { CLAUDE_CONFIG_DIR: config };
  return join(config, 'projects', repo.dir.replace(/[^a-zA-Z0-9]/g, '-'), basename(transcript));
}

describe('in another clone', () => {
  variation('what follows there is linked from where it went on', (repo) => {
    const bare = withOrigin(repo);
    const session = repo.session();
    turn(repo, session, 'a.txt', 'write a.txt at home');
    repo.git('push', '--quiet', 'origin', 'HEAD');
    const clone = addClone(repo, bare);
    clone.git('fetch', '--quiet', 'origin', '+refs/heads/entire/*:refs/remotes/origin/entire/*');
    const there = clone.session(session.id);
    writeFileSync(there.transcript, session.read());
    there.prompt('write b.txt away');
    there.edit('b.txt', 'b\n');
    there.stop();
    const id = clone.commit('Add b', 'b.txt') as string;
    const { stdout } = clone.entire('explain', id, '--short');
    expect(stdout).toContain('\n> write b.txt away\n');
    expect(clone.storedJson(id, '0/metadata.json').checkpoint_transcript_start).toBeGreaterThan(0);
  });
});

describe('going on with a session whose log the agent kept elsewhere: that one, never an older or a redacted one', () => {
  scenario('which went on since its checkpoint', (repo) => {
    repo.ready();
    const session = repo.session();
    turn(repo, session, 'a.txt', `use ${SECRET}`);
    goOn(session);
    const file = moveAgent(repo, session.transcript);
    repo.entire('resume', session.id);
    expect(readFileSync(file, 'utf8')).toBe(session.read());
  });

  variation('which went on since its step', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt(`use ${SECRET}`);
    session.edit('a.txt', 'a\n');
    session.stop();
    goOn(session);
    const file = moveAgent(repo, session.transcript);
    repo.entire('resume', session.id);
    expect(readFileSync(file, 'utf8')).toBe(session.read());
  });

  variation('of which nothing was stored', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('look around');
    session.stop();
    const file = moveAgent(repo, session.transcript);
    expect(repo.entire('resume', session.id, '--dry-run').stderr).toContain(file);
    expect(existsSync(file)).toBe(false);
    expect(repo.entire('resume', session.id).stderr).toContain(`Writing transcript to: ${file}\n`);
    expect(readFileSync(file, 'utf8')).toBe(session.read());
  });
});
