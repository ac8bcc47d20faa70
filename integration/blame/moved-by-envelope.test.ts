import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { readPayload, transcriptsOf } from '../support/agent/agent-fixtures.ts';
import { blame } from '../support/command/blame.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ID = '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1';
const MINE = 'const typedByHand = compute(100);\n';

const captured = (): string[] => {
  const [text = ''] = [...transcriptsOf('codex')].flatMap(([path, found]) =>
    path.endsWith('/basic.jsonl') ? found : [],
  );
  return text.split('\n').filter(Boolean);
};

/** A session of Codex: the rows that its client wrote, with the patches that a test asks for. */
class Codex {
  private readonly rollout: string;
  private readonly repo: TestRepo;
  private calls = 0;

  constructor(repo: TestRepo) {
    this.repo = repo;
    this.rollout = join(repo.home, `.codex/sessions/2026/11/21/rollout-2026-11-21T10-44-16-${ID}.jsonl`);
    mkdirSync(dirname(this.rollout), { recursive: true });
    const meta = captured().filter((row) => row.includes('"session_meta"'));
    writeFileSync(this.rollout, `${meta.join('\n').replaceAll('"/repo"', JSON.stringify(repo.dir))}\n`);
    this.hook('session-start', 'SessionStart-startup');
    this.hook('user-prompt-submit', 'UserPromptSubmit', { prompt: 'do it' });
  }

  /** A call of the tool, what the client notes of it, and the hook; the files are as they are to be. */
  patch(envelope: readonly string[], changes: Record<string, object>): void {
    const id = `call_${++this.calls}`;
    const command = ['*** Begin Patch', ...envelope, '*** End Patch', ''].join('\n');
    const [call = ''] = captured().filter((row) => row.includes('call_nd857npkb5'));
    const named = Object.entries(changes).map(([path, change]) => [join(this.repo.dir, path), change]);
    this.row({ text: call, id }, { input: command });
    const noted = captured().find((row) => row.includes('"FileChange"')) ?? '';
    this.row(
      { text: noted, id },
      { item: { ...JSON.parse(noted).payload.item, id, changes: Object.fromEntries(named) } },
    );
    this.hook('post-file-edit', 'PostToolUse-apply_patch', { tool_input: { command } });
  }

  stop(): void {
    this.hook('stop', 'Stop');
  }

  private row({ text, id }: { text: string; id: string }, more: object): void {
    const row = JSON.parse(text.replaceAll('call_nd857npkb5', id));
    appendFileSync(this.rollout, `${JSON.stringify({ ...row, payload: { ...row.payload, ...more } })}\n`);
  }

  private hook(verb: string, name: string, more: object = {}): void {
    const place = { session_id: ID, transcript_path: this.rollout, cwd: this.repo.dir };
    const input = JSON.stringify({ ...readPayload('codex', name), ...place, ...more });
    const { code, stderr } = this.repo.run('entire', ['hooks', 'codex', verb], { input });
    expect(code, stderr).toBe(0);
  }
}

const owners = (repo: TestRepo, path: string): string[] =>
  blame(repo, path).lines.map(({ class: kind, session_id }) => session_id ?? kind);

describe('blame: what an envelope moves', () => {
  variation('a file that the session had written, moved and changed before anybody committed it', (repo) => {
    const codex = new Codex(repo.ready());
    const first = 'const writtenFirst = compute(1);\n';
    repo.write('from.ts', `${first}const second = 2;\n`);
    codex.patch(['*** Add File: from.ts', `+${first.trim()}`, '+const second = 2;'], {
      'from.ts': { type: 'add', content: repo.read('from.ts') },
    });
    repo.write('to.ts', `${first}const third = 3;\n`).run('rm', ['from.ts']);
    const hunk = ['@@', ` ${first.trim()}`, '-const second = 2;', '+const third = 3;'];
    const diff = `@@ -1,2 +1,2 @@\n${hunk.slice(1).join('\n')}\n`;
    codex.patch(['*** Update File: from.ts', '*** Move to: to.ts', ...hunk], {
      'from.ts': { type: 'update', unified_diff: diff, move_path: join(repo.dir, 'to.ts') },
    });
    codex.stop();
    expect(owners(repo, 'to.ts')).toEqual([ID, ID]);
    repo.commit('Moved', 'to.ts');
    expect(owners(repo, 'to.ts')).toEqual([ID, ID]);
  });

  variation('a line of a person’s, out of a file that it deletes', (repo) => {
    repo.ready().write('mine.ts', MINE).commit('Mine', 'mine.ts');
    const codex = new Codex(repo);
    repo.run('rm', ['mine.ts']);
    repo.write('all.ts', `${MINE}const ofCodex = compute(2);\n`);
    codex.patch(['*** Delete File: mine.ts'], { 'mine.ts': { type: 'delete', content: MINE } });
    codex.patch(['*** Add File: all.ts', `+${MINE.trim()}`, '+const ofCodex = compute(2);'], {
      'all.ts': { type: 'add', content: repo.read('all.ts') },
    });
    codex.stop();
    repo.commit('Gone', 'mine.ts');
    repo.commit('Come', 'all.ts');
    expect(owners(repo, 'all.ts')).toEqual(['human', ID]);
  });
});
