import { EntireError } from '../base/errors.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { rulesFingerprint } from '../checkpoint/redact/custom.ts';
import type { Repo } from '../git/locate.ts';
import { searchIndex, searchIndexOfUser } from '../session/search-cache.ts';
import { IndexGone, openIndex, openInMemory, type SearchIndex } from './database/index-file.ts';
import { type Found, findHits, type Hit, rulesIn, type SearchQuery, sessionsIn } from './query/find.ts';
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
  const listener = { onProgress, onProblem };
  const own = here
    ? await askOne(
        {
          file: searchIndex(here.repo.commonDir),
          rules: rulesFingerprint(),
          refresh: (index) => refreshRepository(index, { ...here, env }, listener),
        },
        query,
        onProblem,
      )
    : NONE;
  if (!isEverywhere) return { ...own, own: own.sessions, problems };
  const all = await askOne(
    { file: searchIndexOfUser(env), refresh: (index) => refreshUser(index, env, listener) },
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
  /** All of it is redacted by these rules; left out where some of it is by others. */
  readonly rules?: string;
  refresh(index: SearchIndex): Promise<void>;
}

async function askOne(
  place: Place,
  query: SearchQuery,
  onProblem: (problem: string) => void,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const index = await openFresh(place, onProblem);
    try {
      const answer = await index.read((db) => ({ ...findHits(db, query), sessions: sessionsIn(db) }));
      if (answer || tries === MAX_TRIES) return answer ?? NONE;
    } catch (error) {
      if (!(error instanceof IndexGone) || tries === MAX_TRIES) throw error;
    } finally {
      index.close();
    }
  }
}

/** Somebody forgets something just now; nobody does that all the time. */
const MAX_TRIES = 3;

/** An index with what there is now, as far as it can be kept or made. */
async function openFresh(
  { file, refresh, rules }: Place,
  onProblem: (problem: string) => void,
): Promise<SearchIndex> {
  for (let tries = 1; ; tries++) {
    const index = openIndex(file);
    try {
      await refresh(index);
      return index;
    } catch (error) {
      index.close();
      if (error instanceof IndexGone && tries < MAX_TRIES) continue;
      if (!isUnkept(error)) throw error;
      const old = await openOld(file, rules);
      if (old) {
        onProblem(`What is newest is not searched: ${error.message}`);
        return old;
      }
      onProblem(`What was read could not be kept for the next search: ${error.message}`);
      const own = await openInMemory();
      await refresh(own);
      return own;
    }
  }
}

/** The index as it was, where it has something in it, and nothing that today's rules may take out. */
async function openOld(file: string, rules: string | undefined): Promise<SearchIndex | undefined> {
  if (rules === undefined) return undefined;
  const old = openIndex(file);
  const used = await old.read(rulesIn).catch(() => undefined);
  if (used?.length === 1 && used[0] === rules) return old;
  old.close();
  return undefined;
}

const isUnkept = (error: unknown): error is EntireError =>
  error instanceof EntireError &&
  (error.code === 'WRITE_FAILED' || error.code === 'LOCKED' || error.code === 'STATE_UNREADABLE');

function merge(own: Answer, all: Answer, limit: number): Answer {
  const others = all.hits.map((hit) => ({ ...hit, source: -hit.source })); // numbers of another index
  const hits: Hit[] = [...own.hits, ...others].sort((a, b) => a.score - b.score).slice(0, limit);
  return { hits, total: own.total + all.total, sessions: [...new Set([...own.sessions, ...all.sessions])] };
}
