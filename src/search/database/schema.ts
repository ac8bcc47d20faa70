import type { SqliteDatabase } from '../../conversation/storage/sqlite-driver.ts';
import type { Migration } from '../../conversation/storage/sqlite-schema.ts';
import { KINDS, type SearchDocument } from '../document.ts';
import { humpsIn, spaced } from '../query/words.ts';

/**
 * The tables of an index. `sources`: what was read, and how far. `documents`: what was found in it, in the order of their texts; `texts`
 * stands apart, so that documents are counted and picked without them. `words` knows which word stands where and keeps no text of its
 * own; its columns are the kinds of documents, which weigh differently, what belongs to commands and files, and the insides of identifiers.
 */
const TABLES = `
  CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    rules TEXT NOT NULL,
    state TEXT NOT NULL,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    folder TEXT NOT NULL,
    checkpoint TEXT NOT NULL,
    progress TEXT NOT NULL
  );
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    at INTEGER NOT NULL,
    is_dated INTEGER NOT NULL,
    is_written INTEGER NOT NULL
  );
  CREATE INDEX documents_of ON documents (source, turn, kind);
  CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL, more TEXT NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(
    prompt, answer, command, file, output, written, humps,
    content='', tokenize="unicode61 remove_diacritics 2"
  );
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1)`;

const DROP = `
  DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS texts;
  DROP TABLE IF EXISTS documents; DROP TABLE IF EXISTS sources`;

const makeAnew: Migration = (db) => {
  db.exec(DROP);
  db.exec(TABLES);
};

/**
 * It is a cache: every form but the newest is thrown away. One more step at the end does that. The second has what sub-agents did, the third which times were told, and
 * which files were written.
 */
export const FORMS: readonly Migration[] = [makeAnew, makeAnew, makeAnew];

/** What counts how much, in the order of the columns of `words`. */
export const WEIGHTS = [8, 4, 4, 3, 1, 1, 1] as const;

/** Columns that a kind of document fills; the insides of identifiers are of all of them. */
export const COLUMNS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  prompt: ['prompt'],
  answer: ['answer'],
  command: ['command', 'output'],
  file: ['file', 'written'],
};

/** What `words` is told of a document, in the order of its columns. */
function columnsOf({ kind, text, more }: Pick<SearchDocument, 'kind' | 'text' | 'more'>): string[] {
  const [own, other] = [spaced(text), spaced(more)];
  return [
    kind === 'prompt' ? own : '',
    kind === 'answer' ? own : '',
    kind === 'command' ? own : '',
    kind === 'file' ? own : '',
    kind === 'command' ? other : '',
    kind === 'file' ? other : '',
    humpsIn(more === '' ? text : `${text}\n${more}`),
  ];
}

export function insertDocument(db: SqliteDatabase, source: number, document: SearchDocument): void {
  const { kind, turn, at, text, more, isGuessed = false, isWritten = false } = document;
  db.run(
    'INSERT INTO documents (source, turn, kind, at, is_dated, is_written) VALUES (?, ?, ?, ?, ?, ?)',
    ...[source, turn, KINDS.indexOf(kind), at],
    ...[at > 0 && !isGuessed ? 1 : 0, isWritten ? 1 : 0],
  );
  db.run('INSERT INTO texts (id, text, more) VALUES (last_insert_rowid(), ?, ?)', text, more);
  db.run(
    `INSERT INTO words (rowid, prompt, answer, command, file, output, written, humps)
     VALUES (last_insert_rowid(), ?, ?, ?, ?, ?, ?, ?)`,
    ...columnsOf(document),
  );
}

/** Takes all documents of a source out, byte for byte where the database has `secure_delete`. */
export function deleteDocuments(db: SqliteDatabase, source: number): number {
  const rows = db.all(
    'SELECT d.id, d.kind, t.text, t.more FROM documents d JOIN texts t ON t.id = d.id WHERE d.source = ?',
    source,
  );
  for (const { id, kind, text, more } of rows) {
    const columns = columnsOf({
      kind: KINDS[Number(kind)] ?? 'prompt',
      text: String(text),
      more: String(more),
    });
    db.run(
      `INSERT INTO words (words, rowid, prompt, answer, command, file, output, written, humps)
       VALUES ('delete', ?, ?, ?, ?, ?, ?, ?, ?)`,
      Number(id),
      ...columns,
    );
    db.run('DELETE FROM texts WHERE id = ?', Number(id));
  }
  db.run('DELETE FROM documents WHERE source = ?', source);
  return rows.length;
}
