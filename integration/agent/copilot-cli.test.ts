import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const fixtures = join(import.meta.dirname, '../fixtures/copilot-cli');
const SESSION = 'c14ef695-955a-4e31-92a0-a1b7a1d1c46a';

/** What hooks get of a captured session, in another repository. */
class Captured {
  readonly repo: TestRepo;
  readonly transcript: string;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    repo.entire('enable', '--agent', 'copilot-cli');
    repo.write('existing.txt', 'hello\nworld\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Begin');
    this.transcript = join(repo.home, '.copilot/session-state', SESSION, 'events.jsonl');
    mkdirSync(join(this.transcript, '..'), { recursive: true });
  }

  hook(verb: string, name: string, agent = 'copilot-cli'): void {
    const payload = this.placed(readFileSync(join(fixtures, 'payloads', `${name}.json`), 'utf8'));
    const result = this.repo.run('entire', ['hooks', agent, verb], { input: payload });
    expect(result).toMatchObject({ code: 0 });
  }

  /** The turn up to its end, as the client plays it; what is said of the end comes later. */
  work(): void {
    this.repo.write('new.txt', 'new file line 1\nline 2\n');
    this.hook('post-file-edit', 'postToolUse-create');
    this.repo.write('existing.txt', 'hello\nearth\n');
    this.hook('post-file-edit', 'postToolUse-edit');
  }

  stop(): void {
    this.repo.write('shell.txt', 'shell\n');
    this.hook('post-shell', 'postToolUse-bash');
    writeFileSync(
      this.transcript,
      this.placed(readFileSync(join(fixtures, 'transcripts/basic.jsonl'), 'utf8')),
    );
    this.hook('agent-stop', 'agentStop');
    this.hook('session-end', 'sessionEnd-complete');
  }

  private placed(text: string): string {
    return text.replaceAll('/home/user', this.repo.home).replaceAll('/repo', this.repo.dir);
  }
}

/** What a hook was told, as the client notes it in its transcript. */
interface Noted {
  readonly hookType: string;
  /** Not where it says that the hook is over. */
  readonly input?: { readonly sessionId: string };
}

describe('a captured session of Copilot CLI', () => {
  variation('a sub-agent’s part is waited for where the client has not begun its transcript', (repo) => {
    const { transcript } = new Captured(repo);
    const captured = readFileSync(join(fixtures, 'transcripts/subagent.jsonl'), 'utf8');
    const text = captured
      .replaceAll(/"transcriptPath":"[^"]*"/g, `"transcriptPath":"${transcript}"`)
      .replaceAll(JSON.parse(captured.split('\n', 1)[0] as string).data.sessionId, SESSION)
      .replaceAll('/repo', repo.dir);
    const lines = text.trim().split('\n');
    const noted = lines.map((line) => JSON.parse(line).data as Noted);
    const hook = (verb: string, hookType: string): void => {
      const input = noted.find((one) => one.hookType === hookType && one.input?.sessionId === SESSION)?.input;
      const told = { input: JSON.stringify(input) };
      expect(repo.run('entire', ['hooks', 'copilot-cli', verb], told)).toMatchObject({ code: 0 });
    };
    hook('user-prompt-submitted', 'userPromptSubmitted');
    hook('subagent-start', 'subagentStart');
    repo.write('child.txt', 'child\n');
    repo.write('childshell.txt', 'cs\n');
    writeFileSync(`${transcript}.kept-back`, text);
    spawn('sh', ['-c', 'sleep 0.4; mv "$0" "$1"', `${transcript}.kept-back`, transcript], {
      stdio: 'ignore',
    });
    hook('subagent-stop', 'subagentStop');
    hook('agent-stop', 'agentStop');
    const id = repo.commit('All', '.') as string;
    const [own = ''] = repo.storedPaths(id).filter((path) => /\/agent-[\w-]+\.jsonl$/.test(path));
    expect(repo.stored(id, own)).toContain('"content":"child-job please"');
  });

  variation('is linked to the commit, whichever of start and prompt comes first', (repo) => {
    const session = new Captured(repo);
    session.hook('user-prompt-submitted', 'userPromptSubmitted');
    session.hook('session-start', 'sessionStart-new');
    session.work();
    // The turn still runs: what the agent commits itself is linked without a question.
    expect(repo.entire('status', '--detailed').stdout).toContain('[Copilot CLI]');
    const own = repo.agentCommit('Own', 'new.txt') as string;
    session.stop();
    expect(repo.storedJson(own, '0/metadata.json')).toMatchObject({
      agent: 'Copilot CLI',
      files_touched: ['new.txt'],
    });
    expect(repo.stored(own, '0/full.jsonl')).toContain('All done: new.txt, existing.txt, shell.txt.');
    const rest = repo.commit('Rest', 'existing.txt', 'shell.txt') as string;
    expect(repo.storedJson(rest, '0/metadata.json')).toMatchObject({
      session_id: SESSION,
      files_touched: ['existing.txt', 'shell.txt'],
    });
  });

  variation('is no session of Claude Code, whose hooks the client runs, too', (repo) => {
    const session = new Captured(repo);
    const both = (verb: string, name: string, claudeVerb: string, claudeName: string) => {
      session.hook(claudeVerb, `pascal-case-events/${claudeName}`, 'claude-code');
      session.hook(verb, name);
    };
    both('session-start', 'sessionStart-new', 'session-start', 'SessionStart-new');
    both('user-prompt-submitted', 'userPromptSubmitted', 'user-prompt-submit', 'UserPromptSubmit');
    session.work();
    session.hook('post-file-edit', 'pascal-case-events/PostToolUse-Write', 'claude-code');
    session.hook('stop', 'pascal-case-events/Stop', 'claude-code');
    session.stop();
    const id = repo.commit('All', '.') as string;
    expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(1);
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      agent: 'Copilot CLI',
      session_id: SESSION,
    });
  });
});
