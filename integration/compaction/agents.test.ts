/** Clients whose transcripts say that a compaction is over, and whose models hear of their files at the next hook that they hear. */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const SESSION = '5e551011-0000-4000-8000-000000000001';

/** A session that is played from what its client was seen to send and to write. */
class Played {
  readonly transcript: string;
  private readonly repo: TestRepo;
  private readonly agent: string;
  private readonly fixtures: string;

  constructor(repo: TestRepo, agent: string, transcript: string) {
    this.repo = repo;
    this.agent = agent;
    this.fixtures = join(import.meta.dirname, '../fixtures', agent);
    this.transcript = join(repo.home, transcript);
    repo.ready().entire('agent', 'add', agent);
    repo.write('old.txt', 'one\ntwo\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Begin');
    mkdirSync(dirname(this.transcript), { recursive: true });
  }

  /** What the hook prints, as JSON; undefined where that is nothing. */
  hook(verb: string, name: string, change: object = {}): unknown {
    const input = this.input(name, change);
    const { code, stdout } = this.repo.run('entire', ['hooks', this.agent, verb], { input });
    expect(code).toBe(0);
    return stdout === '' ? undefined : JSON.parse(stdout);
  }

  /** A captured payload, of this session. */
  input(name: string, change: object = {}): string {
    const payload = JSON.parse(readFileSync(join(this.fixtures, `${name}.json`), 'utf8'));
    const snake = 'session_id' in payload;
    const own = snake
      ? { session_id: SESSION, transcript_path: this.transcript }
      : { sessionId: SESSION, ...('transcriptPath' in payload && { transcriptPath: this.transcript }) };
    return JSON.stringify({ ...payload, ...own, ...change }).replaceAll('"/repo', `"${this.repo.dir}`);
  }

  /** The lines of a captured transcript before the one that tells of the compaction, and that one. */
  cut(name: string, mark: string): [before: string, done: string] {
    const lines = readFileSync(join(this.fixtures, 'transcripts', name), 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes(mark));
    expect(at).toBeGreaterThan(0);
    return [`${lines.slice(0, at).join('\n')}\n`, `${lines[at]}\n`];
  }

  noted(): Record<string, unknown> {
    return JSON.parse(this.repo.read(`.git/entire/compactions/${SESSION}.json`));
  }
}

const section = (modified: string, read: string) =>
  `## Files you've been working with\nModified: ${modified}\nRead: ${read}`;

function playGemini(repo: TestRepo): { session: Played; compressed: string } {
  const session = new Played(repo, 'gemini', '.gemini/tmp/demo/chats/s.jsonl');
  const [before, compressed] = session.cut('compressed-in-turn.jsonl', 'Thanks for the additional context');
  writeFileSync(session.transcript, before);
  expect(session.hook('before-agent', 'BeforeAgent')).toBeUndefined();
  expect(session.hook('post-file-read', 'AfterTool-read_file')).toBeUndefined();
  expect(session.hook('post-file-read', 'AfterTool-read_file-missing')).toBeUndefined();
  repo.write('new.txt', 'new\n');
  expect(session.hook('post-file-edit', 'AfterTool-write_file')).toBeUndefined();
  expect(session.hook('pre-compress', 'PreCompress')).toBeUndefined();
  expect(session.hook('post-shell', 'AfterTool-run_shell_command')).toBeUndefined();
  return { session, compressed };
}

describe('Gemini CLI, compressed', () => {
  const told = (event: string, text: string) => ({
    hookSpecificOutput: { hookEventName: event, additionalContext: text },
  });

  variation('in a turn, its model hears of its files with the next shell command, and once', (repo) => {
    const { session, compressed } = playGemini(repo);
    appendFileSync(session.transcript, compressed);
    const heard = session.hook('post-shell', 'AfterTool-run_shell_command');
    expect(heard).toEqual(told('AfterTool', section('new.txt', 'old.txt')));
    expect(session.noted()).toMatchObject({ tokens_before: 700_027, reminded: true });
    for (const [verb, name] of [
      ['post-shell', 'AfterTool-run_shell_command'],
      ['before-agent', 'BeforeAgent'],
    ] as const)
      expect(session.hook(verb, name)).toBeUndefined();
  });

  variation('else with the next prompt, also where the user asked for it', (repo) => {
    const { session, compressed } = playGemini(repo);
    expect(session.hook('pre-compress', 'PreCompress', { trigger: 'manual' })).toBeUndefined();
    expect(session.hook('before-agent', 'BeforeAgent')).toBeUndefined(); // nothing was compressed
    appendFileSync(session.transcript, compressed);
    const heard = session.hook('before-agent', 'BeforeAgent');
    expect(heard).toEqual(told('BeforeAgent', section('new.txt', 'old.txt')));
    expect(session.hook('before-agent', 'BeforeAgent')).toBeUndefined();
  });
});

