import { join } from 'node:path';
import * as z from 'zod/mini';
import { describeError } from '../../base/errors.ts';
import { disk, listNames, makePlainFolder } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseToolUseId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { renderPrettyJson } from '../../base/text/json.ts';
import { timestamp } from './turn-snapshot.ts';

/**
 * The mark of a running sub-agent: `.entire/tmp/pre-task-<tool-use-id>.json` (format of v0.4.4). It does not say
 * whose it is; `task-record.ts` does.
 */
const markFile = (root: string, toolUseId: string): string =>
  join(root, '.entire', 'tmp', `pre-task-${toolUseId}.json`);

/** Marks a sub-agent as running. @throws the system error */
export function writeTaskMark(root: string, toolUseId: string, untrackedFiles: readonly string[]): void {
  const json = renderPrettyJson({
    tool_use_id: toolUseId,
    timestamp: timestamp(),
    untracked_files: untrackedFiles,
  });
  makePlainFolder(root, '.entire', 'tmp');
  writeFileAtomic(markFile(root, toolUseId), json);
}

/** The sub-agent is done, or lost. @throws the system error */
export function removeTaskMark(root: string, toolUseId: string): void {
  disk.rmSync(markFile(root, toolUseId), { force: true });
}

const storedMark = z.object({ untracked_files: z.nullish(z.array(z.string())) });

/** Files that were untracked when the task began; `undefined` without a mark that can be read. */
export function readUntrackedAtStart(root: string, toolUseId: string): string[] | undefined {
  try {
    const text = readOwnText(markFile(root, toolUseId), 'record');
    return text === undefined ? undefined : (storedMark.parse(JSON.parse(text)).untracked_files ?? []);
  } catch (error) {
    log('warn', 'unreadable pre-task snapshot', { tool_use_id: toolUseId, error: describeError(error) });
    return undefined;
  }
}

/** Tool-use ids of all marks in a worktree, the one written last first. */
export function listTaskMarks(root: string): string[] {
  const dir = join(root, '.entire', 'tmp');
  const marks = listNames(dir).flatMap((name) => {
    const id = parseToolUseId(/^pre-task-(.+)\.json$/.exec(name)?.[1]);
    const stat = disk.lstatSync(join(dir, name), { throwIfNoEntry: false });
    return id && stat?.isFile() ? [{ id, writtenAtMs: stat.mtimeMs }] : [];
  });
  return marks.sort((a, b) => b.writtenAtMs - a.writtenAtMs).map(({ id }) => id);
}
