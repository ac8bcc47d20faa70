/// <reference path="./bun-sqlite.d.ts" />
import { pathToFileURL } from 'node:url';
import { EntireError, errnoOf } from '../../base/errors.ts';
import { isObject } from '../../base/text/json.ts';

type SqliteValue = string | number | null;
export type SqliteRow = Readonly<Record<string, unknown>>;

/** A connection to one database: what the two libraries have in common. Every call blocks until it is done. */
export interface SqliteDatabase {
  /** Statements without values, one or many. @throws {SqliteFailure} as all of them */
  exec(sql: string): void;
  run(sql: string, ...values: readonly SqliteValue[]): void;
  /** The first row, `undefined` where there is none. */
  get(sql: string, ...values: readonly SqliteValue[]): SqliteRow | undefined;
  all(sql: string, ...values: readonly SqliteValue[]): readonly SqliteRow[];
  /** Further calls fail. */
  close(): void;
}

/** What SQLite says of a failure. */
export class SqliteFailure extends Error {
  /** The primary one. @see https://www.sqlite.org/rescode.html */
  readonly resultCode: number;

  constructor(resultCode: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.resultCode = resultCode;
  }
}

/** Result codes that we tell apart. */
export const SQLITE = {
  BUSY: 5,
  LOCKED: 6,
  CORRUPT: 11,
  CANTOPEN: 14,
  PROTOCOL: 15,
  NOTADB: 26,
} as const;

/**
 * How a database is opened: `existing`, to be read and written, never made; `immutable`, as a file that nobody writes to: no
 * lock and no file beside it is needed, and a `-wal` is not looked at; `memory`: in no file, and gone with the connection.
 */
export type SqliteAccess = 'existing' | 'immutable' | 'memory';

/** Opens a file by its absolute path. @throws {SqliteFailure} */
export type OpenSqlite = (file: string, access: SqliteAccess) => SqliteDatabase;

/**
 * The SQLite of this runtime: `bun:sqlite` in the executable, the package `libsql` in Node. Nothing else loads them, and nothing
 * loads them before a database is needed.
 *
 * @throws {EntireError} `UNSUPPORTED` where there is none
 */
export const loadSqlite = (): Promise<OpenSqlite> =>
  process.versions.bun === undefined ? loadLibsql() : loadBunSqlite();

const OPEN_READONLY = 0x1;
const OPEN_READWRITE = 0x2;
const OPEN_URI = 0x40;

async function loadBunSqlite(): Promise<OpenSqlite> {
  const { Database } = await import('bun:sqlite');
  return (file, access) =>
    connect(() =>
      access === 'immutable'
        ? new Database(address(file, 'immutable=1'), OPEN_READONLY | OPEN_URI)
        : new Database(access === 'memory' ? MEMORY : file, OPEN_READWRITE),
    );
}

async function loadLibsql(): Promise<OpenSqlite> {
  const { default: Database } = await import('libsql').catch((cause: unknown) => {
    throw new EntireError('UNSUPPORTED', 'there is no SQLite here: the package `libsql` cannot be loaded.', {
      hint: 'Install it (`npm install libsql`), or keep sessions in files: `FileStorage`.',
      cause,
    });
  });
  // It takes no flags, but it takes addresses.
  return (file, access) =>
    connect(
      () =>
        new Database(
          access === 'memory' ? MEMORY : address(file, access === 'immutable' ? 'immutable=1' : 'mode=rw'),
        ),
    );
}

/** @see https://www.sqlite.org/inmemorydb.html */
const MEMORY = ':memory:';

/** @see https://www.sqlite.org/uri.html */
const address = (file: string, query: string): string => `${pathToFileURL(file).href}?${query}`;

/** What the classes of both libraries share; typed as what we use, for their types differ in the rest. */
interface Library {
  exec(sql: string): unknown;
  prepare(sql: string): {
    get(...values: SqliteValue[]): unknown;
    all(...values: SqliteValue[]): unknown[];
    run(...values: SqliteValue[]): unknown;
  };
  close(): unknown;
}

function connect(open: () => Library): SqliteDatabase {
  const library = failing(open);
  const statements = new Map<string, ReturnType<Library['prepare']>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? library.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => void failing(() => library.exec(sql)),
    run: (sql, ...values) => void failing(() => prepared(sql).run(...values)),
    get: (sql, ...values) => {
      const row = failing(() => prepared(sql).get(...values));
      return isObject(row) ? row : undefined;
    },
    all: (sql, ...values) =>
      failing(() =>
        prepared(sql)
          .all(...values)
          .filter(isObject),
      ),
    close: () => {
      statements.clear();
      failing(() => library.close());
    },
  };
}

function failing<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const code = resultCodeOf(error);
    throw code === undefined ? error : new SqliteFailure(code, error);
  }
}

/** The low byte: the others tell kinds of one failure apart. `undefined` for what SQLite has not said. */
function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { rawCode, errno } = error as { rawCode?: unknown; errno?: unknown };
  const code = [rawCode, errno].find((one) => typeof one === 'number');
  if (code !== undefined && errnoOf(error)?.startsWith('SQLITE_')) return Number(code) & 0xff;
  // libsql, where it cannot open a file: `ConnectionFailed("Unable to open connection to local database …: 14")`
  const [, told] = /^ConnectionFailed\(".*: (\d+)"\)$/s.exec(error.message) ?? [];
  return told === undefined ? undefined : Number(told) & 0xff;
}
