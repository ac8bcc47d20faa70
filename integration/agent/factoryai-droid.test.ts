/** Factory Droid, by captured payloads; the real client is in `clients/factoryai-droid/client.test.ts`. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const fixtures = join(import.meta.dirname, '../fixtures/factoryai-droid');
const CHILD = 'b647743f-8d1a-4b47-ad68-b43ad993355c';

/** What hooks get of captured sessions, in another repository. */
class Captured {
  readonly repo: TestRepo;
  readonly folder: string;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    repo.entire('enable', '--agent', 'factoryai-droid');
    for (const name of ['old.txt', 'del.txt', 'mv.txt']) repo.write(name, 'one\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Begin');
    this.folder = join(repo.home, '.factory/sessions/-repo');
    mkdirSync(this.folder, { recursive: true });
  }

  hook(verb: string, name: string, session: string, more: object = {}): void {
    const payload = {
      ...JSON.parse(this.placed(readFileSync(join(fixtures, `${name}.json`), 'utf8'))),
      session_id: session,
      transcript_path: this.transcript(session),
      ...more,
    };
    const input = JSON.stringify(payload);
    expect(this.repo.run('entire', ['hooks', 'factoryai-droid', verb], { input })).toMatchObject({ code: 0 });
  }

  transcript = (session: string): string => join(this.folder, `${session}.jsonl`);

  /** Lines of a captured transcript, as far as the client has come. */
  say(session: string, name: string, from: number, to?: number): void {
    const lines = readFileSync(join(fixtures, 'transcripts', `${name}.jsonl`), 'utf8').split('\n');
    appendFileSync(this.transcript(session), this.placed(`${lines.slice(from, to).join('\n')}\n`));
  }

  spend(session: string, inputTokens: number, tags: unknown = []): void {
    const tokenUsage = {
      inputTokens,
      outputTokens: inputTokens / 10,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
    };
    writeFileSync(join(this.folder, `${session}.settings.json`), JSON.stringify({ tags, tokenUsage }));
  }

  private placed(text: string): string {
    return text.replaceAll('/home/user', this.repo.home).replaceAll('/repo', this.repo.dir);
  }
}

describe('captured sessions of Factory Droid', () => {
  variation(
    'droid exec: the start of the session begins the turn, and its prompt is in the transcript',
    (repo) => {
      const session = new Captured(repo);
      const id = '8f5e43bb-30e6-4b38-a9c2-90ea1b728b5d';
      const exec = [{ name: 'exec' }];
      session.spend(id, 0, exec);
      session.say(id, 'apply-patch', 0, 1);
      repo.write('by-hand.txt', 'mine\n');
      session.hook('session-start', 'SessionStart-startup', id);
      expect(repo.state(id)).toMatchObject({ phase: 'active', first_prompt: 'PATCH please' });
      for (const [name, text] of [
        ['p.txt', 'patched\n'],
        ['old.txt', 'ONE\n'],
        ['mv2.txt', 'mm\n'],
      ] as const)
        repo.write(name, text);
      repo.git('rm', '--quiet', 'del.txt', 'mv.txt');
      session.hook('post-file-edit', 'PostToolUse-ApplyPatch', id);
      repo.write('shell.txt', 'by a command\n');
      session.hook('post-shell', 'PostToolUse-Execute', id);
      session.say(id, 'apply-patch', 1);
      session.spend(id, 70, exec);
      session.hook('stop', 'Stop', id);
      session.hook('session-end', 'SessionEnd-other', id);
      const checkpoint = repo.commit('Patch', '.') as string;
      expect(repo.storedJson(checkpoint, '0/metadata.json')).toMatchObject({
        agent: 'Factory AI Droid',
        files_touched: ['del.txt', 'mv.txt', 'mv2.txt', 'old.txt', 'p.txt', 'shell.txt'],
        token_usage: { input_tokens: 70, output_tokens: 7, api_call_count: 2 },
      });
      expect(repo.stored(checkpoint, '0/prompt.txt')).toBe('PATCH please');
    },
  );

  variation('a session that a compaction began has tokens of its own', (repo) => {
    const session = new Captured(repo);
    const parent = '217a6bdc-1845-4217-8816-797f7ebcfde7';
    session.spend(parent, 1000);
    session.spend(CHILD, 1040);
    session.say(CHILD, 'multi-turn-commit-compact-resume-1', 0, 2);
    session.hook('session-start', 'SessionStart-resume', CHILD, { source: 'compact' });
    session.hook('user-prompt-submit', 'UserPromptSubmit', CHILD);
    repo.write('src/hello.txt', 'hello\n');
    session.hook('post-file-edit', 'PostToolUse-Create', CHILD);
    session.say(CHILD, 'multi-turn-commit-compact-resume', 4, 10);
    session.spend(CHILD, 1100);
    session.hook('stop', 'Stop', CHILD);
    const checkpoint = repo.commit('Hello', '.') as string;
    expect(repo.storedJson(checkpoint, '0/metadata.json')).toMatchObject({
      session_id: CHILD,
      files_touched: ['src/hello.txt'],
      token_usage: { input_tokens: 100, output_tokens: 10 },
    });
  });

  variation('a sub-agent, whose call has no id, leaves a checkpoint of its own', (repo) => {
    const session = new Captured(repo);
    const id = '217a6bdc-1845-4217-8816-797f7ebcfde7';
    session.say(id, 'basic', 0, 1);
    session.hook('session-start', 'SessionStart-startup', id);
    session.hook('user-prompt-submit', 'UserPromptSubmit', id);
    session.hook('pre-tool-use', 'PreToolUse-Task', id);
    repo.write('sub.txt', 'by the sub-agent\n');
    session.hook('post-tool-use', 'PreToolUse-Task', id, { tool_response: 'Done.' });
    const [shadow = ''] = repo.shadowBranches();
    expect(repo.git('log', '--format=%s', shadow).split('\n')).toContainEqual(
      "Completed 'worker' agent: Write sub.txt (factorytask_)",
    );
  });
});
