import type { Compacted } from '../../agents/shared/transcript/transcript.ts';
import { showPath } from '../../base/text/text.ts';
import type { SessionSummary } from '../../session/session-index.ts';
import type { WorkedFiles } from '../../strategy/worked-files.ts';
import { renderJson } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';

type Named = Pick<SessionSummary, 'sessionId' | 'startedAt' | 'lastInteractionTime'>;

/** The lists for people, each in the order of the first time. */
export function renderWorkedFiles(
  session: Named,
  { modified, read }: WorkedFiles,
  compacted: Compacted | undefined,
): string {
  const title = `Session ${session.sessionId}, active ${ago(session.lastInteractionTime ?? session.startedAt)}`;
  const lists = [...list('Modified', modified), ...list('Read', read)];
  const files = lists.length > 0 ? lists : ['', 'No files so far.'];
  return [title, ...lastCompaction(compacted), ...files].join('\n');
}

function lastCompaction(compacted: Compacted | undefined): string[] {
  const { tokensBefore: before, tokensAfter: after } = compacted ?? {};
  if (before === undefined) return [];
  return [`Last compaction: from ${before} tokens${after === undefined ? '' : ` to ${after}`}`];
}

const list = (name: string, paths: readonly string[]): string[] =>
  paths.length === 0 ? [] : ['', `${name} (${paths.length}):`, ...paths.map((path) => `  ${showPath(path)}`)];

/** The lists for programs. */
export const renderWorkedFilesJson = (
  { sessionId }: Named,
  { modified, read }: WorkedFiles,
  compacted: Compacted | undefined,
): string =>
  renderJson({
    session_id: sessionId,
    modified,
    read,
    last_compaction: compacted
      ? { tokens_before: compacted.tokensBefore ?? null, tokens_after: compacted.tokensAfter ?? null }
      : null,
  });
