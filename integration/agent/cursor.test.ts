/** Cursor, by what it documents: it cannot be run here. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const fixtures = join(import.meta.dirname, '../fixtures/cursor');
const SESSION = '0f3c1b52-8a44-4f6e-9b1d-2d6f1c7a9e01';

/** A conversation as the documentation has it, in another repository. */
class Documented {
  readonly repo: TestRepo;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    repo.entire('enable', '--agent', 'cursor');
    repo.write('hello.txt', 'hello\nthere\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Begin');
  }

  hook(verb: string, name: string, more: object = {}, agent = 'cursor'): void {
    const payload = {
      ...JSON.parse(this.placed(readFileSync(join(fixtures, `${name}.json`), 'utf8'))),
      ...more,
    };
    const result = this.repo.run('entire', ['hooks', agent, verb], { input: JSON.stringify(payload) });
    expect(result).toMatchObject({ code: 0, stdout: '' });
  }

  /** The client keeps it below a name that it makes of the project's folder. */
  writeTranscript(): void {
    const project = this.repo.dir.replace(/[^a-zA-Z0-9]/g, '-').replace(/^-+/, '');
    const folder = join(this.repo.home, '.cursor/projects', project, 'agent-transcripts');
    const file = join(folder, SESSION, `${SESSION}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, this.placed(readFileSync(join(fixtures, 'transcripts/basic.jsonl'), 'utf8')));
  }

  private placed(text: string): string {
    return text.replaceAll('/home/user', this.repo.home).replaceAll('/repo', this.repo.dir);
  }
}

describe('a documented conversation of Cursor', () => {
  variation('is linked to the commit, with a transcript that no payload names', (repo) => {
    const session = new Documented(repo);
    const unnamed = { transcript_path: null };
    session.hook('session-start', 'sessionStart', unnamed);
    session.hook('before-submit-prompt', 'beforeSubmitPrompt', unnamed);
    repo.write('hello.txt', 'hello\nworld\n');
    session.hook('post-file-edit', 'afterFileEdit', unnamed);
    repo.write('new.txt', 'one\ntwo\n');
    repo.write('shell.txt', 'by a command\n');
    session.hook('post-shell', 'afterShellExecution', unnamed);
    session.writeTranscript();
    session.hook('stop', 'stop', unnamed);
    session.hook('session-end', 'sessionEnd', unnamed);
    const id = repo.commit('Greet', 'hello.txt', 'new.txt', 'shell.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      agent: 'Cursor',
      session_id: SESSION,
      files_touched: ['hello.txt', 'new.txt', 'shell.txt'],
    });
    expect(repo.stored(id, '0/prompt.txt')).toBe('Add a greeting to hello.txt\n\n---\n\nRun the tests');
    expect(repo.stored(id, '0/full.jsonl')).toContain('hello.txt greets the world.');
  });

  variation('has a checkpoint for what a sub-agent did', (repo) => {
    const session = new Documented(repo);
    session.hook('before-submit-prompt', 'beforeSubmitPrompt');
    session.hook('subagent-start', 'subagentStart');
    repo.write('sub.txt', 'by the sub-agent\n');
    session.hook('subagent-stop', 'subagentStop');
    const [shadow = ''] = repo.shadowBranches();
    expect(repo.git('log', '-1', '--format=%s', shadow).trim()).toBe(
      "Completed 'generalPurpose' agent: Explore the greetings (abc-123)",
    );
  });

  variation('is linked where its command line tells of edits only', (repo) => {
    const session = new Documented(repo);
    repo.write('hello.txt', 'hello\nworld\n');
    session.hook('post-file-edit', 'afterFileEdit');
    const id = repo.commit('Greet', 'hello.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      agent: 'Cursor',
      files_touched: ['hello.txt'],
    });
  });

  variation('is no session of Claude Code, whose hooks the client runs, too', (repo) => {
    const session = new Documented(repo);
    repo.entire('enable', '--agent', 'claude-code');
    const as = { session_id: SESSION };
    session.hook('session-start', 'sessionStart', as, 'claude-code');
    session.hook('session-start', 'sessionStart');
    session.hook('user-prompt-submit', 'beforeSubmitPrompt', as, 'claude-code');
    session.hook('before-submit-prompt', 'beforeSubmitPrompt');
    repo.write('hello.txt', 'hello\nworld\n');
    const tool = { tool_name: 'Edit', tool_input: { file_path: join(repo.dir, 'hello.txt') } };
    session.hook('post-file-edit', 'afterFileEdit', { ...as, ...tool }, 'claude-code');
    session.hook('post-file-edit', 'afterFileEdit');
    session.writeTranscript();
    session.hook('stop', 'stop', as, 'claude-code');
    session.hook('stop', 'stop');
    const id = repo.commit('Greet', 'hello.txt') as string;
    expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(1);
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({ agent: 'Cursor', session_id: SESSION });
  });
});
