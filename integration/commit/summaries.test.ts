import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { payload } from '../support/agent/payloads.ts';
import { addWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const SUMMARY = {
  intent: 'Say one',
  outcome: 'a.txt says one',
  learnings: { repo: ['It is small'], code: [{ path: 'a.txt', line: 1, finding: 'one' }], workflow: [] },
  friction: [],
  open_items: ['two'],
};

/** A program named `claude`, first on PATH: notes how it was started, then does what `script` says. */
function withClaude(repo: TestRepo, script: string): void {
  const bin = join(repo.scratch, 'claude-bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, 'claude'),
    `#!/bin/sh
cd_at=$(pwd)
cd '${repo.scratch}'
echo "$$" >> started
printf '%s\\n' "$@" > arguments
env | cut -d= -f1 | sort > environment
echo "$cd_at" > folder
cat > prompt
${script}
`,
  );
  chmodSync(join(bin, 'claude'), 0o755);
  repo.variables = { ...repo.variables, PATH: `${bin}:${repo.env.PATH}` };
}

const answer = (result: string) => `cat <<'END'\n${JSON.stringify({ type: 'result', result })}\nEND\n`;
const noted = (repo: TestRepo, name: string) => readFileSync(join(repo.scratch, name), 'utf8').trim();
const starts = (repo: TestRepo) =>
  existsSync(join(repo.scratch, 'started')) ? noted(repo, 'started').split('\n').length : 0;

/** Enabled, with summaries switched on by the person here, and a checkpoint of a commit that a person made. */
function withCheckpoint(repo: TestRepo, isOn = true): string {
  repo.ready();
  if (isOn) repo.git('config', 'entire.summarize', 'true');
  repo.write('.entire/settings.json', '{"enabled": true, "log_level": "info"}');
  addWork(repo, { 'a.txt': 'one\n' });
  return repo.commit('Add a', 'a.txt') as string;
}

/** Waits for what another process does. */
async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain: ${what}`);
}

const lock = (repo: TestRepo) => join(repo.commonDir, 'entire', 'summaries.lock');
const isOver = (repo: TestRepo) => until('the process ends', () => !existsSync(lock(repo)));
const summaryOf = (repo: TestRepo, id: string) => repo.storedJson(id, '0/metadata.json').summary;

describe('summaries', () => {
  onBothBuilds('made after a turn, by a process nobody waits for, one at a time', async (repo) => {
    withClaude(
      repo,
      `while [ ! -e go ]; do sleep 0.05; done\n${answer(`\`\`\`json\n${JSON.stringify(SUMMARY)}\n\`\`\``)}`,
    );
    const id = withCheckpoint(repo);
    expect(starts(repo)).toBe(0); // the commit started nothing

    repo.variables = { ...repo.variables, ENTIRE_LOG_LEVEL: 'debug', CLAUDECODE: '1', GIT_TRACE2: '0' };
    const session = repo.session();
    session.prompt('and now?');
    session.stop();
    await until('it starts', () => existsSync(join(repo.scratch, 'prompt')));
    expect(summaryOf(repo, id)).toBeUndefined(); // the stop is over, and it is not

    session.prompt('another turn meanwhile');
    session.stop();
    addWork(repo, { 'b.txt': 'two\n' });
    const second = repo.commit('Add b', 'b.txt') as string;
    expect(starts(repo)).toBe(1);

    writeFileSync(join(repo.scratch, 'go'), '');
    await until('both are there', () => summaryOf(repo, id) && summaryOf(repo, second));
    await isOver(repo);
    expect(summaryOf(repo, id)).toEqual(SUMMARY);
    expect(starts(repo)).toBe(2);

    expect(noted(repo, 'arguments')).toBe(
      ['--print', '--output-format', 'json', '--model', 'sonnet', '--setting-sources'].join('\n'),
    );
    expect(noted(repo, 'folder')).not.toContain(repo.dir);
    expect(noted(repo, 'prompt')).toContain('<transcript>');
    const names = noted(repo, 'environment').split('\n');
    expect(names.filter((name) => /^(GIT_|ENTIRE_|CLAUDECODE)/.test(name))).toEqual([]);
    expect(names).toContain('HOME');

    // All have theirs: nothing is started any more.
    session.prompt('once more');
    session.stop();
    expect(existsSync(lock(repo))).toBe(false);
    expect(starts(repo)).toBe(2);
  });

  variation('hooks of a session that summarises do nothing', async (repo) => {
    const prompt = payload('UserPromptSubmit', repo.places);
    writeFileSync(
      join(repo.scratch, 'payload.json'),
      JSON.stringify({ ...prompt, session_id: 'inner', cwd: repo.dir }),
    );
    const hook = `entire hooks claude-code user-prompt-submit < payload.json; echo $? > hooked`;
    withClaude(repo, `${hook}\n${answer(JSON.stringify(SUMMARY))}`);
    const id = withCheckpoint(repo);
    addWork(repo, { 'b.txt': 'two\n' });
    await until('it is there', () => summaryOf(repo, id));
    await isOver(repo);
    expect(noted(repo, 'hooked')).toBe('0');
    expect(existsSync(join(repo.commonDir, 'entire-sessions', 'inner.json'))).toBe(false);
  });

  variation(
    'a program that fails, is missing, or answers nonsense: logged, tried twice, and nothing breaks',
    async (repo) => {
      withClaude(repo, 'echo "no credit" >&2; exit 3');
      const id = withCheckpoint(repo);
      const session = repo.session();
      const turn = async () => {
        session.prompt('go on');
        expect(session.stop().code).toBe(0);
        await isOver(repo);
      };
      await turn();
      await until('it is logged', () => repo.logText().includes('claude CLI failed (exit 3): no credit'));
      await isOver(repo);
      withClaude(repo, answer('I would rather not.'));
      await turn();
      await until('it is logged', () => repo.logText().includes('failed to parse summary JSON'));
      await isOver(repo);
      await turn();
      expect(starts(repo)).toBe(2);
      expect(summaryOf(repo, id)).toBeUndefined();
      expect(repo.commit('Other', '.entire/settings.json')).toBeUndefined();
    },
  );

  variation('what the repository says starts no program', async (repo) => {
    withClaude(repo, answer(JSON.stringify(SUMMARY)));
    const say = (file: string, enabled: unknown): TestRepo =>
      repo.write(file, JSON.stringify({ strategy_options: { summarize: { enabled } } }));
    withCheckpoint(repo, false);
    say('.entire/settings.json', true);
    repo.git('add', '.entire');
    repo.git('commit', '--quiet', '-m', 'Summaries for all');
    addWork(repo, { 'b.txt': 'two\n' });
    expect(repo.entire('status').stdout).toContain('Ignored: "strategy_options.summarize.enabled"');

    // Nor does a local file that a branch has, nor does anything but `true`; and a no of the repository's counts.
    say('.entire/settings.local.json', true).git('add', '--force', '.entire/settings.local.json');
    addWork(repo, { 'c.txt': 'three\n' });
    repo.git('rm', '--quiet', '--cached', '.entire/settings.local.json');
    say('.entire/settings.local.json', 'true');
    addWork(repo, { 'd.txt': 'four\n' });
    say('.entire/settings.json', false);
    say('.entire/settings.local.json', true);
    addWork(repo, { 'e.txt': 'five\n' });
    // Called by hand it obeys the settings as well.
    repo.entire('hooks', 'summaries', repo.dir);
    repo.entire('hooks', 'summaries');
    repo.entire('hooks', 'summaries', '/nowhere');
    expect(existsSync(join(repo.commonDir, 'entire', 'summaries.json'))).toBe(false);
    expect(starts(repo)).toBe(0);

    // What git has known under that name, or another, is not the person's text either.
    say('.entire/settings.json', null);
    repo.entire('hooks', 'summaries', repo.dir);
    expect(starts(repo)).toBe(0);
    repo.write(
      '.entire/settings.local.json',
      '{"strategy_options": {"summarize": {"enabled": true}}, "log_level": "info"}',
    );
    repo.entire('hooks', 'summaries', repo.dir);
    expect(starts(repo)).toBe(1);
    expect(repo.entire('status').stdout).toContain('Summaries: claude is started for new checkpoints');
  });
});
