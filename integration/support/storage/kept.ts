import { FileStorage } from '../../../src/conversation/storage/file.ts';
import { SQLiteStorage } from '../../../src/conversation/storage/sqlite.ts';
import { loadSqlite } from '../../../src/conversation/storage/sqlite-driver.ts';

export type Kind = 'files' | 'sqlite';

/**
 * Sessions of a place that `entire-storage.ts` has written to: by id, the words of its messages in their order.
 *
 * @param ids default: all that are listed
 */
export async function readKept(
  kind: Kind,
  place: string,
  ids?: Iterable<string>,
): Promise<Map<string, string[]>> {
  const storage =
    kind === 'files' ? new FileStorage({ directory: place }) : new SQLiteStorage({ dbPath: `${place}.db` });
  const kept = new Map<string, string[]>();
  for (const id of ids ?? (await storage.listSessions())) {
    const messages = (await storage.load(id))?.messages ?? [];
    kept.set(
      id,
      messages.map(({ content }) => String(content).split(' ')[0] ?? ''),
    );
  }
  if (storage instanceof SQLiteStorage) storage.close();
  return kept;
}

/** What SQLite itself says of the file: `ok`. */
export async function checkIntegrity(place: string): Promise<unknown> {
  const db = (await loadSqlite())(`${place}.db`, 'existing');
  try {
    return db.get('PRAGMA integrity_check')?.integrity_check;
  } finally {
    db.close();
  }
}

/** Words that were said to be kept (`<session> <words>`) and are not, and words that are there twice. */
export function compareKept(
  said: readonly string[],
  kept: ReadonlyMap<string, readonly string[]>,
): { lost: string[]; twice: string[] } {
  return {
    lost: said.filter((line) => {
      const [id = '', words = ''] = line.split(' ');
      return !kept.get(id)?.includes(words);
    }),
    twice: [...kept].flatMap(([id, words]) => (new Set(words).size === words.length ? [] : [id])),
  };
}
