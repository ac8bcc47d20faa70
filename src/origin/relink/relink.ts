import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { oncePer } from '../../base/once.ts';
import { type CheckpointStore, openCheckpoints } from '../../checkpoint/read/store.ts';
import { readCutOff } from '../../git/commit/commits.ts';
import { type LinkPlace, linkedIds } from '../../git/commit/links.ts';
import { noteCheckpoints } from '../../git/commit/notes.ts';
import { streamPatches } from '../../git/commit/patch-stream.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { readObjects } from '../../git/object/objects.ts';
import { readSizes } from '../../git/object/sizes.ts';
import type { Git } from '../../git/run.ts';
import { withNotesLock } from '../../session/notes-lock.ts';
import { isBinary } from '../../strategy/attribution/texts.ts';
import type { Work } from '../../strategy/work.ts';
import { openIsAbove } from './above.ts';
import { openBringingBack } from './brought-back.ts';
import { type Claim, readAllClaims } from './claim.ts';
import { confirmLines } from './confirm.ts';
import { type NamedBy, openElsewhere } from './elsewhere.ts';
import { openHoldsMore } from './holds-more.ts';
import { openInNameOnly } from './in-name-only.ts';
import type { FoundLine, Match, MatchFacts, ProofKind } from './match.ts';
import { addRestored, openMatcher, type Told, withChances } from './matcher.ts';

/** One checkpoint whose work a commit holds. */
export interface FoundLink {
  readonly checkpoint: CheckpointId;
  readonly proof: ProofKind;
  /** Where lines are the proof, how many. */
  readonly lines: number;
  /** Nothing said so before: neither the message nor a note. */
  readonly isNew: boolean;
}

/** A checkpoint that a commit names, and that nothing proves. */
export interface Unproved {
  readonly checkpoint: CheckpointId;
  readonly place: LinkPlace;
  /**
   * `not-here`: there is no such checkpoint; `no-evidence`: nothing is known of its commit, as of one that was too large; `nothing-of-it`: what its
   * commit held is not in this one
   */
  readonly reason: 'not-here' | 'no-evidence' | 'nothing-of-it';
}

/** What is known of one commit. */
export interface RelinkedCommit {
  readonly commit: ObjectId;
  readonly subject: string;
  readonly found: readonly FoundLink[];
  /** Checkpoints that are named, and that nothing proves: they stay, as what somebody says. */
  readonly unproved: readonly Unproved[];
  /** Checkpoints that each might be the one, and nothing tells which. */
  readonly tied: readonly CheckpointId[];
  /** Checkpoints whose contents fit, and are too short to prove it. */
  readonly possible: readonly CheckpointId[];
  /** Its parent is not here (a shallow clone), so that nobody can say what it changed. */
  readonly isCutOff: boolean;
}

export interface RelinkReport {
  /** The newest first; merges are left out, since they bring nothing of their own. */
  readonly commits: readonly RelinkedCommit[];
  /** Commits that have a new note. */
  readonly written: number;
  readonly isDry: boolean;
  /** There is something to compare with. */
  readonly hasCheckpoints: boolean;
}

/** Which commits are looked at. */
export interface RelinkQuestion {
  /** As `git log` takes it; one name is that commit alone, and without any it is all of HEAD since the first checkpoint. */
  readonly range: string | undefined;
  /** Nothing is written. */
  readonly isDry: boolean;
}

/**
 * Links commits with the checkpoints whose work they hold, where nothing links them: by git notes, so that no commit changes. What is found
 * depends on what is stored alone, so that a clone with the same branches finds the same, and a second run has nothing to do.
 *
 * @returns `undefined` where there are no such commits
 * @throws {EntireError} `GIT_FAILED`, `LOCKED`
 */
export async function relink(
  work: Work,
  { range, isDry }: RelinkQuestion,
): Promise<RelinkReport | undefined> {
  const { git, repo } = work;
  const store = openCheckpoints(git, repo.commonDir);
  const claims = await readAllClaims(store, readCutOff(repo.commonDir));
  const rows = readRows(git, range, claims);
  if (!rows) return undefined;
  const { commits, written } = await linkRows(work, {
    ...{ store, rows, claims, isDry, looksBack: true },
    ...openElsewhere(git, claims),
    isAbove: openIsAbove(git, claims.values()),
    isProposed: false,
  });
  return { commits, written, isDry, hasCheckpoints: claims.size > 0 };
}

