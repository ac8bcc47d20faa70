import { EntireError } from '../../base/errors.ts';
import { removeImported } from '../../conversation/export/imported-transcripts.ts';
import { importsFolder } from '../../conversation/home.ts';
import { requireId } from '../../conversation/storage/storage.ts';
import { plain, say } from '../terminal.ts';
import { openSessions } from './store.ts';

/**
 * Forgets sessions that are kept by us; what agents keep of them stays.
 *
 * @throws {EntireError} `NOT_FOUND` when there is none of an id: nothing is deleted then
 */
export async function deleteSessions(ids: readonly string[]): Promise<void> {
  const store = openSessions();
  for (const id of ids)
    if (!(await store.load(id)))
      throw new EntireError('NOT_FOUND', `no session is kept under ${id}.`, {
        hint: '`entire session list` lists them.',
      });
  for (const id of ids) {
    await store.delete(id);
    removeImported(importsFolder(), requireId(id));
    say(`Deleted ${plain(id)}.`);
  }
}
