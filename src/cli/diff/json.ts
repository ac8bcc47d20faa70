import type { RepoPath } from '../../base/repo-path.ts';
import type { PathChanges } from '../../git/commit/commits.ts';
import type { LineCounts } from '../../git/commit/line-counts.ts';
import type { LinkedCommit } from '../../history/linked-commit.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
import type { TurnFile } from '../../restore/turn-contents.ts';
import { doubtOf } from '../undo/view.ts';

/** Lines of each file in each of the commits that it is shown as. */
type Counts = readonly ReadonlyMap<string, LineCounts>[];

/** A turn as `--json` has it. */
export const turnToJson = (
  { session, number, record, agentType, state }: KeptTurn,
  files: readonly TurnFile[],
  { counts, unsure }: { readonly counts: Counts; readonly unsure: readonly RepoPath[] },
) => ({
  session_id: session,
  turn: number,
  commit: null,
  at: record.at,
  agent: agentType || null,
  prompt: record.subject || null,
  state: state.replace('-', '_'),
  files: files.map(({ path, status, versions, unshown }) => ({
    ...{ path, status },
    ...linesOf(path, versions.length > 0 && unshown === '' ? counts.slice(0, versions.length) : []),
    kept: versions.length > 0 && unshown === '',
    reason: unshown || null,
    doubt: doubtOf([record], path) || null,
  })),
  not_sure: unsure,
});

/** A commit as `--json` has it. */
export function commitToJson(
  { row, checkpoints, sessions, others }: LinkedCommit,
  changes: PathChanges,
  counts: Counts,
) {
  const [only, second] = sessions;
  const one = second ? undefined : only;
  return {
    session_id: one?.sessionId ?? null,
    turn: null,
    commit: row.oid,
    at: row.authoredAt,
    agent: one?.agent || null,
    prompt: one?.prompt || null,
    more_prompts: one?.more ?? 0,
    checkpoints,
    sessions: sessions.map(({ sessionId, agent, prompt, more }) => ({
      ...{ session_id: sessionId, agent: agent || null, prompt: prompt || null, more_prompts: more },
    })),
    files: [...changes].map(([path, { before, after }]) => ({
      path,
      status: after === undefined ? 'deleted' : before === undefined ? 'added' : 'modified',
      ...linesOf(path, counts),
      kept: true,
    })),
    other_files: others,
  };
}

/** `null` for what has no lines, or is not kept. */
function linesOf(path: string, counts: Counts): { added: number | null; removed: number | null } {
  const known = counts.flatMap((files) => files.get(path) ?? []);
  if (known.length === 0) return { added: null, removed: null };
  const sum = (key: keyof LineCounts): number => known.reduce((total, lines) => total + lines[key], 0);
  return { added: sum('added'), removed: sum('removed') };
}
