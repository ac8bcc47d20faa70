import { toolOf } from '../../agents/names.ts';
import { agentOf, agentOfType } from '../../agents/registry.ts';
import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { readCheckpoints, type StoredSlot } from '../../checkpoint/read/checkpoint.ts';
import { ownLines, readParts } from '../../checkpoint/read/parts.ts';
import type { CheckpointStore } from '../../checkpoint/read/store.ts';
import type { Git } from '../../git/run.ts';
import type { Work } from '../../strategy/work.ts';
import type { LineClass, LineReason } from '../classify.ts';
import { type LinesQuestion, type OwnedCommit, type OwnedLine, readCommitLines } from '../commit-lines.ts';
import { type Author, type RangeCommit, readAuthors } from '../range.ts';
import { isSetUp } from '../set-up-lines.ts';

/** A session as other formats know it. */
export interface ToldSession {
  readonly sessionId: string;
  /** As metadata call it. */
  readonly agent: string;
  /** What other tools call the agent. */
  readonly tool: string;
  /** The model that worked last in the part that led to the commit; empty where the transcript does not tell. */
  readonly model: string;
  /** Whose models the agent runs, where all are of one. */
  readonly models: string | undefined;
  /** Sorted. */
  readonly checkpoints: readonly CheckpointId[];
}

/** Lines one below the other of which the same holds. */
export interface ToldRange {
  /** From 1, in the file as the commit has it; both are in it. */
  readonly first: number;
  readonly last: number;
  readonly kind: LineClass;
  readonly reason: LineReason;
  readonly session: string | undefined;
  readonly checkpoint: CheckpointId | undefined;
  /** Of a person's lines whose: the author of the commit that brought them. */
  readonly person: Author | undefined;
}

/** What one commit added, and who wrote it, as it is told to others. */
export interface ToldCommit {
  readonly commit: RangeCommit;
  /** By path. */
  readonly files: readonly { readonly path: string; readonly ranges: readonly ToldRange[] }[];
  /** By id. */
  readonly sessions: ReadonlyMap<string, ToldSession>;
  /** Its patch is too large to be read. */
  readonly isUnread: boolean;
  /** The record of it is not in this clone. */
  readonly isMissing: boolean;
}

/** So many commits are held at once. */
const AT_ONCE = 64;

/**
 * Who wrote the lines of commits, in ranges, with what is known of their sessions. What it tells of sessions depends on the record alone, and is
 * the same on each clone that has it. Commits that add no lines are told as well.
 */
export async function* readTold(
  work: Work,
  store: CheckpointStore,
  commits: readonly RangeCommit[],
  question: LinesQuestion,
): AsyncGenerator<ToldCommit> {
  const byId = new Map(commits.map((commit) => [commit.oid, commit]));
  const models = openModels(store);
  let held: OwnedCommit[] = [];
  const tell = async (): Promise<ToldCommit[]> => {
    const authors = readOthers(work.git, held, byId);
    const modelOf = await models(held.flatMap(linesIn));
    return held.map((one) => toTold(byId.get(one.commit) as RangeCommit, one, authors, modelOf));
  };
  const oids = commits.map(({ oid }) => oid);
  for await (const one of readCommitLines(work, oids, question)) {
    held.push({ ...one, files: one.files.filter(({ path, lines }) => !isSetUp(path, lines)) });
    if (held.length < AT_ONCE) continue;
    yield* await tell();
    held = [];
  }
  yield* await tell();
}

const linesIn = ({ files }: OwnedCommit): OwnedLine[] => files.flatMap(({ lines }) => lines);

/** Authors of commits that lines were moved from. */
function readOthers(
  git: Git,
  held: readonly OwnedCommit[],
  known: ReadonlyMap<ObjectId, RangeCommit>,
): (commit: ObjectId) => Author | undefined {
  const moved = new Set(held.flatMap((one) => linesIn(one).map(({ broughtBy }) => broughtBy)));
  const others = readAuthors(
    git,
    [...moved].filter((oid) => !known.has(oid)).map((oid) => ({ oid })),
  );
  return (commit) => (known.get(commit) ?? others.get(commit))?.authorAsWritten;
}

