import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentName } from '../../src/agents/names.ts';
import { readPayload } from '../support/agent/agent-fixtures.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
const text = (changes: Record<number, string> = {}) =>
  `${lines.map((line, at) => changes[at] ?? line).join('\n')}\n`;

interface Client {
  readonly agent: AgentName;
  readonly prompt: readonly [verb: string, payload: string];
  readonly stop: readonly [verb: string, payload: string];
  readonly shell: string;
  /** What its hook tells of an edit that put a line in the place of another. */
  edited(file: string, old: string, put: string, before: string): Record<string, unknown>;
}

const patchOf = (file: string, old: string, put: string): string => {
  const lines = [`-${old.trimEnd()}`, ...(put === '' ? [] : [`+${put}`])];
  return ['*** Begin Patch', `*** Update File: ${file}`, '@@', ...lines, '*** End Patch', ''].join('\n');
};

/** What Gemini CLI and Qwen Code tell besides: the file before, as a text. */
const toldBefore = (file: string, before: string) => ({
  returnDisplay: { filePath: file, originalContent: before.replaceAll('\r\n', '\n') },
});

/** Clients that tell which text an edit replaced, and not what the bytes of the file were. */
const CLIENTS: readonly Client[] = [
  {
    agent: 'codex',
    prompt: ['user-prompt-submit', 'UserPromptSubmit'],
    stop: ['stop', 'Stop'],
    shell: 'PostToolUse-Bash',
    edited: (file, old, put) => ({
      ...readPayload('codex', 'PostToolUse-apply_patch'),
      tool_input: { command: patchOf(file, old, put) },
    }),
  },
  {
    agent: 'copilot-cli',
    prompt: ['user-prompt-submitted', 'payloads/userPromptSubmitted'],
    stop: ['agent-stop', 'payloads/agentStop'],
    shell: 'payloads/postToolUse-bash',
    edited: (file, old, put) => ({
      ...readPayload('copilot-cli', 'payloads/postToolUse-edit'),
      toolArgs: { path: file, old_str: old, new_str: put },
    }),
  },
  {
    agent: 'cursor',
    prompt: ['before-submit-prompt', 'beforeSubmitPrompt'],
    stop: ['stop', 'stop'],
    shell: 'afterShellExecution',
    edited: (file, old, put) => ({
      ...readPayload('cursor', 'afterFileEdit'),
      file_path: file,
      edits: [{ old_string: old, new_string: put }],
    }),
  },
  {
    agent: 'factoryai-droid',
    prompt: ['user-prompt-submit', 'UserPromptSubmit'],
    stop: ['stop', 'Stop'],
    shell: 'PostToolUse-Execute',
    edited: (file, old, put) => ({
      ...readPayload('factoryai-droid', 'PostToolUse-Edit'),
      tool_input: { file_path: file, old_str: old, new_str: put },
    }),
  },
  {
    agent: 'gemini',
    prompt: ['before-agent', 'BeforeAgent'],
    stop: ['after-agent', 'AfterAgent'],
    shell: 'AfterTool-run_shell_command',
    edited: (file, old, put, before) => ({
      ...readPayload('gemini', 'AfterTool-replace'),
      tool_input: { file_path: file, old_string: old, new_string: put },
      tool_response: toldBefore(file, before),
    }),
  },
  {
    agent: 'qwen-code',
    prompt: ['user-prompt-submit', 'UserPromptSubmit'],
    stop: ['stop', 'Stop'],
    shell: 'PostToolUse-run_shell_command',
    edited: (file, old, put, before) => ({
      ...readPayload('qwen-code', 'PostToolUse-edit'),
      tool_input: { file_path: file, old_string: old, new_string: put },
      tool_response: toldBefore(file, before),
    }),
  },
];

/** A turn of one client, whose hooks run behind what it does. */
function turnOf(repo: TestRepo, { agent, prompt, stop, shell, edited }: Client) {
  const hook = (verb: string, payload: Record<string, unknown>) => {
    const here = { cwd: repo.dir, workspace_roots: [repo.dir], transcript_path: null };
    const input = JSON.stringify({ ...payload, ...here });
    expect(repo.run('entire', ['hooks', agent, verb], { input }).code).toBe(0);
  };
  const read = ([verb, payload]: readonly [string, string]) => hook(verb, readPayload(agent, payload));
  return {
    prompt: () => read(prompt),
    stop: () => read(stop),
    shell: () => read(['post-shell', shell]),
    /** Replaces a text in a file, and runs the hook. */
    edit(path: string, old: string, put: string, written = (made: string) => made) {
      const before = repo.read(path);
      repo.write(path, written(before.replace(old, put)));
      hook('post-file-edit', edited(join(repo.dir, path), old, put, before));
    },
  };
}

