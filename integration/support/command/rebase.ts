import type { HookResult } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { addWork, editor } from './work.ts';

/** Their files, and what they export. */
export const NAMES = ['first', 'second', 'third'] as const;
export const text = (name: string): string => `export const ${name} = computeTheAnswerOf('${name}');\n`;

/** Three linked commits on a branch of their own, each of a session of its own and with a file of its own. */
export function threeLinked(repo: TestRepo): string[] {
  repo.ready().git('switch', '--quiet', '-c', 'topic');
  return NAMES.map((name) => {
    addWork(repo, { [`${name}.ts`]: text(name) }).end();
    return repo.commit(`Add ${name}`, `${name}.ts`) as string;
  });
}

/** `git rebase -i main` with what an editor makes of the plan, and of each message. */
export function rebase(repo: TestRepo, plan: string, message = ':'): HookResult {
  const env = {
    GIT_SEQUENCE_EDITOR: editor(repo, plan, 'plan'),
    GIT_EDITOR: editor(repo, message, 'message'),
  };
  return repo.run('git', ['rebase', '--quiet', '-i', 'main'], { env });
}
