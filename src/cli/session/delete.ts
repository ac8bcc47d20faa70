import { EntireError } from '../../base/errors.ts';
import { removeImported, withImports } from '../../conversation/export/imported-transcripts.ts';
import { importsFolder } from '../../conversation/home.ts';
import { requireId } from '../../conversation/storage/storage.ts';
import { plain, say } from '../terminal.ts';
import { openSessions } from './store.ts';

/**
 * Forgets sessions that are kept by us; what agents keep of them stays.
 *
 * @throws {EntireError} `NOT_FOUND` when there is none of an id: nothing is deleted then
 */
export async function deleteSessions(words: readonly string[]): Promise<void> {
  const store = openSessions();
  const kept = await store.listSessions(); // also those that cannot be read
  const ids = words.map(requireId);
  for (const id of ids)
    if (!kept.includes(id))
      throw new EntireError('NOT_FOUND', `no session is kept under ${id}.`, {
        hint: '`entire session list` lists them.',
      });
  const folder = importsFolder();
  for (const id of ids) {
    await withImports(folder, id, async () => {
      await store.delete(id);
      removeImported(folder, id);
    });
    say(`Deleted ${plain(id)}.`);
  }
}
