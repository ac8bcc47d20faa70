import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { age, diagnose, diagnoseIn } from './support/doctor.ts';
import { scenario, type TestRepo, variation } from './support/test-repo.ts';

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
