import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { lineDigest } from '../../checkpoint/evidence.ts';
import { type FilePatch, type Patch, readPatches } from '../../git/commit/patch.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { type Git, inBatchesOrAll, runGit, splitNul } from '../../git/run.ts';

/** By commit, the digests of lines that it brings back. */
export type BroughtBack = ReadonlyMap<ObjectId, ReadonlySet<string>>;

/** Tells what commits bring back that was there before, below them. */
export interface BringingBack {
  /** By what they say that they revert. */
  readonly reverted: BroughtBack;
  /** Files that some of these commits made what they had been: their lines. One process. */
  restored(patches: readonly Patch[]): BroughtBack;
}

export const openBringingBack = (git: Git, rows: readonly LogRow[]): BringingBack => ({
  reverted: readReverted(git, rows),
  restored: (patches) => readRestored(git, patches),
});

const REVERTS = /\bThis reverts commit ([0-9a-f]{7,64})\b/g;
const SUBJECT = /^(Revert|Reapply) "(.*)"$/;

/**
 * What commits may bring back. Git says so in their messages; that counts only for commits below them, and their lines have to be there. One
 * that was rebased has another id than the message says: then all with the subject that it names are looked at. No process where no
 * message says so, else two.
 */
function readReverted(git: Git, rows: readonly LogRow[]): BroughtBack {
  const reverting = rows.filter(({ message }) => message.search(REVERTS) !== -1);
  if (reverting.length === 0) return new Map();
  // Of those below them, whatever else there is in this clone: another one finds the same.
  const below = readLog(git, { range: ['--no-merges', ...reverting.map(({ oid }) => oid)] }) ?? [];
  const wanted = new Map(reverting.map((row) => [row.oid, findReverted(row, below)]));
  const asked = [...new Map([...wanted.values()].flat().map((row) => [row.oid, row])).values()];
  const patches = readPatches(
    git,
    asked.map(({ oid, parents }) => ({ commit: oid, parent: parents[0] })),
  );
  const removed = new Map(
    patches.map(({ commit, files }) => [
      commit,
      files.flatMap((file) => file.removed.flatMap((line) => lineDigest(line) ?? [])),
    ]),
  );
  return new Map(
    [...wanted].map(([oid, of]) => [oid, new Set(of.flatMap((row) => removed.get(row.oid) ?? []))]),
  );
}

function findReverted({ oid, message, subject }: LogRow, below: readonly LogRow[]): LogRow[] {
  const others = below.slice(below.findIndex((row) => row.oid === oid) + 1);
  const ids = [...message.matchAll(REVERTS)].map(([, id]) => id as string);
  const found = others.filter((row) => ids.some((id) => row.oid.startsWith(id)));
  if (found.length >= ids.length) return found;
  const [, word, name] = SUBJECT.exec(subject) ?? [];
  const former = word === 'Reapply' ? `Revert "${name}"` : name;
  return former === undefined ? found : others.filter((row) => row.subject === former || found.includes(row));
}

/** Blobs that a path had below a commit, and has again. */
function readRestored(git: Git, patches: readonly Patch[]): BroughtBack {
  const made = patches.filter(({ files }) => files.some(({ after }) => after));
  const paths = [...new Set(made.flatMap(({ files }) => files.map(({ path }) => path)))];
  const shown = ['-z', '--no-show-signature', '--no-color', '--raw', '--no-abbrev', '--no-renames'];
  const which = ['--topo-order', '--full-history', '--no-merges', '--format=%H', '--stdin', '--'];
  const input = made.map(({ commit }) => `${commit}\n`).join('');
  const order = new Map<ObjectId, number>();
  const last = new Map<string, number>();
  for (const batch of inBatchesOrAll(paths)) {
    const tokens = splitNul(runGit(git, ['log', ...shown, ...which, ...batch], { input }).stdout);
    let place = 0;
    tokens.forEach((token, at) => {
      const commit = parseObjectId(token.trim());
      if (commit) {
        place = order.get(commit) ?? order.size;
        order.set(commit, place);
      }
      const [, blob] = RAW.exec(token) ?? [];
      if (blob) last.set(`${tokens[at + 1]}\0${blob}`, place);
    });
  }
  const isRestored = (commit: ObjectId, { path, after }: FilePatch): boolean =>
    after !== undefined && (last.get(`${path}\0${after}`) ?? -1) > (order.get(commit) ?? Infinity);
  return new Map(
    made.flatMap(({ commit, files }) => {
      const restored = files.filter((file) => isRestored(commit, file));
      const lines = restored.flatMap(({ added }) => added.flatMap((run) => run.lines));
      return lines.length > 0
        ? [[commit, new Set(lines.flatMap((line) => lineDigest(line) ?? []))] as const]
        : [];
    }),
  );
}

/** A row that says what a path has come to. */
const RAW = /^\s*:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /;
