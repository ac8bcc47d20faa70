import type { SqliteDatabase, SqliteRow } from '../../conversation/storage/sqlite-driver.ts';
import type { Reading, Source } from '../sources/source.ts';
import type { SearchIndex } from './index-file.ts';
import { deleteDocuments, insertDocument } from './schema.ts';

/** What an index has of a source. */
export interface Known {
  readonly rules: string;
  readonly state: string;
  readonly session: string;
  readonly checkpoint: string;
  readonly progress: string;
}

interface Addition extends Reading {
  readonly source: Source;
}

/** So many characters are written together. */
const BATCH = 4 * 1024 * 1024;
const MAX_WAITING = 500;

/** The row that says which checkpoints were read. */
const MARK = '';

/** Adds to an index, some at a time: who is stopped has what was added until then. */
export class Writer {
  private readonly index: SearchIndex;
  /** As it was found. */
  private readonly found = new Map<string, Known>();
  private readonly known = new Map<string, Known>();
  private readonly gone = new Set<string>();
  private waiting: Addition[] = [];
  private waitingSize = 0;
  private seenBefore = '';
  /** Which checkpoints were read, all of them. */
  seen = '';

  constructor(index: SearchIndex) {
    this.index = index;
  }

  async open(): Promise<void> {
    const rows = await this.index.read((db) =>
      db.all('SELECT key, rules, state, session, checkpoint, progress FROM sources'),
    );
    if (!rows) await this.index.write(() => {}); // from now on it is known whether somebody takes it away
    for (const row of rows ?? []) this.found.set(String(row.key), toKnown(row));
    this.seen = this.found.get(MARK)?.state ?? '';
    this.seenBefore = this.seen;
    this.found.delete(MARK);
    for (const [key, one] of this.found) this.known.set(key, one);
  }

  find(key: string): Known | undefined {
    return this.known.get(key);
  }

  entries(): [string, Known][] {
    return [...this.known];
  }

  /** Sessions that checkpoints have. */
  stored(): string[] {
    return [...this.known.values()].flatMap(({ checkpoint, session }) => (checkpoint === '' ? [] : session));
  }

  drop(key: string): void {
    this.gone.add(key);
    this.known.delete(key);
  }

  /** Whether some document of a source is one of those. */
  async holds(key: string, isHeld: (text: string) => boolean): Promise<boolean> {
    const texts = await this.index.read((db) =>
      db.all(
        `SELECT t.text, t.more FROM sources s JOIN documents d ON d.source = s.id JOIN texts t ON t.id = d.id
         WHERE s.key = ?`,
        key,
      ),
    );
    return (texts ?? []).some(({ text, more }) => isHeld(`${String(text)}\n${String(more)}`));
  }

  async add(source: Source, reading: Reading): Promise<void> {
    this.waiting.push({ source, ...reading });
    this.known.set(source.key, { ...source, progress: reading.progress });
    for (const { text, more } of reading.documents) this.waitingSize += text.length + more.length;
    if (this.waitingSize > BATCH || this.waiting.length >= MAX_WAITING) await this.flush();
  }

  /** Writes what is waiting. @throws {EntireError} where it cannot be kept */
  async flush(): Promise<void> {
    if (this.waiting.length + this.gone.size === 0 && this.seen === this.seenBefore) return;
    await this.index.write((db) => {
      for (const key of this.gone) dropSource(db, key);
      for (const addition of this.waiting) apply(db, addition, this.found.get(addition.source.key));
      if (this.seen !== this.seenBefore) {
        dropSource(db, MARK);
        insertSource(db, { ...NOTHING, key: MARK, state: this.seen }, '');
      }
    });
    this.waiting = [];
    this.waitingSize = 0;
    this.gone.clear();
    this.seenBefore = this.seen;
  }
}

const NOTHING: Source = {
  ...{ key: '', rules: '', state: '', session: '', agent: '', folder: '', checkpoint: '', sizeBytes: 0 },
};

const toKnown = ({ rules, state, session, checkpoint, progress }: SqliteRow): Known => ({
  rules: String(rules),
  state: String(state),
  session: String(session),
  checkpoint: String(checkpoint),
  progress: String(progress),
});

/**
 * Another search may have added the same meanwhile: then there is nothing to do.
 *
 * @param before what was there when this was read
 */
function apply(
  db: SqliteDatabase,
  { source, documents, isWhole, progress }: Addition,
  before: Known | undefined,
): void {
  const row = db.get('SELECT id, rules, state, progress FROM sources WHERE key = ?', source.key);
  const isAsBefore = row
    ? row.state === before?.state && row.rules === before?.rules && row.progress === before?.progress
    : isWhole;
  const isThere = row?.state === source.state && row.rules === source.rules;
  if (!isAsBefore && (isThere || !isWhole)) return;
  if (isWhole) dropSource(db, source.key);
  const id = isWhole || !row ? insertSource(db, source, progress) : Number(row.id);
  if (!isWhole) db.run('UPDATE sources SET state = ?, progress = ? WHERE id = ?', source.state, progress, id);
  for (const document of documents) insertDocument(db, id, document);
}

function insertSource(db: SqliteDatabase, source: Source, progress: string): number {
  const { key, rules, state, session, agent, folder, checkpoint } = source;
  db.run(
    `INSERT INTO sources (key, rules, state, session, agent, folder, checkpoint, progress)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[key, rules, state, session, agent, folder, checkpoint, progress],
  );
  return Number(db.get('SELECT last_insert_rowid() AS id')?.id);
}

function dropSource(db: SqliteDatabase, key: string): void {
  const row = db.get('SELECT id FROM sources WHERE key = ?', key);
  if (!row) return;
  deleteDocuments(db, Number(row.id));
  db.run('DELETE FROM sources WHERE id = ?', Number(row.id));
}
