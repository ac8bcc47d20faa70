// @module-tag long

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setupOf } from '../../src/agents/setups.ts';
import { AGENT_NAMES, payloadsOf } from '../support/agent/agent-fixtures.ts';
import { BUILDS, type Build } from '../support/process/builds.ts';
import { TestRepo } from '../support/repository/test-repo.ts';

/** What the executable is given on stdin: a payload of the client with a place changed, cut off, or no JSON at all. */
function anyInput(payloads: readonly string[]): fc.Arbitrary<string> {
  const payload = fc.constantFrom(...payloads);
  const cut = payload.chain((text) => fc.nat(text.length).map((at) => text.slice(0, at)));
  const spliced = fc
    .tuple(payload, fc.nat(), fc.jsonValue())
    .map(([text, at, value]) => replaceNth(text, at, JSON.stringify(value)));
  return fc.oneof(
    { weight: 6, arbitrary: spliced },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** Puts a value in the place of the nth one that is a text. */
function replaceNth(text: string, at: number, by: string): string {
  const values = [...text.matchAll(/(?<=: )"(?:[^"\\]|\\.)*"/g)];
  const value = values[at % Math.max(1, values.length)];
  return value ? text.slice(0, value.index) + by + text.slice(value.index + value[0].length) : by;
}

interface End {
  readonly code: number | null;
  readonly stdout: string;
}

function runHook(repo: TestRepo, args: readonly string[], input: string): Promise<End> {
  return new Promise((resolve, reject) => {
    const program = join(repo.build.bin, 'entire');
    const child = spawn(program, ['hooks', ...args], { cwd: repo.dir, env: repo.env });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: Buffer.concat(parts).toString() }));
    child.stdin.on('error', () => {}); // it may end before it has read all
    child.stdin.end(input);
  });
}

const RUNS = Number(process.env.ENTIRE_FUZZ_RUNS ?? 100);

/** `ENTIRE_FUZZ_SEED` repeats a run, `ENTIRE_FUZZ_RUNS=1000` is a longer one. */
describe('hooks of the native executable, given what no client sends', () => {
  test.each(AGENT_NAMES)(
    `%s: ${RUNS} times`,
    async (agent) => {
      const seed = Number(process.env.ENTIRE_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
      const repo = new TestRepo(BUILDS[0] as Build);
      try {
        repo.init().write('README.md', '# demo\n');
        repo.git('add', '.');
        repo.git('commit', '--quiet', '-m', 'init');
        repo.entire('enable', '--agent', agent);
        const place = { root: repo.dir, recordFile: '' };
        const verbs = [
          ...new Set(
            setupOf(agent)
              .settings.list(place)
              .map(({ verb }) => verb),
          ),
          'unheard-of',
        ];
        // Paths of the captures lead nowhere; here they are those of this repository.
        const payloads = [...payloadsOf(agent).values()].map((payload) =>
          JSON.stringify(payload, null, 1).replaceAll('/repo', repo.dir).replaceAll('/home/user', repo.home),
        );
        const inputs = fc.sample(fc.tuple(fc.constantFrom(...verbs), anyInput(payloads)), {
          numRuns: RUNS,
          seed,
        });
        const wrong: unknown[] = [];
        for (let at = 0; at < inputs.length; at += 4) {
          const some = inputs.slice(at, at + 4);
          const ends = await Promise.all(some.map(([verb, input]) => runHook(repo, [agent, verb], input)));
          for (const [index, { code, stdout }] of ends.entries())
            if (code !== 0 || !isDocumented(stdout)) wrong.push({ seed, given: some[index], code, stdout });
        }
        expect(wrong).toEqual([]);
        expect(repo.git('status', '--porcelain', '--untracked-files=no')).toBe('');
        repo.expectSound();
      } finally {
        repo.remove();
      }
    },
    300_000,
  );
});

/**
 * Nothing, the greeting that a client shows when a session starts, or what the model is told behind a compaction: by our plugins, or
 * as clients with hooks of their own read it.
 */
function isDocumented(stdout: string): boolean {
  if (stdout === '') return true;
  const reply: unknown = JSON.parse(stdout);
  if (typeof reply !== 'object' || reply === null) return false;
  if ('hookSpecificOutput' in reply)
    return isKeys(reply.hookSpecificOutput, 'hookEventName,additionalContext');
  return isKeys(reply, 'systemMessage') || isKeys(reply, 'additionalContext');
}

const isKeys = (value: unknown, keys: string): boolean => Object.keys(value ?? {}).join() === keys;
