import type { AgentSession, HookResult } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';

/** A point as `rewind --list` prints it. */
export interface ListedPoint {
  readonly id: string;
  readonly message: string;
  readonly metadata_dir: string;
  readonly date: string;
  readonly is_task_checkpoint: boolean;
  readonly tool_use_id?: string;
  readonly is_logs_only: boolean;
  readonly condensation_id?: string;
  readonly session_id?: string;
  readonly session_prompt?: string;
}

export const listPoints = (repo: TestRepo): ListedPoint[] =>
  JSON.parse(repo.entire('rewind', '--list').stdout);

/** Points whose files can be had back, newest first. */
export const temporary = (repo: TestRepo): ListedPoint[] =>
  listPoints(repo).filter(({ is_logs_only: isLogsOnly }) => !isLogsOnly);

/** Points that are commits, newest first. */
export const logsOnly = (repo: TestRepo): ListedPoint[] =>
  listPoints(repo).filter(({ is_logs_only: isLogsOnly }) => isLogsOnly);

/** A new session whose turns write these files: `turn 1`, `turn 2` … */
export function turns(
  repo: TestRepo,
  ...steps: ReadonlyArray<Readonly<Record<string, string>>>
): AgentSession {
  const session = repo.session();
  steps.forEach((files, index) => {
    session.prompt(`turn ${index + 1}`);
    for (const [path, content] of Object.entries(files)) session.edit(path, content);
    session.stop();
  });
  return session;
}

/** The point with that message. */
export function stepOf(points: readonly ListedPoint[], message: string): ListedPoint {
  const found = points.find((point) => point.message === message);
  if (!found) throw new Error(`no point ${message} among ${points.map((point) => point.message).join(', ')}`);
  return found;
}

export const goBack = (repo: TestRepo, id: string, ...flags: string[]): HookResult =>
  repo.entire('rewind', '--to', id, ...flags);

/** Commits without changes that name a checkpoint which exists: each of them is a point. */
export function linkedCommits(repo: TestRepo, count: number, checkpoint: string): void {
  for (let number = 1; number <= count; number++) {
    const message = `Again ${number}\n\nEntire-Checkpoint: ${checkpoint}`;
    repo.git('commit', '--quiet', '--no-verify', '--allow-empty', '-m', message);
  }
}
