import type { TestRepo } from './test-repo.ts';

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
