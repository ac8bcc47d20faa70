import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import {
  addPlugin,
  allowExternal,
  DemoSession,
  examplePlugin,
  programsOf,
  usePath,
} from '../support/agent/external.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Runs a hook as an agent does; it must exit with 0 and print nothing. */
function hook(repo: TestRepo, name: string, verb = 'stop', input = '{"id":"s1"}'): void {
  const { code, stdout, stderr } = repo.run('entire', ['hooks', name, verb], { input });
  expect({ code, stdout, stderr }, `${name} ${verb}`).toEqual({ code: 0, stdout: '', stderr: '' });
}

/** What `status` and `doctor` say of it afterwards. */
function expectReason(repo: TestRepo, reason: string): void {
  expect(repo.entire('status').stdout).toContain(reason);
  expect(repo.tryEntire('doctor').stdout).toContain(reason);
}

const sh = (script: string): string => `#!/bin/sh\n${script}\n`;
const INFO = '{"protocol_version":1,"type":"Demo","hook_names":[],"capabilities":{"hooks":true}}';
/** Says what it is, and then does something else. */
const afterInfo = (script: string): string =>
  sh(`if [ "$1" = info ]; then echo '${INFO}'; exit; fi\n${script}`);

describe('a hook of an agent that is not built in never hurts', () => {
  const misdeeds: ReadonlyArray<readonly [what: string, plugin: string, reason: string]> = [
    ['fails', sh('echo "no licence" >&2; exit 3'), 'info failed with exit code 3: no licence'],
    ['prints junk', sh('echo "hello there"'), 'info answered with no JSON'],
    ['prints nothing', sh('exit 0'), 'info answered with no JSON'],
    ['speaks another version', sh(`echo '{"protocol_version":2,"type":"Demo"}'`), 'protocol version 2'],
    ['has no type', sh(`echo '{"protocol_version":1}'`), 'no "type"'],
    [
      'takes the type of another',
      sh(`echo '{"protocol_version":1,"type":"Codex"}'`),
      'that of another agent',
    ],
    ['prints 100 MB', afterInfo('head -c 100000000 /dev/zero'), 'parse-hook printed more than 10 MiB'],
    ['has an interpreter that is not there', '#!/no/such/interpreter\n', 'could not be started'],
    ['is killed', afterInfo('kill -9 $$'), 'parse-hook was killed by a signal'],
    ['answers with a list', afterInfo('echo "[1]"'), 'something that is not an object'],
    ['names no session', afterInfo(`echo '{"type":3,"session_id":"../../x"}'`), 'no usable session id'],
  ];
  for (const [what, plugin, reason] of misdeeds) {
    variation(`whose executable ${what}`, (repo) => {
      addPlugin(allowExternal(repo.ready()), 'demo', plugin);
      hook(repo, 'demo');
      expectReason(repo, reason);
    });
  }

  variation('whose executable hangs, and what it started is gone afterwards', (repo) => {
    const pids = join(repo.scratch, 'pids');
    const plugin = sh(`sleep 600 & echo $! > ${pids}; echo $$ >> ${pids}; sleep 600`);
    addPlugin(allowExternal(repo.ready()), 'demo', plugin);
    hook(repo, 'demo');
    const left = repo.run('sh', ['-c', `ps -o stat=,args= -p $(paste -sd, ${pids}) | grep -v '^Z'`]);
    expect(left.stdout).toBe('');
    expect(repo.logText()).toContain('info had not ended after 5 s, and was killed');
  });

  variation('whose executable is not there, or is not executable', (repo) => {
    allowExternal(repo.ready());
    hook(repo, 'demo');
    expectReason(repo, 'entire-agent-demo is not on PATH');
    addPlugin(repo, 'demo', examplePlugin(), 0o644);
    hook(repo, 'demo');
    expectReason(repo, 'entire-agent-demo is not executable');
  });

  variation('with a name that is a path', (repo) => {
    addPlugin(allowExternal(repo.ready()), 'demo', sh(`touch ${join(repo.scratch, 'ran')}`));
    for (const name of ['../demo', 'x/../demo', '/demo', '..', '.', 'demo\n', 'a'.repeat(5000)]) {
      hook(repo, name);
      hook(repo, name, 'post-file-edit');
    }
    expect(existsSync(join(repo.scratch, 'ran'))).toBe(false);
    expectReason(repo, 'no agent can have that name');
  });

  variation('that tells what nobody knows, or nothing', (repo) => {
    addPlugin(
      allowExternal(repo.ready()),
      'demo',
      afterInfo(`cat > /dev/null; echo '{"type":77,"session_id":"s1"}'`),
    );
    hook(repo, 'demo');
    addPlugin(repo, 'demo', afterInfo('echo null'));
    hook(repo, 'demo', 'stop', '');
    hook(repo, 'demo', 'stop', 'no json');
    expect(repo.logText()).not.toContain('WARN');
  });

  variation('with an edit outside of the repository and a transcript that is none', (repo) => {
    addPlugin(allowExternal(repo.ready()), 'demo');
    const session = new DemoSession(repo);
    session.hook('prompt', { prompt: 'hello', log: '/no/such/file' });
    session.hook('post-file-edit', { files: ['/etc/passwd', '../../x', 'a\nb', ''] });
    session.hook('stop', { log: '/no/such/file' });
    expect(repo.entire('status', '--json').stdout).toContain('"files_touched": []');
    expect(repo.logText()).toContain('turn ended without a transcript');
  });
});

