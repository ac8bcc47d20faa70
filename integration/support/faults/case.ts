import type { AgentSession } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import type { FaultyHost } from './host.ts';

/** One hook at one moment. */
export interface Case {
  readonly name: string;
  /** Edits whose hook returned before: they must be on record afterwards, wherever. */
  readonly acknowledged: readonly string[];
  /** Brings the repository to the moment before the hook. */
  readonly arrange: (repo: TestRepo, session: AgentSession) => void;
  /** Runs the hook once, in the session or as git would. */
  readonly act: (host: FaultyHost, session: AgentSession) => void;
  /** The edit that the hook itself is to record: on record afterwards, or reported. */
  readonly recording?: string;
  /** Of the user's: what the hook is there to change. */
  readonly mayChange?: readonly string[];
  /** What the user does next, where that is more than going on. */
  readonly next?: (repo: TestRepo) => void;
}

/** A commit as git makes it before post-commit runs. */
function commitWithoutHooks(repo: TestRepo, message: string, ...args: string[]): void {
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', message, ...args);
}

/** A message with a trailer, as prepare-commit-msg leaves it. */
export const linked = (subject: string, id = '0123456789ab') => `${subject}\n\nEntire-Checkpoint: ${id}`;
/** A turn that edits files and has not stopped yet. */
export function turn(session: AgentSession, files: Readonly<Record<string, string>>): void {
  session.prompt(`Write ${Object.keys(files).join(', ')}`);
  for (const [path, content] of Object.entries(files)) session.edit(path, content);
}

/** A second session that has saved a step on the same commit. */
export function otherSession(repo: TestRepo): void {
  const other = repo.session('other-session');
  turn(other, { 'other.txt': 'other\n' });
  other.stop();
}

/** Somebody else's commit: HEAD moves under the session. */
export function moveHead(repo: TestRepo): void {
  repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
  commitWithoutHooks(repo, 'Mine');
}

/** The agent commits in its turn. */
export function commitInTurn(repo: TestRepo, session: AgentSession): void {
  turn(session, { 'a.txt': 'one\n' });
  repo.agentCommit('Add a', 'a.txt');
}
