import type { ObjectId } from '../../base/ids.ts';
import type { Identity } from '../object/objects.ts';
import { type Git, gitText } from '../run.ts';

/** A commit that is to be signed. */
export interface UnsignedCommit {
  /** Names its tree. */
  readonly treeish: string;
  readonly parent: ObjectId;
  readonly message: string;
  readonly author: Identity;
}

/** A key that is unlocked signs at once; longer than this, something waits for a person. */
const TIMEOUT_MS = 10_000;

/** Through these a passphrase could be asked for, in the middle of a hook, by a window or on a terminal. */
const ASKING = ['GPG_TTY', 'DISPLAY', 'WAYLAND_DISPLAY', 'SSH_ASKPASS'] as const;

/**
 * Writes a commit signed with the user's key, as `commit.gpgSign` asks for, and moves no ref. Never asks anybody for
 * anything: a key that is locked fails.
 *
 * @throws {EntireError} `GIT_FAILED`
 */
export function writeSignedCommit(git: Git, { treeish, parent, message, author }: UnsignedCommit): ObjectId {
  const env: NodeJS.ProcessEnv = { ...git.env, SSH_ASKPASS_REQUIRE: 'never' };
  for (const name of ASKING) delete env[name];
  for (const who of ['AUTHOR', 'COMMITTER']) {
    env[`GIT_${who}_NAME`] = author.name;
    env[`GIT_${who}_EMAIL`] = author.email;
  }
  const args = ['commit-tree', '-S', '-p', parent, '-F', '-', `${treeish}^{tree}`];
  const options = { input: message, noHooks: true, timeoutMs: TIMEOUT_MS };
  return gitText({ cwd: git.cwd, env }, args, options) as ObjectId;
}
