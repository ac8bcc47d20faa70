import { join } from 'node:path';
import { disk, naming, O_CREAT, O_EXCL, O_WRONLY, writeAll } from '../../base/file/disk.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import type { Repo } from '../locate.ts';
import type { Git } from '../run.ts';
import { readLastLine } from './reflog.ts';
import { readRefs, readRevisions } from './refs.ts';

type Place = { readonly git: Git; readonly repo: Pick<Repo, 'commonDir'> };

/**
 * Where a ref last stood, by its reflog; `undefined` where that is no commit that is still here, with its tree. One process.
 */
export function readLastCommit({ git, repo }: Place, ref: string): ObjectId | undefined {
  const oid = parseObjectId(/^[0-9a-f]+ ([0-9a-f]+) .*>/.exec(readLastLine(repo.commonDir, ref))?.[1]);
  if (!oid) return undefined;
  const [commit, tree] = [`${oid}^{commit}`, `${oid}^{tree}`];
  try {
    const found = readRevisions(git, [commit, tree]);
    return found.get(commit) === oid && found.has(tree) ? oid : undefined;
  } catch {
    return undefined; // damaged: what left a ref without a word may have left objects so
  }
}

/**
 * Sets a ref whose file says nothing to where its reflog says that it stood. Git itself refuses to write to such a one, so
 * this is done as git does it: under the lock that git takes, and by a rename.
 *
 * @returns `undefined` where it is broken no more, or its reflog leads to no commit that is here
 * @throws the system error; `EEXIST` where somebody has it locked
 */
export function restoreBrokenRef(place: Place, ref: string): ObjectId | undefined {
  const file = join(place.repo.commonDir, ref);
  const lock = `${file}.lock`;
  const fd = disk.openSync(lock, O_WRONLY | O_CREAT | O_EXCL, disk.statSync(file).mode & 0o777);
  let isOurs = true;
  try {
    const oid = readRefs(place.git, [ref]).has(ref) ? undefined : readLastCommit(place, ref);
    if (!oid) return undefined;
    naming(lock, () => {
      writeAll(fd, Buffer.from(`${oid}\n`));
      disk.fsyncSync(fd);
    });
    disk.renameSync(lock, file);
    isOurs = false; // the next one of this name is somebody else's
    return oid;
  } finally {
    disk.closeSync(fd);
    if (isOurs) disk.unlinkSync(lock);
  }
}
