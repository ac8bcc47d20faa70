import { describeError, EntireError } from '../base/errors.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import type { Repo } from '../git/locate.ts';
import { searchIndex, searchIndexOfUser } from '../session/search-cache.ts';
import { hasIndex, openIndex, openInMemory, type SearchIndex } from './database/index-file.ts';
import { type Found, findHits, type Hit, type SearchQuery, sessionsIn } from './query/find.ts';
import { type OnProgress, refreshRepository, refreshUser } from './refresh.ts';

/** Where is searched. */
export interface SearchPlaces {
  /** With its checkpoints; `undefined` outside of a repository. */
  readonly here: { readonly repo: Repo; readonly store: CheckpointStore } | undefined;
  /** Also all that agents keep on this machine. */
  readonly isEverywhere: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** What was found. */
export interface SearchResult extends Found {
  /** Ids of all sessions that were searched. */
  readonly sessions: readonly string[];
  /** Those of them that the repository knows. */
  readonly own: readonly string[];
  /** What could not be done of keeping an index, as sentences. */
  readonly problems: readonly string[];
}

/**
 * Searches what sessions said and did. What came since the last search is read first; an index that cannot be kept is made in memory, or
 * asked as it is.
 *
 * @throws {EntireError} `UNSUPPORTED` where there is no SQLite
 */
export async function search(
  { here, isEverywhere, env }: SearchPlaces,
  query: SearchQuery,
  onProgress: OnProgress,
): Promise<SearchResult> {
  const problems: string[] = [];
  const onProblem = (problem: string): void => void problems.push(problem);
  const own = here
    ? await askOne(
        {
          file: searchIndex(here.repo.commonDir),
          refresh: (index) => refreshRepository(index, { ...here, env }, onProgress),
        },
        query,
        onProblem,
      )
    : NONE;
  if (!isEverywhere) return { ...own, own: own.sessions, problems };
  const all = await askOne(
    { file: searchIndexOfUser(env), refresh: (index) => refreshUser(index, env, onProgress) },
    { ...query, without: own.sessions }, // what a repository knows of a session is more than what its agent does
    onProblem,
  );
  return { ...merge(own, all, query.limit), own: own.sessions, problems };
}

type Answer = Found & Pick<SearchResult, 'sessions'>;

const NONE: Answer = { hits: [], total: 0, sessions: [] };

/** An index, and how it is brought up to date. */
interface Place {
  readonly file: string;
  refresh(index: SearchIndex): Promise<void>;
}

async function askOne(
  { file, refresh }: Place,
  query: SearchQuery,
  onProblem: (problem: string) => void,
): Promise<Answer> {
  const answer = (index: SearchIndex): Promise<Answer | undefined> =>
    index.read((db) => ({ ...findHits(db, query), sessions: sessionsIn(db) }));
  let index = openIndex(file);
  try {
    try {
      await refresh(index);
    } catch (error) {
      if (!isUnkept(error)) throw error;
      index.close();
      if (hasIndex(file)) {
        index = openIndex(file);
        onProblem(`What is newest is not searched: ${describeError(error)}`);
      } else {
        index = await openInMemory();
        onProblem(`What was read could not be kept for the next search: ${describeError(error)}`);
        await refresh(index);
      }
    }
    return (await answer(index)) ?? NONE;
  } finally {
    index.close();
  }
}

const isUnkept = (error: unknown): boolean =>
  error instanceof EntireError &&
  (error.code === 'WRITE_FAILED' || error.code === 'LOCKED' || error.code === 'STATE_UNREADABLE');

function merge(own: Answer, all: Answer, limit: number): Answer {
  const others = all.hits.map((hit) => ({ ...hit, source: -hit.source })); // numbers of another index
  const hits: Hit[] = [...own.hits, ...others].sort((a, b) => a.score - b.score).slice(0, limit);
  return { hits, total: own.total + all.total, sessions: [...new Set([...own.sessions, ...all.sessions])] };
}
