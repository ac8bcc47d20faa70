import { expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';
import { commitAt } from '../support/repository/told-repo.ts';

const A = 'a1b2c3d4e5f6';

/** A value that is nested so deep that who follows it by recursion is lost. */
const nested = (depth: number): string => `${'{"subagent_tokens":'.repeat(depth)}1${'}'.repeat(depth)}`;

for (const [name, change] of Object.entries({
  'an id that is no word': (json: string) =>
    json.replace(/"checkpoint_id": *"[^"]*"/, '"checkpoint_id":{"toString":1}'),
  'tokens of sub-agents of sub-agents without end': (json: string) =>
    json.replace(/\}\s*$/, `,"token_usage":${nested(20_000)}}`),
  'numbers of people and agents that have no bottom': (json: string) =>
    json.replace(/\}\s*$/, `,"initial_attribution":${nested(20_000)}}`),
}))
  variation(`hostile metadata cannot stop those who read: ${name}`, (repo) => {
    repo.ready();
    const files = checkpointFiles(A, { session: 's', prompts: ['do it'] });
    const metadata = change(files['0/metadata.json'] as string);
    expect(metadata).not.toBe(files['0/metadata.json']);
    store(repo, { [A]: { ...files, '0/metadata.json': metadata } });
    commitAt(repo, '2026-01-02T03:04:05Z', `mine\n\nEntire-Checkpoint: ${A}`);
    for (const args of [['explain'], ['explain', A], ['why'], ['status']])
      for (const json of [[], ['--json']]) {
        const { code, stdout, stderr } = repo.tryEntire(...args, ...json);
        expect({ code, stderr }, `${args.join(' ')} ${json}`).toEqual({ code: 0, stderr: '' });
        if (json.length > 0) JSON.parse(stdout);
      }
    expect(repo.entire('explain', A).stdout).toMatch(/\nProblems:\n {2}- session 0: metadata\.json/);
  });

variation('hostile metadata cannot stop those who read: a path that is no word', (repo) => {
  repo.ready();
  const files = checkpointFiles(A, { session: 's', prompts: ['do it'] });
  const root = JSON.parse(files['metadata.json'] as string);
  root.sessions[0].metadata = { toString: 1 };
  store(repo, { [A]: { ...files, 'metadata.json': JSON.stringify(root) } });
  commitAt(repo, '2026-01-02T03:04:05Z', `mine\n\nEntire-Checkpoint: ${A}`);
  expect(repo.entire('explain').stdout).toContain('[problems]');
  expect(repo.entire('why').stdout).toContain('session 0 is recorded with an odd path: {"toString":1}');
});
