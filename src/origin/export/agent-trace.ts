import { sha256Of } from '../../base/hash.ts';
import { VERSION } from '../../base/version.ts';
import type { ToldCommit, ToldRange } from './attribution.ts';

/**
 * A commit as a record of Agent Trace 0.1.0; `undefined` for one that adds no lines. Its id follows from the commit, so that it is the same
 * record wherever it is made.
 *
 * @see https://github.com/cursor/agent-trace
 */
export function toTraceRecord({ commit, files, sessions }: ToldCommit): object | undefined {
  if (files.length === 0) return undefined;
  return {
    version: '0.1.0',
    id: idOf(commit.oid),
    timestamp: new Date(commit.committedAt).toISOString().replace('.000Z', 'Z'),
    vcs: { type: 'git', revision: commit.oid },
    tool: { name: 'entire', version: VERSION },
    files: files.map(({ path, ranges }) => ({ path, conversations: conversationsOf(ranges, sessions) })),
    metadata: {
      'io.entire': {
        sessions: [...sessions.values()].map(({ sessionId, agent, checkpoints }) => ({
          ...{ session_id: sessionId, agent, checkpoints },
        })),
      },
    },
  };
}

/** One for each session, for persons, and for what nobody knows. */
function conversationsOf(ranges: readonly ToldRange[], sessions: ToldCommit['sessions']): object[] {
  const groups = new Map<string, ToldRange[]>();
  for (const range of ranges) {
    const key = range.session ?? range.kind;
    groups.set(key, [...(groups.get(key) ?? []), range]);
  }
  return [...groups].map(([key, own]) => ({
    contributor: contributorOf(own[0] as ToldRange, sessions.get(key)),
    ranges: own.map(({ first, last }) => ({ start_line: first, end_line: last })),
  }));
}

const MAX_MODEL = 250;

function contributorOf(
  { kind }: ToldRange,
  session: { readonly model: string; readonly models: string | undefined } | undefined,
): object {
  if (kind !== 'agent') return { type: kind };
  const { model = '', models } = session ?? {};
  const id = model.includes('/') || models === undefined ? model : `${models}/${model}`;
  return { type: 'ai', ...(model !== '' && id.length <= MAX_MODEL && { model_id: id }) };
}

/** As UUIDs look that are made from a name. @see https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-8 */
function idOf(commit: string): string {
  const hex = sha256Of(`agent-trace:${commit}`);
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
