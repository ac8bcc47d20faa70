import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { FUTURE, fakeProgram, goOn, turn, withFeature } from '../support/command/resume.ts';
import { addClone, withOrigin } from '../support/repository/clones.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('going on in the agent', () => {
  onBothBuilds(
    '--exec runs the agent’s own command, passes on what stands behind --, and ends as it does',
    (repo) => {
      const { session } = withFeature(repo);
      const claude = fakeProgram(repo, 'claude', 7);
      const words = ['--model', 'opus 4', "it's", '--json', ''];
      const result = repo.run('entire', ['resume', 'feature', '--exec', '--', ...words], {
        env: claude.env,
        input: 'typed by somebody\n',
        cwd: repo.dir,
      });
      expect(result.code).toBe(7);
      expect(result.stdout).toBe('out of claude\n');
      expect(claude.calls()).toBe(
        `${[repo.dir, '-r', session.id, ...words].join('\n')}\ntyped by somebody\n`,
      );
    },
  );

  variation('without --exec the words are part of the printed command, quoted for a shell', (repo) => {
    const { session, id } = withFeature(repo);
    const { stderr } = repo.entire('resume', id, '--', '--model', 'opus 4', "it's", '$(rm x)', '--force');
    expect(stderr).toContain(
      `  claude -r ${session.id} --model 'opus 4' 'it'\\''s' '$(rm x)' --force  # Add a.txt\n`,
    );
    const claude = fakeProgram(repo, 'claude');
    const command = stderr.trimEnd().split('\n').at(-1) as string;
    repo.run('sh', ['-c', command], { env: claude.env });
    expect(claude.calls()).toBe(
      `${[repo.dir, '-r', session.id, '--model', 'opus 4', "it's", '$(rm x)', '--force'].join('\n')}\n`,
    );
    expect(repo.entire('resume', '--', 'x').stderr).toContain(`claude -r ${session.id} x  # Add a.txt\n`);
  });

  variation(
    'of several sessions the most recent one goes on; an agent that is not there is an error',
    (repo) => {
      repo.ready();
      const sessions = [repo.session(), repo.session()];
      for (const [index, session] of sessions.entries()) {
        session.prompt('Add');
        session.edit(`${index}.txt`, 'x\n');
        session.stop();
      }
      const id = repo.commit('Add both', '0.txt', '1.txt') as string;
      const latest = repo.storedJson(id, '1/metadata.json').session_id;
      const claude = fakeProgram(repo, 'claude');
      expect(repo.run('entire', ['resume', id, '--exec'], { env: claude.env }).code).toBe(0);
      expect(claude.calls()).toBe(`${repo.dir}\n-r\n${latest}\n`);

      const missing = repo.tryEntire('resume', id, '--exec');
      expect(missing.code).toBe(1);
      expect(missing.stderr).toContain('Error: claude could not be started: claude is not on PATH\nHint: ');
    },
  );

  variation('a signal that ends the agent ends us with its number', (repo) => {
    const { id } = withFeature(repo);
    const claude = fakeProgram(repo, 'claude');
    repo.run('sh', [
      '-c',
      `printf '#!/bin/sh\\nkill -TERM $$\\n' > '${claude.env.PATH?.split(':')[0]}/claude'`,
    ]);
    expect(repo.run('entire', ['resume', id, '--exec'], { env: claude.env }).code).toBe(143);
  });

  variation('the agent is started where it finds the session', (repo) => {
    const { session, id } = withFeature(repo);
    rmSync(join(repo.commonDir, 'entire-sessions'), { recursive: true });
    repo.write('sub/x.txt', 'x\n');
    const claude = fakeProgram(repo, 'claude');
    repo.run('entire', ['resume', id, '--exec'], { env: claude.env, cwd: join(repo.dir, 'sub') });
    expect(claude.calls()).toBe(`${repo.dir}\n-r\n${session.id}\n`);
  });

  variation('a session whose log goes on here is started as it is', (repo) => {
    const { session } = withFeature(repo);
    goOn(session);
    const text = session.read();
    const claude = fakeProgram(repo, 'claude');
    for (const named of [[], [session.id]])
      expect(repo.run('entire', ['resume', ...named, '--exec'], { env: claude.env }).code).toBe(0);
    expect([
      session.read(),
      claude
        .calls()
        .split('\n')
        .filter((line) => line === session.id),
    ]).toEqual([text, [session.id, session.id]]);
  });

  variation('what is not to be replaced is not gone on with', (repo) => {
    const { session, id } = withFeature(repo);
    goOn(session);
    const claude = fakeProgram(repo, 'claude');
    expect(repo.run('entire', ['resume', id, '--exec'], { env: claude.env }).code).toBe(1);
    expect(claude.calls()).toBe('');
    for (const flag of ['--json', '--dry-run'])
      expect(repo.tryEntire('resume', id, '--exec', flag).code).toBe(2);
    expect(repo.tryEntire('resume', id, 'extra').code).toBe(2);
    expect(repo.tryEntire('status', '--', 'x').code).toBe(2);
  });
});

