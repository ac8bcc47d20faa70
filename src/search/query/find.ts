import type { SqliteDatabase, SqliteRow } from '../../conversation/storage/sqlite-driver.ts';
import { COLUMNS, WEIGHTS } from '../database/schema.ts';
import { KINDS, type Kind } from '../document.ts';
import { type Phrase, toMatch } from './query.ts';

/** What is looked for, and where. */
export interface SearchQuery {
  readonly phrases: readonly Phrase[];
  /** Only these kinds; all of them where it is left out. */
  readonly kinds?: readonly Kind[] | undefined;
  /** The beginning of a session's id. */
  readonly session?: string | undefined;
  /** As metadata call it. */
  readonly agent?: string | undefined;
  readonly since?: Date | undefined;
  /** None of these sessions. */
  readonly without?: readonly string[];
  readonly limit: number;
}

/** Something that was found. */
export interface Hit {
  readonly kind: Kind;
  readonly session: string;
  /** As metadata call it; empty where nobody knows. */
  readonly agent: string;
  /** Where the session was begun; empty where nobody knows. */
  readonly folder: string;
  /** The checkpoint that has it; empty where none does. */
  readonly checkpoint: string;
  /** What was read together, and the turn in it. */
  readonly source: number;
  readonly turn: number;
  /** In seconds since 1970; 0 where nothing says so. */
  readonly at: number;
  readonly text: string;
  readonly more: string;
  /** Less is better. */
  readonly score: number;
  /** The prompt that began the turn; empty where it is not known. */
  readonly prompt: string;
  /** Where more than one source has the same turn, what that is in all of them. */
  readonly repeated?: RepeatedTurn | undefined;
}

/** A turn that several sources have: checkpoints of what commits left behind begin where their session does. */
export interface RepeatedTurn {
  /** By which it is known again. */
  readonly key: string;
  /** Nothing says when it was: it is the same one only in sources that begin with the same item of the transcript. */
  readonly isUndated: boolean;
  /** Files that its tools wrote. */
  readonly files: readonly string[];
}

/** The best of what was found, and how much there is. */
export interface Found {
  readonly hits: readonly Hit[];
  readonly total: number;
}

/** Scores that differ by less are the same: the newer turn comes first, and of one turn what was said first. */
const SAME = 0.01;

/** Of more that match nobody can say which are the best: the newest of them are looked at. */
const MAX_RANKED = 4000;

/** @throws what SQLite says */
export function findHits(db: SqliteDatabase, query: SearchQuery): Found {
  const { kinds, limit } = query;
  const columns = kinds && [...kinds.flatMap((kind) => COLUMNS[kind]), 'humps'];
  const match = toMatch(query.phrases, columns);
  const filter = filterOf(query);
  const from = `words${filter.join} WHERE words MATCH ?${filter.sql}`;
  const total = Number(db.get(`SELECT count(*) AS total FROM ${from}`, match, ...filter.values)?.total);
  if (total === 0) return { hits: [], total };
  const newest = `SELECT words.rowid AS id, bm25(words, ${WEIGHTS.join(', ')}) AS score FROM ${from}
    ORDER BY words.rowid DESC LIMIT ${MAX_RANKED}`;
  const rows = db.all(
    `SELECT d.source, d.turn, d.kind, d.at, t.text, t.more, s.session, s.agent, s.folder, s.checkpoint, b.score, p.text AS prompt
     FROM (SELECT id, score FROM (${newest}) ORDER BY score LIMIT ?) b
     JOIN documents d ON d.id = b.id JOIN texts t ON t.id = d.id JOIN sources s ON s.id = d.source
     LEFT JOIN texts p ON p.id = (
       SELECT q.id FROM documents q WHERE q.source = d.source AND q.turn = d.turn AND q.kind = 0 LIMIT 1)
     ORDER BY round(b.score / ${SAME}), max(d.at) OVER (PARTITION BY d.source, d.turn) DESC, d.source DESC, d.turn DESC, d.id`,
    match,
    ...filter.values,
    limit,
  );
  return { hits: withRepeated(db, rows.map(toHit)), total };
}