/** What is held against each other. */
interface Linking extends Omit<MatchFacts, 'isBinary'> {
  readonly store: CheckpointStore;
  readonly rows: readonly LogRow[];
  readonly claims: ReadonlyMap<CheckpointId, Claim>;
  readonly isDry: boolean;
  /** Whether history is looked through for what commits bring back: nobody waits for that in a hook. */
  readonly looksBack: boolean;
  readonly namedBy?: NamedBy;
}

/** Links some commits with some checkpoints. @throws {EntireError} `GIT_FAILED`, `LOCKED` */
export async function linkRows(
  work: Work,
  linking: Linking,
): Promise<Pick<RelinkReport, 'commits' | 'written'>> {
  const commits = await findLinks(work, linking);
  const links = new Map(
    commits.flatMap(({ commit, found }) => {
      const ids = found.flatMap(({ checkpoint, isNew }) => (isNew ? checkpoint : []));
      return ids.length > 0 ? [[commit, ids] as const] : [];
    }),
  );
  const written = linking.isDry || links.size === 0 ? 0 : await writeLinks(work, links);
  return { commits, written };
}

/** A day, for clocks that differ. */
const SLACK_MS = 24 * 60 * 60 * 1000;

function readRows(
  git: Git,
  range: string | undefined,
  claims: ReadonlyMap<CheckpointId, Claim>,
): LogRow[] | undefined {
  if (range !== undefined) {
    if (range.startsWith('-')) return undefined;
    const single = /\.\.|\^[@!-]|^\^/.test(range) ? [] : ['--no-walk'];
    return readLog(git, { range: ['--no-merges', ...single, range] });
  }
  const made = [...claims.values()].flatMap(({ checkpoint }) =>
    checkpoint.slots.flatMap(({ metadata }) => Date.parse(metadata.createdAt) || []),
  );
  if (made.length === 0) return [];
  const first = made.reduce((a, b) => Math.min(a, b));
  return readLog(git, { range: ['--no-merges', 'HEAD'], since: new Date(first - SLACK_MS) });
}

/** History is looked through for so many at once. */
const AT_ONCE = 500;

/** What is larger is no text that somebody looks at. */
const MAX_TEXT_BYTES = 32 << 20;

function openIsBinary(git: Git): (blob: ObjectId) => boolean {
  return oncePer(
    (blob) => blob,
    (blob) => {
      const size = readSizes(git, [blob]).get(blob) ?? 0;
      return size > MAX_TEXT_BYTES || isBinary(readObjects(git, [blob]).get(blob)?.data ?? Buffer.alloc(0));
    },
  );
}

async function findLinks(
  { git, repo }: Work,
  { store, rows, claims, looksBack, namedBy, ...facts }: Linking,
): Promise<RelinkedCommit[]> {
  const cutOff = readCutOff(repo.commonDir);
  const mayHoldMore = openHoldsMore(claims);
  const owned = new Map(rows.map((row) => [row.oid, ownOf(row, claims)]));
  const isOpen = ({ oid }: LogRow): boolean => {
    const own = owned.get(oid) ?? [];
    return own.length === 0 || mayHoldMore(oid, own);
  };
  const open = rows.filter((row) => !cutOff.has(row.oid) && isOpen(row));
  const bringingBack = looksBack ? await openBringingBack(git, open) : undefined;
  const named = new Map(open.map(({ oid, links }) => [oid, linkedIds(links)]));
  const match = openMatcher([...claims.values()], {
    ...facts,
    isBinary: openIsBinary(git),
    ...(bringingBack && { bringingBack }),
    named: (commit) => named.get(commit) ?? [],
    isOwned: (commit) => (owned.get(commit) ?? []).length > 0,
  });
  const matches = new Map<ObjectId, Match[]>();
  const chances = new Map<ObjectId, readonly Match[]>();
  let unsure: Told['unsure'] = [];
  const inNameOnly = openInNameOnly(git, namedBy, (commit) => named.has(commit));
  const asked = open.map(({ oid, parents }) => ({ commit: oid, parent: parents[0] }));
  for await (const patches of streamPatches(git, asked)) {
    const told = match(patches);
    for (const [commit, found] of told.found) matches.set(commit, found);
    for (const [commit, found] of told.chances) chances.set(commit, found);
    inNameOnly.add(told.unsure);
    unsure = [...unsure, ...told.unsure];
    if (!bringingBack || unsure.length < AT_ONCE) continue;
    addRestored(matches, unsure, bringingBack);
    unsure = [];
  }
  if (bringingBack) addRestored(matches, unsure, bringingBack);
  const confirmed = confirmLines(store, withChances(matches, chances));
  for (const [commit, more] of confirmLines(store, inNameOnly.find(confirmed)))
    confirmed.set(commit, [...(confirmed.get(commit) ?? []), ...more]);
  return rows.map((row) =>
    judge(row, confirmed.get(row.oid) ?? [], { claims, isCutOff: cutOff.has(row.oid) }),
  );
}