type ModelOf = (session: string, checkpoint: CheckpointId) => string;

/** Reads which models worked, of each session in a checkpoint once. */
function openModels(store: CheckpointStore): (lines: readonly OwnedLine[]) => Promise<ModelOf> {
  const known = new Map<string, string>();
  const keyOf = (session: string, checkpoint: CheckpointId): string => `${checkpoint}/${session}`;
  return async (lines) => {
    const asked = new Map<string, CheckpointId>();
    for (const { origin } of lines) {
      const { sessionId, checkpoint } = origin.session ?? {};
      if (sessionId === undefined || checkpoint === undefined) continue;
      const key = keyOf(sessionId, checkpoint);
      if (!known.has(key)) asked.set(key, checkpoint);
    }
    if (asked.size > 0) {
      const stored = await readCheckpoints(store, [...new Set(asked.values())]);
      const slots = [...stored.values()]
        .flatMap((checkpoint) => checkpoint.slots)
        .filter(({ checkpoint, metadata }) => asked.has(keyOf(metadata.sessionId, checkpoint)));
      for (const batch of readParts(store, slots))
        for (const [slot, parts] of batch)
          known.set(keyOf(slot.metadata.sessionId, slot.checkpoint), lastModel(slot, ownLines(slot, parts)));
    }
    return (session, checkpoint) => known.get(keyOf(session, checkpoint)) ?? '';
  };
}

function lastModel({ metadata }: StoredSlot, text: string): string {
  const agent = agentOfType(metadata.agent);
  const messages = agent ? agentOf(agent).readMessages(text) : [];
  return messages.findLast(({ model }) => model !== undefined)?.model ?? '';
}

function toTold(
  commit: RangeCommit,
  owned: OwnedCommit,
  authorOf: (commit: ObjectId) => Author | undefined,
  modelOf: ModelOf,
): ToldCommit {
  const sessions = new Map<string, ToldSession>();
  for (const { origin } of linesIn(owned)) {
    const { sessionId, agent, checkpoint } = origin.session ?? {};
    if (sessionId === undefined || agent === undefined || checkpoint === undefined) continue;
    const before = sessions.get(sessionId)?.checkpoints ?? [];
    if (before.includes(checkpoint)) continue;
    const checkpoints = [...before, checkpoint].sort();
    const model = checkpoints.map((id) => modelOf(sessionId, id)).findLast(Boolean) ?? '';
    sessions.set(sessionId, { sessionId, agent, ...toolOf(agent), model, checkpoints });
  }
  const files = owned.files
    .filter(({ lines }) => lines.length > 0)
    .map(({ path, lines }) => ({ path, ranges: rangesOf(lines, authorOf) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const isMissing = linesIn(owned).some(({ origin }) => origin.reason === 'checkpoint-missing');
  return { commit, files, sessions, isUnread: owned.isUnread, isMissing };
}

function rangesOf(
  lines: readonly OwnedLine[],
  authorOf: (commit: ObjectId) => Author | undefined,
): ToldRange[] {
  const ranges: ToldRange[] = [];
  for (const { line, broughtBy, origin } of lines) {
    const last = ranges.at(-1);
    const told: ToldRange = {
      ...{ first: line, last: line, kind: origin.kind, reason: origin.reason },
      session: origin.session?.sessionId,
      checkpoint: origin.session?.checkpoint,
      person: origin.kind === 'human' ? authorOf(broughtBy) : undefined,
    };
    if (last && last.last + 1 === line && isSame(last, told))
      ranges[ranges.length - 1] = { ...last, last: line };
    else ranges.push(told);
  }
  return ranges;
}

const isSame = (a: ToldRange, b: ToldRange): boolean =>
  a.kind === b.kind &&
  a.reason === b.reason &&
  a.session === b.session &&
  a.checkpoint === b.checkpoint &&
  a.person?.name === b.person?.name &&
  a.person?.email === b.person?.email;