/** A patch that moves a file, and what its hook tells. */
function movedBy(repo: TestRepo, hunk: readonly string[]) {
  const named = ['*** Begin Patch', '*** Update File: f.txt', '*** Move to: moved.txt'];
  const command = [...named, ...hunk, '*** End Patch', ''].join('\n');
  const told = { ...readPayload('codex', 'PostToolUse-apply_patch'), tool_input: { command } };
  const input = JSON.stringify({ ...told, cwd: repo.dir });
  expect(repo.run('entire', ['hooks', 'codex', 'post-file-edit'], { input }).code).toBe(0);
}

describe('what the user wrote into a file that a patch of the agent moves', () => {
  const begin = (repo: TestRepo) => {
    repo.ready();
    repo.write('f.txt', text());
    repo.commit('F', 'f.txt');
    const turn = turnOf(repo, CLIENTS[0] as Client);
    turn.prompt();
    return turn;
  };

  variation('goes back to where it was', (repo) => {
    const turn = begin(repo);
    turn.edit('f.txt', 'line 5', 'agent');
    userWrites(repo, 'f.txt', 10, 'user');
    repo.write('moved.txt', repo.read('f.txt').replace('line 15', 'agent, too'));
    rmSync(join(repo.dir, 'f.txt'));
    movedBy(repo, ['@@', '-line 15', '+agent, too']);
    turn.stop();
    repo.entire('undo');
    expect([repo.read('f.txt'), repo.exists('moved.txt')]).toEqual([text({ 10: 'user' }), false]);
    repo.entire('redo');
    expect(repo.read('moved.txt')).toBe(text({ 5: 'agent', 10: 'user', 15: 'agent, too' }));
  });

  variation('stays in the new file where nothing says what it was', (repo) => {
    const turn = begin(repo);
    userWrites(repo, 'f.txt', 10, 'user');
    repo.write('moved.txt', repo.read('f.txt').replaceAll('line 1', 'agent 1'));
    rmSync(join(repo.dir, 'f.txt'));
    movedBy(repo, ['@@', '-something else', '+anything']);
    turn.stop();
    const { stdout } = repo.tryEntire('undo');
    expect(stdout).toContain(
      "left      f.txt: its earlier version is known only by the agent's own account, which may not be exact",
    );
    expect(repo.read('moved.txt')).toContain('user\n');
  });

  variation('is nothing: the file goes back with the bytes that it had', (repo) => {
    const turn = begin(repo);
    repo.write('moved.txt', text());
    rmSync(join(repo.dir, 'f.txt'));
    movedBy(repo, []);
    turn.stop();
    expect(repo.entire('undo').stdout).toContain('  created   f.txt\n  deleted   moved.txt\n');
    expect(repo.read('f.txt')).toBe(text());
  });
});

/** They make all line ends of a file alike, and tell the text before without them. */
const LEVELLING = CLIENTS.filter(({ agent }) => ['gemini', 'qwen-code'].includes(agent));

const userWrites = (repo: TestRepo, path: string, line: number, put: string) =>
  repo.write(path, repo.read(path).replace(`line ${line}\n`, `${put}\n`));