/** The checkpoints that a commit names, and that were made for it. */
const ownOf = ({ oid, links }: LogRow, claims: ReadonlyMap<CheckpointId, Claim>): CheckpointId[] =>
  linkedIds(links).filter((id) => claims.get(id)?.versions.some(({ commit }) => commit === oid));

interface JudgeFacts {
  readonly claims: ReadonlyMap<CheckpointId, Claim>;
  readonly isCutOff: boolean;
}

/** What stands for a commit: what its message or a note names first, then what no other checkpoint holds as well. */
function judge(row: LogRow, all: readonly Match[], { claims, isCutOff }: JudgeFacts): RelinkedCommit {
  const { oid: commit, subject } = row;
  const named = linkedIds(row.links);
  const matches = all.filter(({ isChance }) => !isChance);
  const isNamed = ({ claim }: Match): boolean => named.includes(claim.checkpoint.id);
  const inOrder = matches.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const known = inOrder.filter(isNamed);
  const others = inOrder.filter((match) => !isNamed(match));
  const byTools = byToolsIn(inOrder);
  const isOf = ({ text, isByCommand = false }: FoundLine): boolean => !isByCommand || !byTools.has(text);
  const isTaken = linesOf(known, isOf);
  const wholes = known.length > 0 ? [] : others.filter((match) => match.isWhole);
  for (const text of linesOf(wholes, isOf)) isTaken.add(text);
  const open = others.flatMap((match): Match[] => {
    if (match.isWhole) return wholes.includes(match) ? [match] : [];
    const lines = match.lines.filter((line) => isOf(line) && !isTaken.has(line.text));
    return lines.length > 0 ? [{ ...match, lines }] : [];
  });
  const isShared = (match: Match): boolean => {
    if (match.isWhole) return wholes.length > 1;
    const theirs = linesOf(open.filter((other) => other !== match && !other.isWhole));
    return match.lines.every(({ text }) => theirs.has(text));
  };
  const own = ownOf(row, claims);
  const tied = open.filter(isShared).map(({ claim }) => claim.checkpoint.id);
  const proved = [...known, ...open.filter((match) => !isShared(match))];
  const ids = proved.map(({ claim }) => claim.checkpoint.id);
  return {
    ...{ commit, subject, isCutOff },
    found: [
      ...own.map((checkpoint) => ({ checkpoint, proof: 'commit', lines: 0, isNew: false }) as const),
      ...proved
        .filter(({ claim }) => !own.includes(claim.checkpoint.id))
        .map((match) => ({
          checkpoint: match.claim.checkpoint.id,
          proof: match.proof,
          lines: match.isWhole ? 0 : match.lines.length,
          isNew: !isNamed(match),
        })),
    ],
    unproved: row.links.all.flatMap(({ id, place }) =>
      ids.includes(id) || own.includes(id)
        ? []
        : { checkpoint: id, place, reason: whyUnproved(claims.get(id)) },
    ),
    tied: tied.length > 1 ? tied : [],
    possible: all.flatMap(({ claim: { checkpoint }, isChance }) =>
      isChance && !named.includes(checkpoint.id) ? checkpoint.id : [],
    ),
  };
}

function whyUnproved(claim: Claim | undefined): Unproved['reason'] {
  if (!claim) return 'not-here';
  return claim.versions.length > 0 ? 'nothing-of-it' : 'no-evidence';
}

/** By when they were made: the same in every clone. */
const orderOf = ({ claim: { checkpoint } }: Match): string =>
  `${checkpoint.slots[0]?.metadata.createdAt ?? ''} ${checkpoint.id}`;

const linesOf = (matches: readonly Match[], isOf: (line: FoundLine) => boolean = () => true): Set<string> =>
  new Set(matches.flatMap(({ lines }) => lines.filter(isOf).map(({ text }) => text)));

/** Lines that a tool of a session wrote. */
const byToolsIn = (matches: readonly Match[]): Set<string> =>
  linesOf(matches, ({ isByCommand = false }) => !isByCommand);

const writeLinks = (
  { git, repo }: Work,
  links: ReadonlyMap<ObjectId, readonly CheckpointId[]>,
): Promise<number> => withNotesLock(repo.commonDir, () => noteCheckpoints(git, links).length);
