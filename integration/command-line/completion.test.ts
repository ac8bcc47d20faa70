import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { AGENTS } from '../../src/agents/names.ts';
import { addWork } from '../support/command/work.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const AGENT_NAMES = Object.keys(AGENTS);

/** What the shell makes of the words of a command line of which the last is being typed. */
function complete(repo: TestRepo, ...words: string[]): string[] {
  const script = [
    'source <(entire completion bash)',
    'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _entire',
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n');
  const { stdout, stderr } = repo.run('bash', ['--norc', '-c', script, 'bash', ...words]);
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** Why a shell is not tried; `.ci/run` installs them, and with CI set it fails. */
function noShell(shell: string): string {
  if (process.env.CI) throw new Error(`there is no ${shell}: scripts/shells.sh installs it where it may`);
  return `there is no ${shell} on this machine`;
}

describe('completions', () => {
  scenario('bash completes commands, aliases, flags and their values', (repo) => {
    repo.init();
    expect(complete(repo, 'entire', 'statu')).toEqual(['status ', 'statusline ']);
    expect(complete(repo, 'entire', 'in')).toEqual(['install ']);
    expect(complete(repo, 'entire', '')).toEqual(expect.arrayContaining(['enable ', 'version ']));
    expect(complete(repo, 'entire', '')).not.toContain('completion ');
    expect(complete(repo, 'entire', '--')).toEqual(['--help ', '--version ']);
    for (const name of ['enable', 'install']) {
      expect(complete(repo, 'entire', name, '--')).toEqual(
        expect.arrayContaining(['--agent ', '--force ', '--help ', '--strategy ']),
      );
      expect(complete(repo, 'entire', name, '--agent', '')).toEqual(AGENT_NAMES.map((agent) => `${agent} `));
      expect(complete(repo, 'entire', name, '--agent', '=', 'cl')).toEqual(['claude-code ']);
      expect(complete(repo, 'entire', name, '--agent', '=')).toEqual(AGENT_NAMES.map((agent) => `${agent} `));
    }
    expect(complete(repo, 'entire', 'help', 'dis')).toEqual(['disable ']);
    expect(complete(repo, 'entire', 'help', 'env')).toEqual(['environment ']);
    expect(complete(repo, 'entire', 'session', 'ex')).toEqual(['export ']);
    expect(complete(repo, 'entire', 'session', 'stats', '--')).toEqual(
      ['--agent', '--color', '--help', '--json', '--no-color', '--since'].map((flag) => `${flag} `),
    );
    expect(complete(repo, 'entire', 'session', '--re')).toEqual(['--resume ']);
    expect(complete(repo, 'entire', 'session', 'export', 'x', '--format', 'h')).toEqual(['html ']);
    expect(complete(repo, 'entire', 'agent', 'add', 'pi', 'cop')).toEqual(['copilot-cli ']);
    expect(complete(repo, 'entire', 'completion', '')).toEqual(['bash ', 'fish ', 'zsh ']);
    expect(complete(repo, 'entire', 'no-such-command', '')).toEqual([]);
  });

  variation('bash completes files and commits, and runs nothing that a name says', (repo) => {
    repo.ready().write('with space.txt', 'x\n');
    repo.git('branch', 'topic');
    repo.git('update-ref', `refs/heads/x$(touch\${IFS}run)`, 'HEAD');
    expect(complete(repo, 'entire', 'why', 't')).toEqual(['topic ']);
    expect(complete(repo, 'entire', 'why', 'x')).toEqual(['x\\$\\(touch\\$\\{IFS\\}run\\) ']);
    expect(complete(repo, 'entire', 'blame', 'with')).toEqual(['with space.txt']);
    expect(complete(repo, 'entire', 'blame', '--rev', 'HE')).toEqual(['HEAD ']);
    expect(repo.exists('run')).toBe(false);
  });

  scenario('ids are offered where one can stand, the newest first, with what they are of', (repo) => {
    repo.ready();
    const [one, two] = ['a', "b: it's"].map((text, at) => {
      const session = repo.session();
      session.prompt(`${text}\u001b[31m`);
      session.edit(`${at}.txt`, text);
      session.stop();
      return session.id;
    });
    const ids = (kind: string) => repo.entire('completion', '--ids', kind).stdout.split('\n').filter(Boolean);
    expect(ids('session').toSorted()).toEqual(
      [`${one}\tClaude Code, just now: a`, `${two}\tClaude Code, just now: b: it's`].toSorted(),
    );
    const points = ids('point').map((line) => line.split('\t')[0] as string);
    expect(points).toHaveLength(2);
    expect(complete(repo, 'entire', 'rewind', '--to', '').toSorted()).toEqual(
      points.map((id) => `${id} `).toSorted(),
    );
    const begun = two?.slice(0, 5) ?? '';
    for (const words of [['why'], ['resume'], ['log'], ['session', 'show'], ['explain', '--session']])
      expect(complete(repo, 'entire', ...words, begun), words.join(' ')).toEqual([`${two} `]);
    for (const words of [['undo'], ['redo'], ['forget'], ['diff'], ['explain']])
      expect(complete(repo, 'entire', ...words, begun), words.join(' ')).toEqual([
        `${two} `,
        `${two?.slice(0, 8)}:1 `,
      ]);
    expect(ids('turn')).toContain(`${two?.slice(0, 8)}:1\tjust now: B: it's`);
    expect(repo.entire('completion', '--ids', 'turn', `--word=${one?.slice(0, 6)}:`).stdout).toBe(
      `${one?.slice(0, 6)}:1\tjust now: A\n`,
    );
    expect(complete(repo, 'entire', 'why', 'entire/')).toEqual([]);
    const outside = repo.run('entire', ['completion', '--ids', 'session'], { cwd: repo.scratch });
    expect(outside).toEqual({ code: 0, stdout: '\n', stderr: '' });
    expect(repo.tryEntire('completion', '--ids', 'bogus').code).toBe(2);
  });

  variation('bash, with its own keys: TAB completes at a prompt', (repo, skip) => {
    if (!has('script')) skip('there is no `script`, which gives a shell a terminal');
    const rc = join(repo.scratch, 'bashrc');
    writeFileSync(rc, 'PS1="> "\nsource <(entire completion bash)\nbind "set bell-style none"\n');
    const shell = `bash --noprofile --rcfile '${rc}' -i`;
    const { stdout } = repo.run('script', ['--quiet', '--return', '--command', shell, '/dev/null'], {
      input: 'entire vers\t > out.txt\nexit\n',
    });
    expect(repo.read('out.txt'), stdout).toMatch(/^Entire CLI /);
  });

  variation('the scripts are those of the table, for each shell; another shell is refused', (repo) => {
    const { stdout: zsh } = repo.entire('completion', 'zsh');
    expect(zsh).toMatch(/^#compdef entire\n/);
    expect(zsh).toContain(
      "'(-f --force)'{-f,--force}'[Remove Entire'\\''s hooks first, then install them again]'",
    );
    expect(zsh).toContain(`:agent:(${AGENT_NAMES.join(' ')})`);
    const { stdout: fish } = repo.entire('completion', 'fish');
    expect(fish).toContain(
      "complete -c entire -n '__fish_seen_subcommand_from enable install' -l force -s f -d 'Remove Entire\\'s hooks first, then install them again'",
    );
    expect(repo.tryEntire('completion', 'tcsh')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: no completion script for shell: tcsh\nHint: Supported: bash, fish, zsh.\n',
    });
    expect(repo.tryEntire('completion').stderr).toContain('Error: Invalid usage: missing argument: <shell>');
  });

  variation('bash, with its own keys: a turn behind the colon, and what a setting takes', (repo, skip) => {
    if (!has('script')) skip('there is no `script`, which gives a shell a terminal');
    repo.ready();
    const session = repo.session('bee76f83-58dd-4892-8e75-8c5fe1567bcd');
    addWork(repo, { 'a.txt': 'a\n' }, session);
    const rc = join(repo.scratch, 'bashrc');
    writeFileSync(rc, 'PS1="> "\nsource <(entire completion bash)\nbind "set bell-style none"\n');
    const shell = `bash --noprofile --rcfile '${rc}' -i`;
    const keys = [
      'entire diff bee76f83:\t --name-only > turn.txt',
      'entire diff --stat bee7:\t > short.txt',
      'entire config set log_level de\t > set.txt',
    ];
    const { stdout } = repo.run('script', ['--quiet', '--return', '--command', shell, '/dev/null'], {
      input: `${keys.join('\n')}\nexit\n`,
    });
    expect(repo.read('turn.txt'), stdout).toMatch(/^turn bee76f83:1\n[\s\S]*\na\.txt\n$/);
    expect(repo.read('short.txt'), stdout).toContain('a.txt | 1 +');
    expect(repo.entire('config', 'get', 'log_level').stdout, stdout).toBe('debug\n');
    expect(complete(repo, 'entire', 'config', 'set', 'enabled', '')).toEqual(['true ', 'false ']);
    expect(complete(repo, 'entire', 'config', 'set', 'entire.pushSessions', 't')).toEqual(['true ']);
    expect(complete(repo, 'entire', 'config', 'set', 'log_')).toEqual(['log_level ']);
    expect(complete(repo, 'entire', 'search', '--kind', 'p')).toEqual(['prompt ']);
    expect(complete(repo, 'entire', 'log', '--color', 'n')).toEqual(['never ']);
  });

  variation('zsh completes commands and flags', (repo, skip) => {
    if (!has('zsh')) skip(noShell('zsh'));
    const script = [
      'autoload -Uz compinit && compinit -u && source <(entire completion zsh)',
      'whence -w _entire; print -r -- $_comps[entire]',
    ].join('\n');
    expect(repo.run('zsh', ['-f', '-c', script]).stdout).toBe('_entire: function\n_entire\n');
  });

  variation('zsh shows ids with what they are of, and takes the only one there is', (repo, skip) => {
    if (!has('zsh')) skip(noShell('zsh'));
    needsTerminal(skip);
    repo.ready();
    for (const [id, file] of [
      ['bee76f83-58dd-4892-8e75-8c5fe1567bcd', 'a.txt'],
      ['beed0000-58dd-4892-8e75-8c5fe1567bcd', 'b.txt'],
    ] as const)
      addWork(repo, { [file]: 'text\n' }, repo.session(id));
    const start = 'PROMPT="> "; autoload -Uz compinit && compinit -u; source <(entire completion zsh); :';
    // Tab for the list, more letters, Tab for what is left; then the line is printed instead of run.
    const keys = [`${start}\\n`, 'entire why be\\t\\t', '7\\t', '\\001echo \\n', 'exit\\n'];
    const typeIn = (all: readonly string[]): string => {
      const typed = all.map((text) => `printf '${text}'; sleep 1.5; `).join('');
      const shell = `{ sleep 1; ${typed} } | script --quiet --return --command 'stty cols 150 rows 40; exec zsh -f -i' /dev/null`;
      return stripVTControlCharacters(repo.run('sh', ['-c', shell]).stdout);
    };
    const shown = typeIn(keys);
    expect(shown).toMatch(/bee76f83-58dd-4892-8e75-8c5fe1567bcd +-- Claude Code, just now: write a\.txt/);
    expect(shown).toMatch(/beed0000-58dd-4892-8e75-8c5fe1567bcd +-- Claude Code, just now: write b\.txt/);
    expect(shown).toMatch(/\nentire why bee76f83-58dd-4892-8e75-8c5fe1567bcd\s/);
    const more = [
      `${start}\\n`,
      'entire diff bee7:\\t',
      '\\001echo \\n',
      'entire config set log_level de\\t',
      '\\001echo \\n',
      'exit\\n',
    ];
    expect(typeIn(more)).toMatch(/\nentire diff bee7:1\s[\s\S]*\nentire config set log_level debug\s/);
  });

  variation('fish completes commands and flags', (repo, skip) => {
    if (!has('fish')) skip(noShell('fish'));
    const ask = (line: string) =>
      repo.run('fish', ['--no-config', '-c', `entire completion fish | source; complete -C ${line}`]).stdout;
    expect(ask("'entire sta'")).toContain('status\tShow what is recorded here, and what is not committed\n');
    expect(ask("'entire enable --ag'")).toContain('--agent\t');
    repo.ready();
    const { id } = addWork(repo, { 'a.txt': 'a\n' });
    expect(ask("'entire undo '")).toContain(`${id}\tClaude Code, just now: write a.txt\n`);
    expect(ask(`'entire undo ${id.slice(0, 6)}:'`)).toBe(`${id.slice(0, 6)}:1\tjust now: Write a.txt\n`);
    expect(ask("'entire config set enabled '")).toBe('false\ntrue\n');
    expect(ask("'entire config set log_'")).toBe('log_level\n');
  });
});

describe('the offer after an installation', () => {
  const asked = (repo: TestRepo, shell: string, keys: string) =>
    repo.run(
      'script',
      ['--quiet', '--return', '--command', `SHELL=${shell} entire curl-bash-post-install`, '/dev/null'],
      {
        input: keys,
        env: { ACCESSIBLE: '1' },
      },
    );

  variation('is never made without a terminal or for a foreign shell, and never fails', (repo) => {
    const offer = (shell: string) =>
      repo.run('entire', ['curl-bash-post-install'], { env: { SHELL: shell } });
    expect(offer('/bin/tcsh')).toMatchObject({
      code: 0,
      stdout: 'Note: Shell completion not available for your shell. Supported: zsh, bash, fish.\n',
    });
    expect(offer('/bin/bash').stdout).toContain(
      'Note: Shell completion setup skipped: cannot ask for confirmation',
    );
    expect(existsSync(join(repo.home, '.bashrc'))).toBe(false);
    mkdirSync(join(repo.home, '.zshrc'));
    expect(offer('/bin/zsh')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is not read: it is a folder'),
    });
    expect(repo.entire('help').stdout).not.toContain('post-install');
  });

  variation('a yes adds one line, once; a no and the end of input add none', (repo, skip) => {
    needsTerminal(skip);
    const rc = join(repo.home, '.bashrc');
    writeFileSync(rc, 'alias ll="ls -l"\n');
    for (const keys of ['n\n', '\x04']) {
      expect(asked(repo, '/usr/bin/bash', keys).stdout).toContain(
        'Enable shell completion? (detected: Bash) [Y/n]',
      );
      expect(readFileSync(rc, 'utf8')).toBe('alias ll="ls -l"\n');
    }
    expect(asked(repo, '/usr/bin/bash', 'y\n').stdout).toContain(`✓ Shell completion added to ${rc}`);
    const text = 'alias ll="ls -l"\n\n# Entire CLI shell completion\nsource <(entire completion bash)\n';
    expect(readFileSync(rc, 'utf8')).toBe(text);
    expect(asked(repo, '/usr/bin/bash', 'y\n').stdout).toContain(
      `✓ Shell completion already configured in ${rc}`,
    );
    expect(readFileSync(rc, 'utf8')).toBe(text);
    expect(asked(repo, '/usr/bin/fish', '\n').code).toBe(0);
    expect(readFileSync(join(repo.home, '.config', 'fish', 'config.fish'), 'utf8')).toContain(
      'entire completion fish | source',
    );
  });
});
