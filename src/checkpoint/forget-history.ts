import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { asText, isObject, parseJson } from '../base/text/json.ts';
import { type Change, readObjects, renderChange } from '../git/object/objects.ts';
import { updateRefs } from '../git/ref/refs.ts';
import { type Git, gitText, runGit, splitNul } from '../git/run.ts';
import { exportBranch, importBranch, render } from './branch-stream.ts';
import { parseRootKeys, parseSlot, renderMergedRoot, type SlotMetadata } from './metadata-json.ts';

/** A file of a checkpoint, by its path in it. */
export type SlotFile = { readonly path: string; readonly mode: string; readonly oid: ObjectId };

/** What becomes of a session's slot: its files anew, or nothing. */
export type SlotMaker = (
  metadata: SlotMetadata,
  files: readonly SlotFile[],
) => Promise<{ readonly metadata: SlotMetadata; readonly files: readonly Change[] } | undefined>;

const ofSession = (message: string, sessionId: string): boolean =>
  message.split('\n').some((line) => line === `Entire-Session: ${sessionId}`);

/**
 * Writes a shadow branch again without the steps of a session that `isGone` names; the steps of others stand on each other as they
 * did. Nothing is left of a branch on which nothing stands.
 *
 * @param baseTree the tree of the commit that the branch is about
 * @throws {EntireError} `REF_MOVED`
 */
export function forgetSteps(
  git: Git,
  {
    ref,
    tip,
    baseTree,
  }: { readonly ref: string; readonly tip: ObjectId; readonly baseTree: ObjectId | undefined },
  sessionId: string,
  {
    folder,
    isGone,
    dropsPath,
  }: {
    readonly folder: string;
    readonly isGone: (step: ObjectId) => boolean;
    readonly dropsPath: (path: string) => boolean;
  },
): 'nothing' | 'rewritten' | 'deleted' {
  const commits = exportBranch(git, ref);
  const gone = new Set(
    commits
      .filter(({ message, original }) => ofSession(message, sessionId) && isGone(original))
      .map(({ mark }) => mark),
  );
  const kept = commits.filter(({ mark }) => !gone.has(mark));
  const holds = (line: string): boolean => {
    const path = /^(?:M \d+ [0-9a-f]+|D) "?(.*?)"?$/.exec(line)?.[1] ?? '';
    return path.startsWith(`${folder}/`) || dropsPath(path);
  };
  if (gone.size === 0 && !kept.some(({ changes }) => changes.some(holds))) return 'nothing';
  const last = kept.at(-1);
  if (!last) {
    updateRefs(git, [{ ref, from: tip, to: undefined }]);
    return 'deleted';
  }
  const parentOf = new Map(commits.map(({ mark, parents }) => [mark, parents[0]]));
  const standing = (mark: string | undefined): string | undefined => {
    let at = mark;
    while (at !== undefined && gone.has(at)) at = parentOf.get(at);
    return at;
  };
  const written = kept.map((commit) => {
    const parent = standing(commit.parents[0]);
    const isFirst = parent === undefined && commit.parents.length > 0;
    const start = isFirst && baseTree ? [Buffer.from(`M 040000 ${baseTree} \n`)] : [];
    const changes = commit.changes.filter((line) => !holds(line)).map((line) => Buffer.from(`${line}\n`));
    const parents = parent === undefined ? [] : [parent];
    // A step without the folder says so, as one that was carried forward does.
    const message = commit.message.replace(`\nEntire-Metadata: ${folder}\n`, '\nEntire-Metadata: \n');
    return render(commit, { message, parents, changes: [...start, ...changes] });
  });
  importBranch(git, ref, tip, written, last.mark);
  return 'rewritten';
}

/** The checkpoints that ever had a slot of a session, in all commits of a branch, or of a range as `git rev-list` takes it. */
export function findCheckpointsOf(git: Git, range: readonly string[], sessionId: string): CheckpointId[] {
  const lines = gitText(git, ['rev-list', '--objects', '--missing=allow-any', ...range, '--']).split('\n');
  const listed = lines.flatMap((line) => {
    const [, oid = '', shard = '', rest = ''] =
      /^([0-9a-f]+) ([0-9a-f]{2})\/([0-9a-f]{10})\/\d+\/metadata\.json$/.exec(line) ?? [];
    return oid === '' ? [] : [{ oid, id: `${shard}${rest}` as CheckpointId }];
  });
  const objects = readObjects(
    git,
    listed.map(({ oid }) => oid),
  );
  const isIts = (oid: string) => sessionIn(objects.get(oid)?.data) === sessionId;
  return [...new Set(listed.filter(({ oid }) => isIts(oid)).map(({ id }) => id))];
}

const sessionIn = (json: Buffer | undefined): string => {
  const value = parseJson(json?.toString('utf8') ?? '');
  return isObject(value) ? asText(value.session_id) : '';
};

