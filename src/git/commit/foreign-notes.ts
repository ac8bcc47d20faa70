import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { readObjects } from '../object/objects.ts';
import { readSizes } from '../object/sizes.ts';
import { readIdentity } from '../ref/refs.ts';
import { type Git, runGit } from '../run.ts';

/** Notes that git-ai keeps, one for a commit at most. */
export const GIT_AI_REF = 'refs/notes/ai';

/** Which blob each commit has as its note in a ref of notes, whatever folders git keeps them in. One process. */
export function listNotes(git: Git, ref: string): Map<ObjectId, ObjectId> {
  const { stdout } = runGit(git, ['notes', `--ref=${ref}`, 'list'], { okCodes: [0, 1] });
  return new Map(
    stdout
      .toString('latin1')
      .split('\n')
      .flatMap((row): [ObjectId, ObjectId][] => {
        const [blob, commit] = row.split(' ').map(parseObjectId);
        return blob && commit ? [[commit, blob]] : [];
      }),
  );
}

/** The contents of notes that are no larger than that; somebody else wrote them. Two processes. */
export function readNotes(git: Git, blobs: readonly ObjectId[], maxBytes: number): Map<ObjectId, Buffer> {
  const small = [...readSizes(git, blobs)].flatMap(([oid, size]) => (size <= maxBytes ? [oid] : []));
  return new Map([...readObjects(git, small).values()].map(({ oid, data }) => [oid, data]));
}

/** Makes a blob the note of a commit, byte for byte. @throws {EntireError} `GIT_FAILED` */
export function writeNote(git: Git, ref: string, commit: ObjectId, blob: ObjectId): void {
  const { name, email } = readIdentity(git);
  const who = ['-c', `user.name=${name}`, '-c', `user.email=${email}`];
  const args = ['notes', `--ref=${ref}`, 'add', '--force', '-C', blob, commit];
  runGit(git, [...who, ...args], { noHooks: true });
}
