/** What we use of Bun's own SQLite. @see https://bun.com/docs/api/sqlite */
declare module 'bun:sqlite' {
  export class Database {
    /** @param flags of `sqlite3_open_v2` */
    constructor(filename: string, flags: number);
    exec(sql: string): unknown;
    prepare(sql: string): Statement;
    close(): void;
  }

  interface Statement {
    get(...values: (string | number | null)[]): unknown;
    all(...values: (string | number | null)[]): unknown[];
    run(...values: (string | number | null)[]): unknown;
  }
}