describe('nothing is started', () => {
  /** An executable that leaves a trace. */
  const trap = (repo: TestRepo): string => sh(`touch ${join(repo.scratch, 'ran')}; echo '${INFO}'`);
  /** Everything that could lead to it. */
  function tryAll(repo: TestRepo): void {
    hook(repo, 'demo');
    hook(repo, 'demo', 'post-file-edit');
    for (const args of [
      ['agent'],
      ['agent', 'add', 'demo'],
      ['status'],
      ['doctor'],
      ['enable', '--agent', 'demo'],
    ])
      repo.tryEntire(...args);
    expect(existsSync(join(repo.scratch, 'ran'))).toBe(false);
  }

  variation('where nobody said so, and it is told how to', (repo) => {
    addPlugin(repo.ready(), 'demo', trap(repo));
    tryAll(repo);
    expectReason(repo, 'agent "demo" is not built in, and "external_agents" is not true here');
    const { stdout, stderr } = repo.entire('agent', 'list');
    expect(stdout).toContain('on PATH, not used');
    expect(stderr).toContain(
      'Run `git config entire.externalAgents true`, or set "external_agents": true in',
    );
    const added = repo.tryEntire('agent', 'add', 'demo');
    expect([added.code, added.stderr]).toMatchObject([1, expect.stringContaining('"external_agents"')]);
  });

  variation('because the repository says so in the settings that everybody shares', (repo) => {
    addPlugin(repo.ready(), 'demo', trap(repo));
    repo.write('.entire/settings.json', '{"enabled": true, "external_agents": true}\n');
    tryAll(repo);
    expectReason(repo, 'is ignored');
    const codes = JSON.parse(repo.tryEntire('doctor', '--json').stdout).findings.map(
      ({ code }: { code: string }) => code,
    );
    expect(codes).toContain('external-agents-refused');
  });

  variation('because the repository has local settings, under whatever name', (repo) => {
    addPlugin(allowExternal(repo.ready()), 'demo', trap(repo));
    repo.git('add', '--force', '.entire/settings.local.json');
    tryAll(repo);
    expectReason(repo, 'is ignored');
    repo.git('commit', '--quiet', '-m', 'Allow it for all');
    tryAll(repo);

    // It is still at the tip of a branch, and later in the history; a text that git does not know is the user's.
    repo.git('rm', '--quiet', '--cached', '.entire/settings.local.json');
    tryAll(repo);
    repo.git('commit', '--quiet', '-m', 'Each for themselves');
    tryAll(repo);
    repo.write('.entire/settings.local.json', '{"external_agents": true, "log_level": "info"}');
    hook(repo, 'demo');
    expect(existsSync(join(repo.scratch, 'ran'))).toBe(true);
  });

  variation('because of a link to something that the repository has', (repo) => {
    addPlugin(repo.ready(), 'demo', trap(repo));
    repo.write('shared.json', '{"external_agents": true}\n');
    repo.git('add', 'shared.json');
    rmSync(join(repo.dir, '.entire/settings.local.json'));
    symlinkSync('../shared.json', join(repo.dir, '.entire/settings.local.json'));
    tryAll(repo);
    expectReason(repo, 'is ignored');
  });

  variation('that lies in the repository, or is reached by a relative path', (repo) => {
    allowExternal(repo.ready());
    mkdirSync(join(repo.dir, 'tools'));
    const file = join(repo.dir, 'tools/entire-agent-demo');
    writeFileSync(file, trap(repo), { mode: 0o755 });
    usePath(repo, 'tools', './tools', '', '.');
    tryAll(repo);
    usePath(repo, join(repo.dir, 'tools'));
    tryAll(repo);
    mkdirSync(programsOf(repo), { recursive: true });
    symlinkSync(file, join(programsOf(repo), 'entire-agent-demo'));
    usePath(repo, programsOf(repo));
    tryAll(repo);
    symlinkSync(join(repo.dir, 'tools'), join(repo.scratch, 'linked'));
    usePath(repo, join(repo.scratch, 'linked'));
    tryAll(repo);
    expectReason(repo, 'lies in this repository');
  });

  variation(
    'that lies in another worktree of the repository, or in the one that it is a submodule of',
    (repo) => {
      addPlugin(allowExternal(repo.ready()), 'demo', trap(repo));
      const side = join(repo.scratch, 'side');
      repo.git('worktree', 'add', '--quiet', side);
      mkdirSync(join(side, 'tools'));
      writeFileSync(join(side, 'tools/entire-agent-demo'), trap(repo), { mode: 0o755 });
      usePath(repo, join(side, 'tools'));
      tryAll(repo);
      expectReason(repo, 'lies in this repository');

      repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repo.dir, 'sub');
      const options = { cwd: join(repo.dir, 'sub') };
      repo.write('sub/.entire/settings.json', '{"enabled": true}\n');
      repo.write('sub/.entire/settings.local.json', '{"external_agents": true}\n');
      mkdirSync(join(repo.dir, 'tools'));
      writeFileSync(join(repo.dir, 'tools/entire-agent-demo'), trap(repo), { mode: 0o755 });
      for (const folder of [repo.dir, side]) {
        usePath(repo, join(folder, 'tools'));
        repo.run('entire', ['hooks', 'demo', 'stop'], { ...options, input: '{"id":"s1"}' });
        expect(repo.run('entire', ['agent', 'list'], options).stderr).toContain('lies in this repository');
        expect(existsSync(join(repo.scratch, 'ran')), folder).toBe(false);
      }
    },
  );

  variation('in the place of an interpreter, from the repository', (repo) => {
    addPlugin(allowExternal(repo.ready()), 'demo', '#!/usr/bin/env demo-interpreter\n');
    mkdirSync(join(repo.dir, 'tools'));
    writeFileSync(join(repo.dir, 'tools/demo-interpreter'), trap(repo), { mode: 0o755 });
    usePath(repo, programsOf(repo), 'tools', join(repo.dir, 'tools'));
    tryAll(repo);
  });

  variation('in the place of an agent that is built in', (repo) => {
    addPlugin(allowExternal(repo.ready()), 'claude-code', trap(repo));
    addPlugin(repo, 'git', trap(repo));
    const session = repo.session();
    session.prompt('go on');
    session.edit('a.txt', 'a\n');
    session.stop();
    hook(repo, 'git', 'bogus');
    repo.entire('agent', 'list');
    expect(repo.commit('Add a', 'a.txt')).toBeDefined();
    expect(existsSync(join(repo.scratch, 'ran'))).toBe(false);
  });
});