function playCopilot(repo: TestRepo): { session: Played; completed: string } {
  const file = `.copilot/session-state/${SESSION}/events.jsonl`;
  const session = new Played(repo, 'copilot-cli', file);
  const [before, completed] = session.cut('compacted.jsonl', '"session.compaction_complete"');
  writeFileSync(session.transcript, before);
  repo.write('new.txt', 'new\n');
  for (const [verb, name] of [
    ['user-prompt-submitted', 'userPromptSubmitted'],
    ['post-file-read', 'postToolUse-view'],
    ['post-file-read', 'postToolUse-view-folder'],
    ['post-file-read', 'postToolUseFailure-view'],
    ['post-file-edit', 'postToolUse-create'],
    ['pre-compact', 'preCompact-manual'],
    ['post-shell', 'postToolUse-bash'], // the client compacts in the background
    ['user-prompt-submitted', 'userPromptSubmitted'],
  ] as const)
    expect(session.hook(verb, `payloads/${name}`), name).toBeUndefined();
  return { session, completed };
}

/** What the hook prints that runs beside others. */
function replyOf(repo: TestRepo, input: string): Promise<string> {
  const child = spawn(join(repo.build.bin, 'entire'), ['hooks', 'copilot-cli', 'post-shell'], {
    cwd: repo.dir,
    env: repo.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(input);
  return readText(child.stdout);
}

describe('Copilot CLI, compacted', () => {
  const heard = { additionalContext: section('new.txt', 'old.txt') };

  variation('its model hears of its files with the next prompt, and once', (repo) => {
    const { session, completed } = playCopilot(repo);
    appendFileSync(session.transcript, completed);
    expect(session.hook('user-prompt-submitted', 'payloads/userPromptSubmitted')).toEqual(heard);
    const { preCompactionTokens, postCompactionTokens } = JSON.parse(completed).data;
    expect(session.noted()).toMatchObject({
      tokens_before: preCompactionTokens,
      tokens_after: postCompactionTokens,
    });
    expect(session.hook('post-shell', 'payloads/postToolUse-bash')).toBeUndefined();
    expect(session.hook('user-prompt-submitted', 'payloads/userPromptSubmitted')).toBeUndefined();
  });

  variation('its transcript is looked through once, however long it is', (repo) => {
    const { session, completed } = playCopilot(repo);
    const look = () => JSON.parse(repo.read(`.git/entire/compaction-looks/${SESSION}.json`));
    const talk = JSON.stringify({ type: 'assistant.message', data: { content: 'words '.repeat(100) } });
    appendFileSync(session.transcript, `${talk}\n`.repeat(200));
    const whole = statSync(session.transcript).size;
    appendFileSync(session.transcript, completed.slice(0, 40)); // half-written
    expect(session.hook('post-shell', 'payloads/postToolUse-bash')).toBeUndefined();
    expect(look()).toEqual({ version: 1, path: session.transcript, bytes: whole });
    appendFileSync(session.transcript, completed.slice(40));
    expect(session.hook('post-shell', 'payloads/postToolUse-bash')).toEqual(heard);
    expect(session.hook('post-shell', 'payloads/postToolUse-bash')).toBeUndefined();
  });

  variation('of shell commands that end at the same moment one tells it', async (repo) => {
    const { session, completed } = playCopilot(repo);
    appendFileSync(session.transcript, completed);
    const input = session.input('payloads/postToolUse-bash');
    const replies = await Promise.all([1, 2, 3, 4].map(() => replyOf(repo, input)));
    expect(replies.filter((reply) => reply !== '').map((reply) => JSON.parse(reply))).toEqual([heard]);
  });

  variation('or with a shell command of its own, not with one of a sub-agent', (repo) => {
    const { session, completed } = playCopilot(repo);
    appendFileSync(session.transcript, completed);
    const child = { sessionId: 'child', agentId: 'child', parentAgentId: SESSION };
    expect(session.hook('post-shell', 'payloads/postToolUse-bash', child)).toBeUndefined();
    expect(session.hook('post-shell', 'payloads/postToolUse-bash')).toEqual(heard);
  });

  variation('not where the settings do not want it', (repo) => {
    const { session, completed } = playCopilot(repo);
    repo.write(
      '.entire/settings.local.json',
      JSON.stringify({ strategy_options: { compaction: { enabled: false } } }),
    );
    appendFileSync(session.transcript, completed);
    expect(session.hook('user-prompt-submitted', 'payloads/userPromptSubmitted')).toBeUndefined();
  });
});