describe.each(CLIENTS)('what the user writes in a turn of $agent', (client) => {
  const begin = (repo: TestRepo) => {
    repo.ready();
    repo.write('f.txt', text());
    repo.commit('F', 'f.txt');
    const turn = turnOf(repo, client);
    turn.prompt();
    return turn;
  };

  variation('stays, before the first edit of a file, between two, and behind the last', (repo) => {
    const turn = begin(repo);
    userWrites(repo, 'f.txt', 0, 'user, before');
    turn.edit('f.txt', 'line 5', 'agent');
    userWrites(repo, 'f.txt', 10, 'user, between');
    turn.edit('f.txt', 'line 14', 'agent, too');
    userWrites(repo, 'f.txt', 19, 'user, behind');
    turn.stop();
    const after = repo.read('f.txt');
    expect(repo.entire('undo', '--dry-run').stdout).toContain('  merged    f.txt');
    expect(repo.entire('undo').stdout).toContain('  merged    f.txt');
    expect(repo.read('f.txt')).toBe(text({ 0: 'user, before', 10: 'user, between', 19: 'user, behind' }));
    repo.entire('redo');
    expect(repo.read('f.txt')).toBe(after);
  });

  variation('stays where lines were taken away, and with CRLF', (repo) => {
    repo.ready();
    repo.write('crlf.txt', text().replaceAll('\n', '\r\n'));
    repo.write('f.txt', text());
    repo.commit('F', 'crlf.txt', 'f.txt');
    const turn = turnOf(repo, client);
    turn.prompt();
    repo.write('crlf.txt', repo.read('crlf.txt').replace('line 9\r\n', 'user\r\n'));
    turn.edit('crlf.txt', 'line 15', 'agent');
    userWrites(repo, 'f.txt', 2, 'user');
    turn.edit('f.txt', 'line 15\n', '');
    turn.stop();
    const { stdout } = repo.tryEntire('undo');
    expect(repo.read('f.txt')).toBe(text({ 2: 'user' }));
    // Whether the user's line ended with CRLF as well nobody knows then.
    const isLeft = LEVELLING.includes(client);
    const left = text({ 9: 'user', ...(isLeft && { 15: 'agent' }) });
    expect(repo.read('crlf.txt')).toBe(left.replaceAll('\n', '\r\n'));
    expect(stdout).toContain(isLeft ? '  left      crlf.txt' : '  merged    crlf.txt');
  });

  variation('stays though a shell ran in the turn', (repo) => {
    const turn = begin(repo);
    turn.edit('f.txt', 'line 5', 'agent');
    turn.shell();
    userWrites(repo, 'f.txt', 10, 'user');
    turn.edit('f.txt', 'line 15', 'agent, too');
    turn.stop();
    expect(repo.entire('undo').stdout).toContain('  merged    f.txt');
    expect(repo.read('f.txt')).toBe(text({ 10: 'user' }));
  });

  variation('is left and named: a file that he made since the prompt, and the agent edited', (repo) => {
    const turn = begin(repo);
    repo.write('mine.txt', text());
    turn.edit('mine.txt', 'line 5', 'agent');
    turn.stop();
    const { code, stdout } = repo.tryEntire('undo');
    expect([code, stdout]).toEqual([1, expect.stringContaining('  left      mine.txt: ')]);
    expect(repo.read('mine.txt')).toBe(text({ 5: 'agent' }));
    repo.entire('undo', '--files', 'mine.txt', '--force');
    expect(repo.read('mine.txt')).toBe(text());
  });

  variation('is nothing: the file comes back with the bytes that it had', (repo) => {
    const turn = begin(repo);
    for (const path of ['new.txt', 'deep/f.txt']) {
      mkdirSync(dirname(join(repo.dir, path)), { recursive: true });
      repo.write(path, `${text()}last`); // git does not have them
    }
    turn.stop();
    turn.prompt();
    turn.edit('f.txt', 'line 5', 'agent');
    turn.edit('f.txt', 'agent', 'agent, again');
    turn.edit('deep/f.txt', 'line 5', 'agent');
    turn.stop();
    const { stdout } = repo.entire('undo');
    expect(stdout).toContain('  restored  deep/f.txt\n  restored  f.txt\n');
    expect([repo.read('f.txt'), repo.read('deep/f.txt')]).toEqual([text(), `${text()}last`]);
  });
});

describe.each(LEVELLING)('$agent, which makes all line ends of a file alike', (client) => {
  variation('tells nothing of those that the user wrote: the file is left', (repo) => {
    const crlf = (made: string) => made.replaceAll(/\r?\n/g, '\r\n');
    repo.ready();
    repo.write('f.txt', crlf(text()));
    repo.commit('F', 'f.txt');
    const turn = turnOf(repo, client);
    turn.prompt();
    repo.write('f.txt', repo.read('f.txt').replace('line 10\r\n', 'user\n'));
    turn.edit('f.txt', 'line 5', 'agent', crlf);
    turn.stop();
    const { stdout } = repo.tryEntire('undo');
    expect(stdout).toContain(
      "left      f.txt: its earlier version is known only by the agent's own account, which may not be exact",
    );
    expect(repo.read('f.txt')).toBe(crlf(text({ 5: 'agent', 10: 'user' })));
  });
});
