import type { RewindPoint } from '../restore/points.ts';
import { renderJson } from './json-output.ts';

/** The points as `rewind --list` prints them (specification §7.1): keys in this order, empty ones of the last left out. */
export const renderPointsJson = (points: readonly RewindPoint[]): string =>
  renderJson(
    points.map((point) => ({
      id: point.id,
      message: point.subject,
      metadata_dir: point.metadataDir,
      date: point.date,
      is_task_checkpoint: point.toolUseId !== undefined,
      tool_use_id: point.toolUseId || undefined,
      is_logs_only: point.kind === 'commit' && point.isLogsOnly,
      condensation_id: point.kind === 'commit' ? point.checkpoint.id : undefined,
      session_id: point.sessionId || undefined,
      session_prompt: point.sessionPrompt || undefined,
    })),
  );
