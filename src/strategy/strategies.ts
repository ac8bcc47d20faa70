import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { ensureMetadataBranch } from '../checkpoint/metadata-branch.ts';
import { METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { readLooseRef } from '../git/ref/refs.ts';
import { listOwed } from '../session/record/owed.ts';
import { isPending } from '../session/state.ts';
import type { Strategy } from './strategy.ts';
import type { Work } from './work.ts';

// Each hook is a process of its own, and loads what it needs.

const MANUAL_COMMIT: Strategy = {
  name: 'manual-commit',
  linksUsersCommits: true,
  isPending,
  async startTurn(work, turn, event) {
    await completeOwnCommits(work);
    const { startTurn, adopt } = await import('./turn/start.ts');
    await startTurn(work, turn, event, { isPending, adopt, greeting: 'Initialized shadow session' });
  },
  async endTurn(work, turn, event) {
    await completeOwnCommits(work);
    const [{ endTurn }, { saveStep }] = [await import('./turn/end.ts'), await import('./turn/save.ts')];
    await endTurn(work, turn, event, saveStep);
    await archive(work, isPending);
  },
  async endTask(work, turn, event) {
    const [{ endTask }, { saveTaskStep }] = [await import('./task/end.ts'), await import('./task/save.ts')];
    await endTask(work, turn, event, saveTaskStep);
  },
  async saveIncrement(work, turn, event) {
    const [{ saveIncrement }, save] = [await import('./task/todo.ts'), await import('./task/save.ts')];
    await saveIncrement(work, turn, event, save.saveTaskStep);
  },
  async prepareCommitMessage(work, messageFile, source) {
    const { parseSource } = await import('./commit/message.ts');
    const { prepareCommitMessage } = await import('./commit/prepare-commit-msg.ts');
    await prepareCommitMessage(work, messageFile, parseSource(source));
  },
  async checkCommitMessage(work, messageFile) {
    const { checkCommitMessage } = await import('./commit/message.ts');
    checkCommitMessage(work.git, messageFile);
  },
  async afterCommit(work) {
    const { afterCommit } = await import('./commit/post-commit.ts');
    await afterCommit(work);
  },
};

/** The commits are its own, and linked when they are made: what the user commits is the user's. */
const AUTO_COMMIT: Strategy = {
  name: 'auto-commit',
  linksUsersCommits: false,
  isPending: ({ filesTouched }) => filesTouched.length > 0,
  async startTurn(work, turn, event) {
    await completeOwnCommits(work);
    const { startTurn } = await import('./turn/start.ts');
    await startTurn(work, turn, event, { isPending: AUTO_COMMIT.isPending, greeting: '' });
  },
  async endTurn(work, turn, event) {
    await completeOwnCommits(work);
    const [{ endTurn }, { commitTurn }] = [await import('./turn/end.ts'), await import('./auto/turn.ts')];
    await endTurn(work, turn, event, commitTurn);
    await archive(work, AUTO_COMMIT.isPending);
  },
  async endTask(work, turn, event) {
    await completeOwnCommits(work);
    const [{ endTask }, { commitTask }] = [await import('./task/end.ts'), await import('./auto/task.ts')];
    await endTask(work, turn, event, commitTask);
  },
  async saveIncrement(work, turn, event) {
    const [{ saveIncrement }, auto] = [await import('./task/todo.ts'), await import('./auto/task.ts')];
    await saveIncrement(work, turn, event, auto.commitTask);
  },
  async prepareCommitMessage({ repo }) {
    const { noteOpenCommit } = await import('../session/record/open-commits.ts');
    noteOpenCommit(repo);
  },
  async checkCommitMessage() {},
  async afterCommit() {},
};

/** The strategy that the settings name; anything that is none means manual-commit. */
export const strategyOf = (name: string | undefined): Strategy =>
  name === AUTO_COMMIT.name ? AUTO_COMMIT : MANUAL_COMMIT;

/** Completes commits of ours whose hook was killed, whatever the strategy is by now. Usually there are none. */
async function completeOwnCommits(work: Work): Promise<void> {
  const { commonDir, worktreeId } = work.repo;
  try {
    if (!listOwed(commonDir, worktreeId).some(({ own }) => own)) return;
    const { settleOwnCommits } = await import('./auto/settle.ts');
    await settleOwnCommits(work);
  } catch (error) {
    log('warn', 'commits of ours not completed', { error: describeError(error) });
  }
}

async function archive(work: Work, isPending: Strategy['isPending']): Promise<void> {
  const { archiveOldSessions } = await import('./archive.ts');
  await archiveOldSessions(work, isPending);
}

/** Creates what a strategy keeps its records on. Before the agent can commit. */
export function ensureStrategySetUp(work: Work): void {
  // At each prompt: it is there nearly always, and has a file, for each commit with a link moves it.
  if (readLooseRef(work.repo, METADATA_REF) === undefined) ensureMetadataBranch(work.git);
}