/**
 * Writes all commits of the metadata branch again, in each the checkpoints that had something of a session made anew.
 *
 * @param make what becomes of its slots
 * @returns how many checkpoints are another one than before
 * @throws {EntireError} `REF_MOVED` when somebody moved the branch meanwhile; it is as it was then
 */
export async function forgetSlots(
  git: Git,
  { ref, tip }: { readonly ref: string; readonly tip: ObjectId },
  sessionId: string,
  checkpoints: readonly CheckpointId[],
  make: SlotMaker,
): Promise<number> {
  const dirs = new Map(checkpoints.map((id) => [`${id.slice(0, 2)}/${id.slice(2)}`, id]));
  const commits = exportBranch(git, ref);
  const written: Buffer[] = [];
  const changed = new Set<string>();
  for (const commit of commits) {
    const touched = new Set<string>();
    const changes = commit.changes.filter((line) => {
      const dir = /^(?:M \d+ [0-9a-f]+|D) ([0-9a-f]{2}\/[0-9a-f]{10})(?:\/|$)/.exec(line)?.[1];
      if (dir === undefined || !dirs.has(dir)) return true;
      touched.add(dir);
      return false;
    });
    const remade: Buffer[] = [];
    for (const dir of touched) {
      remade.push(Buffer.from(`D ${dir}\n`));
      const noting: SlotMaker = async (metadata, files) => {
        const made = await make(metadata, files);
        if (!made?.files.every((file) => 'oid' in file)) changed.add(dir);
        return made;
      };
      for (const change of await remake(git, commit.original, dir, sessionId, noting))
        remade.push(
          ...renderChange({ ...change, path: `${dir}/${change.path}` }).map((part) => Buffer.from(part)),
        );
    }
    const message = ofSession(commit.message, sessionId) ? 'Forgotten\n' : commit.message;
    const lines = changes.map((line) => Buffer.from(`${line}\n`));
    written.push(render(commit, { message, parents: commit.parents, changes: [...lines, ...remade] }));
  }
  importBranch(git, ref, tip, written, commits.at(-1)?.mark ?? '');
  return changed.size;
}

/** A checkpoint as it was in a commit, with the slots of a session made anew, and its tasks left out. */
async function remake(
  git: Git,
  commit: ObjectId,
  dir: string,
  sessionId: string,
  make: SlotMaker,
): Promise<Change[]> {
  const listed = splitNul(runGit(git, ['ls-tree', '-r', '-z', '--full-tree', commit, `${dir}/`]).stdout);
  const files = listed.flatMap((line): SlotFile[] => {
    const [, mode = '', oid = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    return mode === '' ? [] : [{ path: path.slice(dir.length + 1), mode, oid: oid as ObjectId }];
  });
  const told = files.filter(({ path }) => /(?:^|\/)(?:metadata|checkpoint)\.json$/.test(path));
  const objects = readObjects(
    git,
    told.map(({ oid }) => oid),
  );
  const textOf = (path: string): string | undefined => {
    const oid = files.find((file) => file.path === path)?.oid;
    return oid && objects.get(oid)?.data.toString('utf8');
  };
  const slots: Array<{ metadata: SlotMetadata; files: readonly Change[] }> = [];
  const numbers = new Set(files.flatMap(({ path }) => /^(\d+)\//.exec(path)?.[1] ?? []));
  for (const number of [...numbers].sort((a, b) => Number(a) - Number(b))) {
    const own = files
      .filter(({ path }) => path.startsWith(`${number}/`))
      .map((file) => ({ ...file, path: file.path.slice(number.length + 1) }));
    const metadata = tryParse(textOf(`${number}/metadata.json`));
    if (!metadata) continue; // what cannot be read may be anybody's
    const made =
      metadata.sessionId === sessionId
        ? await make(metadata, own)
        : { metadata, files: own.map((file) => file as Change) };
    if (made) slots.push(made);
  }
  const ofOthers = files.filter(({ path }) => {
    const task = /^tasks\/[^/]+\//.exec(path)?.[0];
    if (/^\d+\//.test(path) || path === 'metadata.json') return false;
    return task === undefined || sessionIn(Buffer.from(textOf(`${task}checkpoint.json`) ?? '')) !== sessionId;
  });
  if (slots.length === 0) return [];
  const has = (made: readonly Change[], name: string) => made.some(({ path }) => path === name);
  const root = renderMergedRoot(
    slots.map(({ metadata, files: made }) => ({
      metadata,
      files: { hasPrompt: has(made, 'prompt.txt'), hasContext: has(made, 'context.md') },
    })),
    parseRootKeys(textOf('metadata.json')),
  );
  return [
    ...slots.flatMap(({ files: made }, number) =>
      made.map((change) => ({ ...change, path: `${number}/${change.path}` })),
    ),
    ...ofOthers.map((file) => file as Change),
    { path: 'metadata.json', mode: '100644', data: root },
  ];
}

function tryParse(json: string | undefined): SlotMetadata | undefined {
  try {
    return json === undefined ? undefined : parseSlot(json);
  } catch {
    return undefined;
  }
}
