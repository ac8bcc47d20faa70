import { sha256Of } from '../../base/hash.ts';
import type { Author } from '../range.ts';
import type { ToldCommit, ToldRange, ToldSession } from './attribution.ts';

/**
 * Notes of git-ai, standard 3.0.0: which lines of a commit which session or person wrote.
 *
 * @see https://github.com/git-ai-project/git-ai/blob/main/specs/git_ai_standard_v3.0.0.md
 */

const SCHEMA = 'authorship/3.0.0';

/** What marks a session in a note as told by us: its checkpoints. Readers of the format keep what stands there. */
export const OWN_ATTRIBUTE = 'io.entire.checkpoint';

/** A note, and files that it cannot name. */
export interface GitAiNote {
  /** `undefined` where nobody is known to have written any line: there is nothing to say then. */
  readonly text: string | undefined;
  /** Paths that the format has no form for. */
  readonly leftOut: readonly string[];
}

/**
 * What a commit's note says. Lines of which nobody knows are left out, for that is how the format has it. The same record makes the
 * same bytes; that a commit is a person's, only the clone knows that made it.
 */
export function renderGitAi({ commit, files, sessions }: ToldCommit): GitAiNote {
  const told = files
    .map(({ path, ranges }) => ({ path, entries: entriesOf(ranges, sessions) }))
    .filter(({ entries }) => entries.length > 0);
  const [shown, leftOut] = [
    told.filter(({ path }) => hasForm(path)),
    told.filter(({ path }) => !hasForm(path)),
  ];
  const named = { leftOut: leftOut.map(({ path }) => path) };
  if (shown.length === 0) return { text: undefined, ...named };
  const keys = new Set(shown.flatMap(({ entries }) => entries.map(({ key }) => key)));
  const rows = shown.flatMap(({ path, entries }) => [
    quoted(path),
    ...entries.map(({ key, ranges }) => `  ${key} ${ranges.map(renderRange).join(',')}`),
  ]);
  const document = {
    schema_version: SCHEMA,
    base_commit_sha: commit.oid,
    prompts: {},
    humans: Object.fromEntries(
      personsOf(files.flatMap(({ ranges }) => ranges))
        .filter(([key]) => keys.has(key))
        .map(([key, author]) => [key, { author }]),
    ),
    sessions: Object.fromEntries(
      [...sessions.values()]
        .map((session) => [sessionKey(session), session] as const)
        .filter(([key]) => [...keys].some((one) => one.startsWith(`${key}::`)))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { sessionId, tool, model, checkpoints }]) => [
          key,
          {
            agent_id: { tool, id: sessionId, model },
            custom_attributes: { [OWN_ATTRIBUTE]: checkpoints.join(',') },
          },
        ]),
    ),
  };
  return { text: `${[...rows, '---', JSON.stringify(document, undefined, 2)].join('\n')}\n`, ...named };
}

/** No path is escaped in the format, so that one with a line end breaks it, and one called `---` ends it. */
const hasForm = (path: string): boolean => !/[\n\r\0\ufffd]/.test(path) && path !== '---';

const quoted = (path: string): string => (/[ \t]|^"/.test(path) ? `"${path}"` : path);

interface Entry {
  readonly key: string;
  readonly ranges: readonly ToldRange[];
}

/** By their first line. */
function entriesOf(ranges: readonly ToldRange[], sessions: ToldCommit['sessions']): Entry[] {
  const byKey = new Map<string, ToldRange[]>();
  for (const range of ranges) {
    const key = keyOf(range, sessions);
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), range]);
  }
  return [...byKey].map(([key, own]) => ({ key, ranges: joined(own) }));
}

/** Ranges that differ in why they are known are one for others. */
function joined(ranges: readonly ToldRange[]): ToldRange[] {
  const all: ToldRange[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last && last.last + 1 === range.first) all[all.length - 1] = { ...last, last: range.last };
    else all.push(range);
  }
  return all;
}

function keyOf(
  { session: id, checkpoint, person, kind, reason }: ToldRange,
  sessions: ToldCommit['sessions'],
): string | undefined {
  if (reason === 'git-ai') return undefined; // its own note says so
  const session = id === undefined ? undefined : sessions.get(id);
  if (session && checkpoint)
    return `${sessionKey(session)}::t_${sha256Of(`entire:${checkpoint}:${session.sessionId}`).slice(0, 14)}`;
  return kind === 'human' && person ? humanKey(person) : undefined;
}

const nameOf = ({ name, email }: Author): string => `${name} <${email}>`;
const humanKey = (person: Author): string => `h_${sha256Of(nameOf(person)).slice(0, 14)}`;
const sessionKey = ({ tool, sessionId }: ToldSession): string =>
  `s_${sha256Of(`${tool}:${sessionId}`).slice(0, 14)}`;

const renderRange = ({ first, last }: ToldRange): string =>
  first === last ? `${first}` : `${first}-${last}`;

const personsOf = (ranges: readonly ToldRange[]): [string, string][] =>
  [
    ...new Map(
      ranges.flatMap(({ person }): [string, string][] =>
        person ? [[humanKey(person), nameOf(person)]] : [],
      ),
    ),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
