import { test } from 'vitest';
import { BUILDS, type Build } from '../process/builds.ts';
import { TestRepo } from './test-repo.ts';

type Body = (repo: TestRepo, skip: (reason: string) => never) => void | Promise<void>;

const USUAL = process.env.ENTIRE_TEST_BUILDS === 'all' ? BUILDS : BUILDS.slice(0, 1);

/**
 * A test in a repository of its own, which is looked at afterwards: the first of a file where no other has its command.
 * Others are {@link variation}s. Over the native build; over both in `npm run test:builds`.
 * Where the machine cannot do what it is about, the body calls `skip` with the reason.
 */
export const scenario = (name: string, body: Body): void => play(name, body, USUAL);

/**
 * A {@link scenario} that is always over both builds, the native one and the one that runs in Node: one for each command and
 * hook, and what reads streams, a terminal or the environment.
 */
export const onBothBuilds = (name: string, body: Body): void => play(name, body, BUILDS);

/** A {@link scenario} that differs from another in some way. */
export const variation = (name: string, body: Body): void => play(name, body, USUAL, ['variation']);

function play(name: string, body: Body, builds: readonly Build[], always: readonly string[] = []): void {
  for (const build of builds) {
    const tags = build === BUILDS[0] ? [...always] : [...always, 'node-build'];
    test(`${name} [${build.name}]`, { tags }, async ({ skip }) => {
      const repo = new TestRepo(build);
      try {
        await body(repo, skip);
        repo.expectSound();
      } finally {
        repo.remove();
      }
    });
  }
}