describe('--dry-run', () => {
  variation('says what would happen and where, and does nothing', (repo) => {
    const { session } = withFeature(repo);
    rmSync(session.transcript);
    const refs = repo.git('for-each-ref');
    const { stdout, stderr } = repo.entire('resume', 'feature', '--dry-run');
    expect(stdout).toBe('');
    expect(stderr).toBe(`Would switch to branch 'feature'.
Would write transcript to: ${session.transcript}
Session: ${session.id}

To continue this session, run:
  claude -r ${session.id}  # Add a.txt
`);
    expect(existsSync(session.transcript)).toBe(false);
    expect([repo.git('branch', '--show-current'), repo.git('for-each-ref')]).toEqual(['main', refs]);
  });

  variation('says what it would ask, and what --force would replace', (repo) => {
    const { session } = withFeature(repo);
    repo.git('switch', '--quiet', 'feature');
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'On top');
    goOn(session);
    const text = session.read();
    const { stderr } = repo.entire('resume', 'feature', '--dry-run');
    expect(stderr).toContain('Would ask that, unless --force is given.');
    expect(stderr).toContain('Would ask before that, unless --force is given.');
    const forced = repo.entire('resume', 'feature', '--dry-run', '--force').stderr;
    expect(forced).toContain(`Would write transcript to: ${session.transcript}\n`);
    expect(forced).not.toContain('Would ask');
    expect(session.read()).toBe(text);
    expect(existsSync(join(repo.commonDir, 'entire', 'replaced-logs'))).toBe(false);
  });

  variation('asks no remote', (repo) => {
    const bare = withOrigin(repo);
    const clone = addClone(repo, bare);
    repo.git('switch', '--quiet', '-c', 'feature');
    const session = repo.session();
    turn(repo, session, 'a.txt');
    repo.git('push', '--quiet', 'origin', 'feature');
    clone.git('fetch', '--quiet', 'origin');
    rmSync(bare, { recursive: true });
    const refs = clone.git('for-each-ref');
    const { stderr } = clone.entire('resume', 'feature', '--dry-run');
    expect(stderr).toContain(
      "Would fetch branch 'feature' from origin.\nWould switch to branch 'feature'.\n",
    );
    expect(stderr).toContain(`Session: ${session.id}\n`);
    expect(clone.git('for-each-ref')).toBe(refs);
  });
});

describe('--json', () => {
  variation('prints one document, and nothing else', (repo) => {
    const { session, id } = withFeature(repo);
    const commit = repo.git('rev-parse', 'feature');
    const planned = repo.entire('resume', 'feature', '--json', '--dry-run');
    expect(JSON.parse(planned.stdout)).toMatchObject({
      result: 'planned',
      branch: 'feature',
      checkpoint: id,
    });
    rmSync(session.transcript);
    const { stdout, stderr } = repo.entire('resume', 'feature', '--json', '--', '--model', 'opus');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      result: 'restored',
      branch: 'feature',
      commit,
      newer_commits: 0,
      checkpoint: id,
      sessions: [
        {
          session_id: session.id,
          agent: 'Claude Code',
          prompt: 'Add a.txt',
          path: session.transcript,
          state: 'new',
          written: true,
          kept: null,
          local_last_entry: null,
          checkpoint_last_entry: expect.stringMatching(/^\d{4}-.*Z$/),
          command: ['claude', '-r', session.id, '--model', 'opus'],
        },
      ],
      skipped: [],
    });
    goOn(session);
    const newer = session.read();
    const refused = repo.tryEntire('resume', 'feature', '--json');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^Error: .*\nHint: .*\n$/);
    const [replaced] = JSON.parse(repo.entire('resume', 'feature', '--json', '-f').stdout).sessions;
    expect(replaced).toMatchObject({ state: 'local-newer', written: true, local_last_entry: FUTURE });
    expect(readFileSync(replaced.kept, 'utf8')).toBe(newer);
  });

  variation('says so where there is nothing to go on with', (repo) => {
    repo.ready();
    const result = (...args: string[]) => JSON.parse(repo.entire('resume', '--json', ...args).stdout);
    expect(result()).toMatchObject({ result: 'no-session', sessions: [] });
    expect(result('main')).toMatchObject({ result: 'no-checkpoint', branch: 'main' });
    expect(result('HEAD')).toMatchObject({ result: 'no-checkpoint', commit: repo.git('rev-parse', 'HEAD') });
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'x\n\nEntire-Checkpoint: a1b2c3d4e5f6');
    expect(result('main')).toMatchObject({ result: 'no-metadata', checkpoint: 'a1b2c3d4e5f6' });
  });
});
