import { join, relative, sep } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { type CheckpointId, type ObjectId, parseCheckpointId, parseObjectId } from '../../base/ids.ts';
import { checkpointDir } from '../../checkpoint/metadata-branch.ts';
import { METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { NOTES_REF } from '../../git/commit/links.ts';
import { readRefsBelow } from '../../git/ref/refs.ts';
import { gitText } from '../../git/run.ts';
import type { Work } from '../../strategy/work.ts';
import { judgeCheckpoint } from './checkpoint.ts';
import type { Verification } from './problem.ts';
import { readTexts, type StoredText } from './texts.ts';
import { findBroken, readAll, walkTree } from './trees.ts';
import { walk } from './walk.ts';

const BRANCH = METADATA_REF.slice('refs/heads/'.length);
const FOLDER = /^([0-9a-f]{2})\/([0-9a-f]{10})\/(.+)$/;

/** The metadata branch at its tip, every checkpoint of it, and with `readData` every text and the older commits. */
export async function checkCheckpoints(verification: Verification): Promise<void> {
  const { work, look, report, step } = verification;
  for (const ref of findBrokenRefs(work)) report({ code: 'ref-broken', where: ref });
  const tip = readRefsBelow(work.git, [METADATA_REF]).get(METADATA_REF);
  if (tip === undefined) return;
  const { files, unreadable } = await walkTree(look, `${tip}^{tree}`, tip.length);
  for (const [path, how] of unreadable)
    report({ code: `object-${how}`, where: path === '' ? BRANCH : `${BRANCH}:${path}` });

  const checkpoints = new Map<CheckpointId, Map<string, ObjectId>>();
  for (const [path, oid] of files) {
    const [, shard = '', rest = '', below = ''] = FOLDER.exec(path) ?? [];
    const id = parseCheckpointId(shard + rest);
    if (!id) continue; // names of later versions are theirs
    const own = checkpoints.get(id) ?? new Map<string, ObjectId>();
    checkpoints.set(id, own.set(below, oid));
  }
  step('Verifying checkpoints', 0, checkpoints.size);
  const kept = [...files].filter(([path]) => FOLDER.test(path));
  const broken = findBroken(
    work.git,
    kept.map(([, oid]) => oid),
  );

  let done = 0;
  for (const some of inGroups([...checkpoints])) {
    const metadata = some.flatMap(([, own]) =>
      [...own].flatMap(([path, oid]) => (/^(\d+\/)?metadata\.json$/.test(path) ? [{ name: oid, path }] : [])),
    );
    const texts = new Map<string, string>();
    for (const { name, data } of await readAll(look, metadata)) {
      if (typeof data === 'string') broken.set(name, data);
      else texts.set(name, data.toString('utf8'));
    }
    for (const [id, own] of some) {
      const dir = `${BRANCH}:${checkpointDir(id)}`;
      for (const problem of judgeCheckpoint({
        id,
        files: own,
        text: (path) => texts.get(own.get(path) ?? ''),
      }))
        report({ ...problem, where: `${dir}/${problem.where}` });
    }
    done += some.length;
    step('Verifying checkpoints', done, checkpoints.size);
  }
  for (const [path, oid] of kept) {
    const how = broken.get(oid);
    if (how) report({ code: `object-${how}`, where: `${BRANCH}:${path}` });
  }
  verification.looked.checkpoints += checkpoints.size;
  if (!verification.readData) return;
  const texts = kept.filter(([, oid]) => !broken.has(oid));
  await readTexts(
    verification,
    texts.map(([path, oid]): StoredText => ({ path, oid, where: `${BRANCH}:${path}` })),
  );
  checkHistory(verification, tip);
}

/** Checkpoints whose metadata is held at once. */
const AT_ONCE = 500;

function* inGroups<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE);
}

/** Older commits of the branch keep what was replaced: whether all their objects are there. */
function checkHistory({ work, report, step }: Verification, tip: ObjectId): void {
  step('Following the history of checkpoints');
  try {
    const lines = gitText(work.git, ['rev-list', '--objects', '--missing=print', tip, '--']).split('\n');
    const missing = lines.filter((line) => line.startsWith('?') && parseObjectId(line.slice(1)));
    if (missing.length > 0)
      report({ code: 'history-incomplete', where: BRANCH, detail: `${missing.length} objects are missing` });
  } catch (error) {
    report({ code: 'history-incomplete', where: BRANCH, detail: (error as Error).message });
  }
}

const PLACES = ['refs/heads/entire/', 'refs/entire/'];

/** Refs of ours whose files say nothing that git understands: it goes on as if they were not there. */
export function findBrokenRefs({ repo, git }: Pick<Work, 'repo' | 'git'>): string[] {
  const read = () => readRefsBelow(git, [...PLACES, NOTES_REF]);
  const unknown = findUnknown(repo.commonDir, read());
  if (unknown.length === 0) return [];
  // A hook may have made one between the two looks, or removed one since.
  const still = new Set(findUnknown(repo.commonDir, read()));
  return unknown.filter((ref) => still.has(ref));
}

/** Files of refs that are not among those that git lists. */
function findUnknown(commonDir: string, known: ReadonlyMap<string, unknown>): string[] {
  const below = PLACES.flatMap((place) =>
    [...walk(join(commonDir, place))].map(({ file }) => relative(commonDir, file).replaceAll(sep, '/')),
  );
  const notes = disk.existsSync(join(commonDir, NOTES_REF)) ? [NOTES_REF] : [];
  return [...below, ...notes].filter((ref) => !known.has(ref) && !ref.endsWith('.lock'));
}
