import { basename, dirname } from 'node:path';
import type { AgentName } from '../../agents/names.ts';
import type { MessageUsage } from '../../agents/shared/session/message.ts';
import { now, renderUtc } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { addUsage, NO_USAGE } from '../message-facts.ts';
import type { SessionRecord } from '../walk/session-record.ts';
import { readCommitDays } from '../walk/session-work.ts';
import { listSessions } from '../walk/walker.ts';
import { type DayTotals, type SessionTotals, TotalsCache } from './totals.ts';

/** Sums, as `--json` prints them: the names are those of `entire session stats --json`. */
export interface StatsSums {
  readonly sessions: number;
  readonly turns: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_tokens: number;
  readonly cache_read_tokens: number;
  /** In US dollars, of the agents that tell it; `null` where none does. */
  readonly cost_usd: number | null;
  /** Files that tools wrote; a file of two sessions counts twice. */
  readonly files: number;
  /** Commits that name a checkpoint of one of the sessions, which fits them. */
  readonly commits: number;
}

/** The sums of one agent, day or repository. */
export interface StatsRow extends StatsSums {
  /** The agent's name (empty where nothing says whose a session is), the day in UTC, or the folder of the repository, absolute. */
  readonly key: string;
}

/** What sessions came to. */
export interface StatsReport extends StatsSums {
  /** The first day that counts, in UTC; `null` for all there are. */
  readonly since: string | null;
  /** When this was counted: RFC 3339. */
  readonly until: string;
  /** Sessions that could not be read, and are in no sum. */
  readonly unread: number;
  /** The one with the most turns first. */
  readonly by_agent: readonly StatsRow[];
  /** Oldest first. Files are counted in the last day of their session. */
  readonly by_day: readonly StatsRow[];
  /** The one with the most turns first; a folder that is in none stands for itself. */
  readonly by_repository: readonly StatsRow[];
}

export interface StatsOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Only what was said since then: whole days, in UTC. */
  readonly since?: Date;
  /** Only sessions of these agents. Default: all. */
  readonly agents?: readonly AgentName[];
  /** Hears how many of how many sessions are counted. */
  readonly onProgress?: (what: string, done?: number, total?: number) => void;
  /** Hears what cannot be read. */
  readonly onProblem?: (problem: string) => void;
}

/**
 * Sums up sessions: ours and every agent's own. Each transcript that may matter is read once, one after the other; what came of it is
 * kept in `~/.entire/stats-cache.json`, so that the next time only what has changed is read.
 */
export async function buildStats(options: StatsOptions = {}): Promise<StatsReport> {
  const { env = process.env, since, agents, onProgress = () => {}, onProblem = () => {} } = options;
  const firstDay = since?.toISOString().slice(0, 10) ?? '';
  const all = await listSessions({ env, onProblem, ...(agents ? { agents } : {}) });
  const records = all.filter(
    ({ cliOrigin, updatedAt }) =>
      (!agents || (cliOrigin !== '' && agents.includes(cliOrigin))) && updatedAt.slice(0, 10) >= firstDay,
  );
  const cache = new TotalsCache(env);
  const tally = new Tally(firstDay);
  /** Sessions by how they begin: a fork begins as its parent does. */
  const families = new Map<string, Counted[]>();
  let unread = 0;
  for (const [at, record] of records.entries()) {
    onProgress('Counting sessions', at, records.length);
    try {
      const totals = cache.totalsOf(record);
      const family = totals.opening ?? `${at}`;
      families.set(family, [...(families.get(family) ?? []), { record, totals }]);
    } catch {
      unread += 1; // gone meanwhile, broken, or with nothing in it
    }
  }
  for (const family of families.values()) {
    const told = new Set<string>();
    // What was written first is the parent, as far as anybody can tell.
    for (const { record, totals } of family.toReversed()) {
      try {
        const { days, files } = family.length === 1 ? totals : cache.ownTotalsOf(record, told);
        tally.take(record, days, files);
      } catch {
        unread += 1; // gone meanwhile
      }
    }
  }
  cache.save(since === undefined && agents === undefined);
  await tally.takeCommits(onProgress, onProblem);
  return { since: firstDay || null, until: renderUtc(now()), unread, ...tally.report() };
}

interface Counted {
  readonly record: SessionRecord;
  readonly totals: SessionTotals;
}

/** Sums that grow. */
class Sums {
  sessions = 0;
  turns = 0;
  usage: MessageUsage = NO_USAGE;
  files = 0;
  readonly commits = new Set<string>();

