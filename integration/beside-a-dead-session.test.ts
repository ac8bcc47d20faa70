import { utimesSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { editState } from './support/leftovers.ts';
import { type TestRepo, variation } from './support/test-repo.ts';

/** A session in a turn, and beside it another one's turn, in which a formatter wrote a file. */
function besideOne(repo: TestRepo, hoursAgo: number): string[] {
  repo.ready();
  const other = repo.session();
  other.prompt('never comes to its end');
  const then = new Date(Date.now() - hoursAgo * 60 * 60 * 1000);
  editState(repo, other.id, { started_at: then.toISOString(), last_interaction_time: then.toISOString() });
  utimesSync(other.transcript, then, then);
  const session = repo.session();
  session.prompt('write a');
  session.edit('a.txt', 'a\n');
  repo.write('formatted.txt', 'by a formatter\n');
  session.stop();
  return repo.state(session.id).files_touched;
}

describe('what nobody reported, of a turn whose transcript accounts for all that the agent did', () => {
  variation('may be the work of another session that is in a turn', (repo) => {
    expect(besideOne(repo, 0)).toEqual(['a.txt']);
  });

  variation('is not that of a session whose client died long ago', (repo) => {
    expect(besideOne(repo, 3)).toEqual(['a.txt', 'formatted.txt']);
  });
});
