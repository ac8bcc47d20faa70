import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { age, diagnose, diagnoseIn } from '../support/command/doctor.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../fixtures', name), 'utf8');

/** A session of the real client, where it keeps such a one, and what it says to hooks at a prompt. */
const SESSIONS = [
  {
    agent: 'codex',
    settings: '.codex/hooks.json',
    transcript: 'codex/transcripts/basic.jsonl',
    place:
      '.codex/sessions/2026/11/21/rollout-2026-11-21T10-44-16-01a1fdb4-f11c-77c3-9696-5a653ee2f2f1.jsonl',
    verb: 'user-prompt-submit',
    payload: 'codex/UserPromptSubmit.json',
  },
  {
    agent: 'copilot-cli',
    settings: '.github/hooks/entire.json',
    transcript: 'copilot-cli/transcripts/basic.jsonl',
    place: '.copilot/session-state/c14ef695-955a-4e31-92a0-a1b7a1d1c46a/events.jsonl',
    verb: 'user-prompt-submitted',
    payload: 'copilot-cli/payloads/userPromptSubmitted.json',
  },
  {
    agent: 'gemini',
    settings: '.gemini/settings.json',
    transcript: 'gemini/transcripts/basic.jsonl',
    place: '.gemini/tmp/repo/chats/session-2026-11-21T10-33-00a32fd7.jsonl',
    verb: 'before-agent',
    payload: 'gemini/BeforeAgent.json',
  },
] as const;

describe('doctor: signs of life', () => {
  const transcripts = (repo: TestRepo) =>
    join(repo.home, '.claude', 'projects', repo.dir.replace(/[^a-zA-Z0-9]/g, '-'));

  scenario('an agent that works here without hooks', (repo) => {
    repo.ready();
    const file = join(transcripts(repo), 'b0c6f1f0-0000-4000-8000-000000000001.jsonl');
    mkdirSync(transcripts(repo), { recursive: true });
    writeFileSync(file, '{"type":"user"}\n');
    expect(diagnose(repo).size).toBe(0); // it was set up a moment ago
    for (const name of ['.entire/settings.json', '.claude/settings.json']) age(join(repo.dir, name), 30);
    expect(diagnose(repo).get('no-sign-of-life')).toMatchObject({ severity: 'error', items: [file] });
    age(file, 60);
    expect(diagnose(repo).size).toBe(0); // from before it was set up
    const elsewhere = join(repo.scratch, 'config', 'projects', repo.dir.replace(/[^a-zA-Z0-9]/g, '-'));
    mkdirSync(elsewhere, { recursive: true });
    writeFileSync(join(elsewhere, 's1.jsonl'), '{}\n');
    const env = { CLAUDE_CONFIG_DIR: join(repo.scratch, 'config') };
    expect([...diagnoseIn(repo, { env }).keys()]).toEqual(['no-sign-of-life']);
    repo.session('s1').prompt('hello');
    expect(diagnoseIn(repo, { env }).size).toBe(0); // a hook knows it now
  });

  variation('a session that was private, taken off the record, or copied by us, is not silent', (repo) => {
    repo.ready();
    mkdirSync(transcripts(repo), { recursive: true });
    const written = (id: string): string => {
      const file = join(transcripts(repo), `${id}.jsonl`);
      writeFileSync(file, '{"type":"user"}\n');
      return file;
    };
    const silent = () => {
      for (const name of ['.entire/settings.json', '.claude/settings.json']) age(join(repo.dir, name), 30);
      return diagnose(repo).get('no-sign-of-life')?.items ?? [];
    };
    const session = repo.session('b0c6f1f0-0000-4000-8000-000000000002');
    session.prompt('hello');
    session.edit('a.txt', 'a\n');
    session.stop();
    repo.entire('reset', '--force');
    written(session.id);
    expect(silent()).toEqual([]);

    repo.entire('pause');
    const secret = repo.session('b0c6f1f0-0000-4000-8000-000000000003');
    secret.prompt('in private');
    const file = written(secret.id);
    expect(silent()).toEqual([]);
    secret.stop();
    repo.entire('pause', '--end');
    expect(silent()).toEqual([]);
    const later = new Date(Date.now() + 60_000);
    utimesSync(file, later, later);
    expect(silent()).toEqual([]); // a hook of it ran, and kept its digests
    const unknown = written('b0c6f1f0-0000-4000-8000-000000000004');
    utimesSync(unknown, later, later);
    expect(silent()).toEqual([unknown]);
    rmSync(unknown);

    const told = read('claude-code/transcripts/basic.jsonl');
    const [, known = ''] = /"sessionId":"([^"]+)"/.exec(told) ?? [];
    writeFileSync(
      join(transcripts(repo), `${known}.jsonl`),
      told.replaceAll('"/repo"', JSON.stringify(repo.dir)),
    );
    repo.session(known).prompt('hooks know it');
    expect(silent()).toEqual([]);
    const before = readdirSync(transcripts(repo)).length;
    repo.entire('session', 'fork', known);
    expect(readdirSync(transcripts(repo))).toHaveLength(before + 1);
    expect(silent()).toEqual([]);
  });

  for (const { agent, settings, transcript, place, verb, payload } of SESSIONS)
    variation(`a session that only ${agent} knows, until a hook tells of it`, (repo) => {
      const put = (file: string, text: string) => {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      };
      const said = `"timestamp":"${new Date().toISOString()}"`; // older words in a new file would be those of a copy
      const placed = (text: string, folder: string) =>
        text.replaceAll('"/repo"', JSON.stringify(folder)).replaceAll(/"timestamp":\s*"[^"]+"/g, said);
      const silent = () => diagnose(repo).get('no-sign-of-life')?.items ?? [];
      repo.ready();
      const [file, other] = [join(repo.home, place), join(repo.home, place.replaceAll('0', '8'))];
      const projects = { [repo.dir]: 'repo', '/elsewhere': 'else' };
      put(join(repo.home, '.gemini/projects.json'), JSON.stringify({ projects }));
      put(file, placed(read(transcript), repo.dir));
      age(join(repo.dir, '.entire/settings.json'), 30);
      age(join(repo.dir, '.claude/settings.json'), 30);
      expect(silent()).toEqual([]); // nobody has set up this agent
      repo.entire('enable', '--agent', agent);
      for (const name of ['.entire/settings.json', '.claude/settings.json', settings])
        age(join(repo.dir, name), 30);
      put(other.replace('/repo/', '/else/'), placed(read(transcript), '/elsewhere'));
      expect(silent()).toEqual([file]);
      const input = read(payload)
        .replaceAll('/home/user', repo.home)
        .replaceAll('"/repo"', JSON.stringify(repo.dir));
      expect(repo.run('entire', ['hooks', agent, verb], { input })).toMatchObject({ code: 0 });
      expect(silent()).toEqual([]);
    });

  variation('commits without a verdict, until a hook comes again', (repo) => {
    repo.ready();
    for (const name of ['.entire/settings.json', '.claude/settings.json']) age(join(repo.dir, name), 30);
    const quiet = ['-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--allow-empty', '-m', 'Unseen'];
    repo.git(...quiet);
    const first = repo.git('rev-parse', 'HEAD').slice(0, 12);
    expect(diagnose(repo).get('commits-unseen')).toMatchObject({ severity: 'warning', items: [first] });
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Seen');
    expect(diagnose(repo).size).toBe(0);
    repo.git(...quiet);
    expect(diagnose(repo).get('commits-unseen')?.items).toHaveLength(1);
  });
});