interface Filter {
  /** Each match is looked up: the other way round every document would be matched by itself. */
  readonly join: string;
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

function filterOf({ kinds, session, agent, since, without = [] }: SearchQuery): Filter {
  const sources: string[] = [];
  const own: string[] = [];
  const values: (string | number)[] = [];
  if (kinds) own.push(`m.kind IN (${kinds.map((kind) => KINDS.indexOf(kind)).join(', ')})`);
  if (since) {
    own.push('m.at >= ?');
    values.push(Math.floor(since.getTime() / 1000));
  }
  if (session !== undefined) {
    sources.push('substr(session, 1, ?) = ?');
    values.push(session.length, session);
  }
  if (agent !== undefined) {
    sources.push('agent = ?');
    values.push(agent);
  }
  if (without.length > 0) {
    sources.push('session NOT IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(without));
  }
  if (sources.length > 0) own.push(`m.source IN (SELECT id FROM sources WHERE ${sources.join(' AND ')})`);
  if (own.length === 0) return { join: '', sql: '', values };
  const join = ' CROSS JOIN documents m ON m.id = words.rowid';
  return { join, sql: own.map((condition) => ` AND ${condition}`).join(''), values };
}

const toHit = (row: SqliteRow): Hit => ({
  kind: KINDS[Number(row.kind)] ?? 'answer',
  session: String(row.session),
  agent: String(row.agent),
  folder: String(row.folder),
  checkpoint: String(row.checkpoint),
  source: Number(row.source),
  turn: Number(row.turn),
  at: Number(row.at),
  text: String(row.text),
  more: String(row.more),
  score: Number(row.score),
  prompt: String(row.prompt ?? ''),
});

/** Says of hits whose turn others have from other sources, too; what is asked for that is asked once for each turn. */
function withRepeated(db: SqliteDatabase, hits: readonly Hit[]): Hit[] {
  const known = new Map<string, { readonly hit: Hit; readonly began: number }>();
  for (const hit of hits)
    if (!known.has(placeOf(hit))) known.set(placeOf(hit), { hit, began: readBegin(db, hit) });
  const keyOf = (hit: Hit): string => {
    const began = known.get(placeOf(hit))?.began ?? 0;
    return JSON.stringify([hit.session, began > 0 ? ['at', began] : ['turn', hit.turn], hit.prompt]);
  };
  const same = new Map<string, Hit[]>();
  for (const { hit } of known.values()) same.set(keyOf(hit), [...(same.get(keyOf(hit)) ?? []), hit]);
  const repeated = new Map(
    [...same].flatMap(([key, all]): [string, RepeatedTurn][] =>
      all.length < 2
        ? []
        : [
            [
              key,
              {
                key,
                isUndated: all.every((hit) => known.get(placeOf(hit))?.began === 0),
                files: all.flatMap((hit) => readWritten(db, hit)),
              },
            ],
          ],
    ),
  );
  return hits.map((hit) => ({ ...hit, repeated: repeated.get(keyOf(hit)) }));
}

type TurnPlace = Pick<Hit, 'source' | 'turn'>;

const placeOf = ({ source, turn }: TurnPlace): string => `${source} ${turn}`;

/** When anything of a turn was said first, in seconds since 1970; 0 where nothing says so. */
const readBegin = (db: SqliteDatabase, { source, turn }: TurnPlace): number =>
  Number(
    db.get(
      'SELECT min(at) AS began FROM documents WHERE source = ? AND turn = ? AND is_dated = 1',
      source,
      turn,
    )?.began ?? 0,
  );

const readWritten = (db: SqliteDatabase, { source, turn }: TurnPlace): string[] =>
  db
    .all(
      `SELECT t.text FROM documents d JOIN texts t ON t.id = d.id
       WHERE d.source = ? AND d.turn = ? AND d.kind = ? AND d.is_written = 1`,
      ...[source, turn, KINDS.indexOf('file')],
    )
    .map(({ text }) => String(text));

/** The sessions that an index knows. */
export const sessionsIn = (db: SqliteDatabase): string[] =>
  db.all("SELECT DISTINCT session FROM sources WHERE session <> ''").map(({ session }) => String(session));

/** The rules that texts in an index were redacted by. */
export const rulesIn = (db: SqliteDatabase): string[] =>
  db.all("SELECT DISTINCT rules FROM sources WHERE key <> ''").map(({ rules }) => String(rules));
