import { join } from 'node:path';
import { disk, listNames } from '../../base/file/disk.ts';
import { readWorktreeText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { type ObjectId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { redactJsonLines, redactText } from '../../checkpoint/redact/redact.ts';
import { listTracked } from '../../checkpoint/remote-refs.ts';
import { hasSecretMessage, rewriteBranch, sweepWorkshop } from '../../checkpoint/scrub-history.ts';
import { changesAt, scrubRecords } from '../../checkpoint/scrub-records.ts';
import { isShadowBranch, METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { retryWhenMoved, writeCommit } from '../../git/object/objects.ts';
import { readIdentity, readRef } from '../../git/ref/refs.ts';
import { gitText } from '../../git/run.ts';
import { listWorktreeRoots } from '../../git/worktree/worktrees.ts';
import { withSessionLock } from '../../session/lock.ts';
import {
  listTaskRecords,
  type RunningTask,
  readTaskRecord,
  writeTaskRecord,
} from '../../session/record/task-record.ts';
import { dropSearchIndexes } from '../../session/search-cache.ts';
import { archiveState, isArchived, listStates, readState, writeState } from '../../session/state-store.ts';
import type { Work } from '../work.ts';
import { scrubSteps } from './steps.ts';

/** What `entire scrub` did, or would do. */
export interface ScrubReport extends ScrubbedSessions {
  readonly dryRun: boolean;
  /** Places by the rule that had them replaced. */
  readonly counts: Readonly<Record<string, number>>;
  /** Texts looked at in git objects. */
  readonly looked: number;
  /** Texts that today's rules change, in all commits. */
  readonly found: number;
  /** Objects that the repository lacks. */
  readonly missing: number;
  readonly branches: ReadonlyArray<{
    readonly name: string;
    readonly done: 'nothing' | 'commit' | 'rewritten';
    /** Older commits hold such texts still. */
    readonly olderCommits: boolean;
  }>;
  /** Transcript caches deleted; hooks make them again. */
  readonly caches: number;
  /** Records for undo in which a prompt changed. */
  readonly steps: number;
  /** Log files changed. */
  readonly logs: number;
  /** Remotes that have the metadata branch, as far as this clone knows. */
  readonly remotes: readonly string[];
}

/** What is asked of a scrub. */
interface ScrubWish {
  readonly dryRun: boolean;
  readonly rewrite: boolean;
}

/** One scrub at a time writes branches again. */
export const SCRUB_LOCK = 'scrub' as SessionId;

/**
 * Applies today's rules to what was stored before. Temporary branches are written again; the metadata branch gets a commit
 * on top, or with `rewrite` is written again, too. Killed at any moment, each branch is as before or as after.
 *
 * @throws {EntireError} `REDACTION_FAILED`, `REF_MOVED`, `GIT_FAILED`, `LOCKED`
 */
export const scrub = (work: Work, root: string, wish: ScrubWish): Promise<ScrubReport> =>
  wish.dryRun
    ? scrubAll(work, root, wish)
    : withSessionLock(join(work.repo.commonDir, 'entire'), SCRUB_LOCK, () => scrubAll(work, root, wish));

async function scrubAll(work: Work, root: string, { dryRun, rewrite }: ScrubWish): Promise<ScrubReport> {
  const { git } = work;
  if (!dryRun) sweepWorkshop(git);
  const refs = listBranches(work);
  const { blobs, texts, counts } = await scrubRecords(git, [...refs.keys()]);
  const branches: Array<ScrubReport['branches'][number]> = [];
  for (const [ref, tip] of refs) {
    const name = ref.slice('refs/heads/'.length);
    const isMetadata = ref === METADATA_REF;
    const holds = (blobs.size > 0 && holdsAny(work, ref, blobs)) || (await hasSecretMessage(git, ref));
    const rewritten = holds && (!isMetadata || rewrite);
    const atTip = holds && changesAt(git, tip, blobs).length > 0;
    if (!dryRun && rewritten) await rewriteBranch(git, ref, tip, blobs);
    else if (!dryRun && atTip) commitOnTop(work, blobs);
    const done = rewritten ? 'rewritten' : atTip ? 'commit' : 'nothing';
    branches.push({ name, done, olderCommits: holds && !rewritten });
  }
  return {
    dryRun,
    counts,
    ...texts,
    branches,
    caches: await dropCaches(work, dryRun),
    ...(await scrubSessions(work, dryRun)),
    steps: await scrubSteps(work, dryRun),
    logs: await scrubLogs(work, root, dryRun),
    remotes: listRemotes(work),
  };
}

function listBranches({ git }: Work): Map<string, ObjectId> {
  const format = '--format=%(refname) %(objectname)';
  const lines = gitText(git, ['for-each-ref', format, 'refs/heads/entire/']).trim().split('\n');
  const all = lines.filter(Boolean).map((line) => line.split(' ') as [string, ObjectId]);
  return new Map(
    all.filter(([ref]) => ref === METADATA_REF || isShadowBranch(ref.slice('refs/heads/'.length))),
  );
}

function holdsAny({ git }: Work, ref: string, blobs: ReadonlyMap<ObjectId, Buffer>): boolean {
  const listed = gitText(git, ['rev-list', '--objects', '--missing=allow-any', ref, '--']).split('\n');
  return listed.some((line) => blobs.has((line.split(' ')[0] ?? '') as ObjectId));
}

function commitOnTop({ git }: Work, blobs: ReadonlyMap<ObjectId, Buffer>): void {
  retryWhenMoved(() => {
    const tip = readRef(git, METADATA_REF);
    const changes = tip ? changesAt(git, tip, blobs) : [];
    if (!tip || changes.length === 0) return;
    writeCommit(git, {
      ref: METADATA_REF,
      parent: tip,
      changes,
      message: 'Redact what was stored by older rules\n',
      author: readIdentity(git),
    });
  });
}

/** All of them: whether older rules made one is in its index, and the next hook makes it again. */
async function dropCaches(work: Work, dryRun: boolean): Promise<number> {
  const folder = join(work.repo.commonDir, 'entire', 'transcripts');
  const names = disk.existsSync(folder) ? disk.readdirSync(folder) : [];
  for (const name of dryRun ? [] : names) {
    const drop = () => disk.rmSync(join(folder, name), { recursive: true, force: true });
    const session = parseSessionId(name);
    if (session) await withSessionLock(work.sessions, session, drop);
    else drop();
  }
  if (!dryRun) dropSearchIndexes(work.repo.commonDir);
  return names.length;
}

/** Of every worktree: each has a log of its own. */
async function scrubLogs({ repo }: Work, root: string, dryRun: boolean): Promise<number> {
  let changed = 0;
  for (const top of new Set([root, repo.worktreeRoot, ...listWorktreeRoots(repo)]))
    for (const name of ['entire.log', 'entire.log.1']) {
      const text = readWorktreeText(top, `.entire/logs/${name}`, 'log') ?? '';
      const redacted = await redactJsonLines(text);
      if (redacted === text) continue;
      changed++;
      if (!dryRun) writeFileAtomic(join(top, '.entire', 'logs', name), redacted);
    }
  return changed;
}

function listRemotes({ git }: Work): string[] {
  const tracked = listTracked(git);
  const named = new Set(tracked.flatMap(({ remote }) => remote ?? []));
  const hasNameless = tracked.some(({ remote }) => remote === undefined);
  return [...named, ...(hasNameless ? ['that checkpoint_remote or a pushurl names'] : [])];
}

/** What became of sessions. */
export interface ScrubbedSessions {
  /** Session states whose first prompt changed. */
  readonly states: number;
  /** State files that cannot be read, set aside or not: they were left. */
  readonly unreadable: number;
  /** Records of sub-agents in which a description changed. */
  readonly tasks: number;
}

/**
 * What states say of prompts, and records of sub-agents of what they were asked, by today's rules. Under the lock of each
 * session: a hook of it may write at this moment.
 */
export async function scrubSessions(work: Work, dryRun: boolean): Promise<ScrubbedSessions> {
  const { repo, sessions } = work;
  const { states, unreadable } = listStates(sessions);
  const ids = states.flatMap(({ sessionId }) => parseSessionId(sessionId) ?? []);
  const scrubEach = async (each: readonly SessionId[], scrubOne: (id: SessionId) => Promise<boolean>) => {
    let changed = 0;
    for (const id of each) {
      const one = () => scrubOne(id);
      if (await (dryRun ? one() : withSessionLock(sessions, id, one))) changed++;
    }
    return changed;
  };
  return {
    states: await scrubEach(ids, (id) => scrubState(work, id, dryRun)),
    unreadable: unreadable.length + listNames(sessions).filter((name) => /\.corrupt-\d+$/.test(name)).length,
    tasks: await scrubEach(listTaskRecords(repo.commonDir), (id) => scrubTasks(work, id, dryRun)),
  };
}

async function scrubState({ sessions }: Work, id: SessionId, dryRun: boolean): Promise<boolean> {
  const state = readState(sessions, id);
  const firstPrompt = await redactText(state?.firstPrompt ?? '');
  if (!state || firstPrompt === state.firstPrompt) return false;
  if (dryRun) return true;
  const wasArchived = isArchived(sessions, id);
  writeState(sessions, { ...state, firstPrompt });
  if (wasArchived) archiveState(sessions, id, () => true);
  return true;
}

async function scrubTasks({ repo }: Work, id: SessionId, dryRun: boolean): Promise<boolean> {
  const record = readTaskRecord(repo.commonDir, id);
  const running: RunningTask[] = [];
  for (const task of record.running)
    running.push({ ...task, description: await redactText(task.description) });
  if (running.every(({ description }, at) => description === record.running[at]?.description)) return false;
  if (!dryRun) writeTaskRecord(repo.commonDir, id, { ...record, running });
  return true;
}