  add({ turns, usage }: Pick<DayTotals, 'turns' | 'usage'>): void {
    this.turns += turns;
    this.usage = addUsage(this.usage, usage);
  }

  toJson(): StatsSums {
    const { sessions, turns, usage, files, commits } = this;
    const { cost_usd = null, ...tokens } = usage;
    return { sessions, turns, ...tokens, cost_usd, files, commits: commits.size };
  }
}

class Tally {
  private readonly firstDay: string;
  private readonly total = new Sums();
  private readonly agents = new Map<string, Sums>();
  private readonly days = new Map<string, Sums>();
  private readonly repositories = new Map<string, Sums>();
  /** Repositories by folder: many sessions are of one. */
  private readonly located = new Map<string, { key: string; repo: Repo | undefined }>();
  private readonly waiting = new Map<string, { repo: Repo; sessions: Map<string, string> }>();

  constructor(firstDay: string) {
    this.firstDay = firstDay;
  }

  take(record: SessionRecord, days: readonly DayTotals[], files: readonly string[]): void {
    const counted = days.filter(({ day }) => day >= this.firstDay);
    const last = counted.at(-1);
    if (!last) return;
    const { key, repo } = this.locate(record.folder);
    const groups = [this.total, sumsOf(this.agents, record.cliOrigin), sumsOf(this.repositories, key)];
    for (const sums of groups) {
      sums.sessions += 1;
      sums.files += files.length;
      for (const day of counted) sums.add(day);
    }
    for (const day of counted) {
      const sums = sumsOf(this.days, day.day);
      sums.sessions += 1;
      sums.add(day);
    }
    sumsOf(this.days, last.day).files += files.length;
    if (!repo) return;
    const { sessions } = this.waiting.get(key) ?? { sessions: new Map<string, string>() };
    sessions.set(record.agentSessionId ?? record.sessionId, record.cliOrigin);
    this.waiting.set(key, { repo, sessions });
  }

  async takeCommits(
    onProgress: NonNullable<StatsOptions['onProgress']>,
    onProblem: NonNullable<StatsOptions['onProblem']>,
  ): Promise<void> {
    let done = 0;
    for (const [key, { repo, sessions }] of this.waiting) {
      onProgress('Counting commits', done++, this.waiting.size);
      try {
        await this.takeCommitsOf(key, repo, sessions);
      } catch (error) {
        // Somebody else's, damaged, or on a disk that is gone: one of many.
        onProblem(`commits of ${key} are not counted: ${describeError(error).split('\n')[0]}`);
      }
    }
  }

  private async takeCommitsOf(key: string, repo: Repo, sessions: ReadonlyMap<string, string>): Promise<void> {
    for (const { commit, day, session } of await readCommitDays(repo, [...sessions.keys()])) {
      if (day < this.firstDay) continue;
      this.total.commits.add(commit);
      sumsOf(this.repositories, key).commits.add(commit);
      sumsOf(this.days, day).commits.add(commit);
      sumsOf(this.agents, sessions.get(session) ?? '').commits.add(commit);
    }
  }

  report(): Omit<StatsReport, 'since' | 'until' | 'unread'> {
    const rows = (sums: ReadonlyMap<string, Sums>): StatsRow[] =>
      [...sums].map(([key, one]) => ({ key, ...one.toJson() }));
    const byTurns = (a: StatsRow, b: StatsRow): number => b.turns - a.turns || (a.key < b.key ? -1 : 1);
    return {
      ...this.total.toJson(),
      by_agent: rows(this.agents).sort(byTurns),
      by_day: rows(this.days).sort((a, b) => (a.key < b.key ? -1 : 1)),
      by_repository: rows(this.repositories).sort(byTurns),
    };
  }

  private locate(folder: string | undefined): { key: string; repo: Repo | undefined } {
    const known = this.located.get(folder ?? '');
    if (known) return known;
    const repo = folder === undefined ? undefined : locateIfThere(folder);
    const main = repo && basename(repo.commonDir) === '.git' ? dirname(repo.commonDir) : repo?.worktreeRoot;
    const found = { key: main ?? folder ?? '', repo };
    this.located.set(folder ?? '', found);
    return found;
  }
}

function sumsOf(groups: Map<string, Sums>, key: string): Sums {
  const sums = groups.get(key) ?? new Sums();
  groups.set(key, sums);
  return sums;
}

/** The folder may be gone, or be no path at all: a transcript names it. */
function locateIfThere(folder: string): Repo | undefined {
  try {
    return locateRepo(folder);
  } catch {
    return undefined;
  }
}
