import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSession } from '../agent/session.ts';
import { AgentSession as Session } from '../agent/session.ts';
import { BUILDS, type Build } from '../process/builds.ts';
import { TestRepo } from '../repository/test-repo.ts';
import type { Case } from './case.ts';
import { goOn } from './go-on.ts';
import { FaultyHost } from './host.ts';
import { type Fault, faultsOf } from './kinds.ts';
import { brokenFiles, classOf, debris, pathsInCheckpoints, pathsOnRecord, userBytes } from './observe.ts';

const [native] = BUILDS as [Build];
const SESSION = 'faulty-session';
/** Runs after which everything is looked at, whatever the fault left. */
const EVERY = 10;

export interface Counts {
  readonly hook: string;
  /** Operations of the hook when nothing fails. */
  readonly operations: number;
  readonly runs: Partial<Record<Fault, number>>;
  /** Runs after which the session went on to a linked commit, and git checked its objects. */
  followed: number;
  /** What went wrong, in words. */
  readonly problems: readonly string[];
}

/** Which of the runs are made: all of them, or the ones that a short test has time for. */
export type Choice = (run: { at: number; fault: Fault; index: number }) => boolean;

/**
 * Runs one hook again and again, each time with another operation failing in another way, until a run gets through
 * without meeting its fault. Returns the counts, and what is wrong.
 */
export function runCase(theCase: Case, choose: Choice): Counts {
  const lab = new Lab(theCase);
  const { problems, operations } = lab;
  try {
    const counts: Counts = {
      hook: theCase.name,
      operations: operations.length,
      runs: {},
      followed: 0,
      problems,
    };
    let index = 0;
    for (let at = 1, reached = true; reached; at++) {
      const operation = lab.operations[at - 1] ?? 'git none'; // past the end every fault goes by
      reached = at <= lab.operations.length;
      for (const fault of faultsOf(operation)) {
        if (reached && !choose({ at, fault, index: index++ })) continue;
        reached = lab.run(fault, at, operation) || reached;
        counts.runs[fault] = (counts.runs[fault] ?? 0) + 1;
        if (at > lab.operations.length) break;
      }
    }
    counts.followed = lab.followed;
    return counts;
  } finally {
    lab.repo.remove();
  }
}

/** One repository at the moment before the hook, to which every run goes back. */
class Lab {
  readonly repo = new TestRepo(native).ready();
  readonly problems: string[] = [];
  readonly operations: readonly string[];
  followed = 0;

  private readonly theCase: Case;
  private readonly pristine: string;
  private readonly before: Map<string, string>;
  private readonly classes = new Set<string>();
  private runs = 0;

  constructor(theCase: Case) {
    this.theCase = theCase;
    const { repo } = this;
    const session = repo.session(SESSION);
    theCase.arrange(repo, session);
    this.pristine = join(repo.scratch, 'pristine');
    for (const name of ['repo', 'home']) {
      cpSync(join(repo.scratch, name), join(this.pristine, name), {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      });
    }
    this.before = userBytes(repo, theCase.mayChange);
    this.restore();
    const host = new FaultyHost(repo);
    theCase.act(host, new Session(host, SESSION));
    this.operations = host.operations;
    this.check(host, 'without a fault', undefined, true);
  }

  /** @returns whether the hook got as far as the fault */
  run(fault: Fault, at: number, operation: string): boolean {
    this.restore();
    const host = new FaultyHost(this.repo, { kind: fault, at });
    this.theCase.act(host, new Session(host, SESSION));
    const reached = host.operations.length >= at;
    const met = host.operations[at - 1] ?? operation; // waiting for a lock, for one, takes an operation more or less
    const label = `${fault} at ${at} (${met.replaceAll(this.repo.scratch, '')})`;
    this.check(
      host,
      label,
      reached ? { fault, operation: met } : undefined,
      ++this.runs % EVERY === 0 || !reached,
    );
    return reached;
  }

  private restore(): void {
    for (const name of ['repo', 'home']) {
      const place = join(this.repo.scratch, name);
      rmSync(place, { recursive: true, force: true });
      cpSync(join(this.pristine, name), place, {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      });
    }
  }

  private check(
    host: FaultyHost,
    label: string,
    met: { fault: Fault; operation: string } | undefined,
    thoroughly: boolean,
  ): void {
    const say = (problem: string) => this.problems.push(`${label}: ${problem}`);
    try {
      this.checkAtOnce(host, met, say);
      const kind = `${met?.fault === 'killed'} ${this.isReported()} ${classOf(this.repo)}`;
      const isNew = !this.classes.has(kind);
      this.classes.add(kind);
      if (isNew || thoroughly) this.checkLater(met, say);
    } catch (error) {
      say(`the checks stopped: ${String(error)}`);
    }
  }

  private checkAtOnce(
    { last }: FaultyHost,
    met: { fault: Fault; operation: string } | undefined,
    say: (problem: string) => void,
  ): void {
    const killed = met?.fault === 'killed';
    if (last.code !== (killed ? null : 0)) say(`exit ${last.code} ${last.stderr}`);
    // A disk that is full takes a part of an answer; nothing can be done about that.
    const torn = killed || (met?.operation.startsWith('writeSync 1') && met.fault === 'ENOSPC');
    if (!torn && !isDocumentedReply(last.stdout)) say(`stdout: ${last.stdout}`);
    if (/\n {4}at /.test(last.stderr)) say(`a stack on stderr: ${last.stderr}`);

    const after = userBytes(this.repo, this.theCase.mayChange);
    const paths = new Set([...this.before.keys(), ...after.keys()]);
    for (const path of paths) if (this.before.get(path) !== after.get(path)) say(`changed ${path}`);
    const left = debris(this.repo).filter((name) => !isExcused(name, met));
    if (left.length > 0) say(`left behind: ${left.join(', ')}`);
    const broken = brokenFiles(this.repo).filter(
      (path) => !(met?.fault === 'ENOSPC' && path.endsWith('.log')),
    );
    if (broken.length > 0) say(`not whole: ${broken.join(', ')}`);
    const recorded = pathsOnRecord(this.repo);
    const missing = this.theCase.acknowledged.filter((path) => !recorded.has(path));
    if (missing.length === 0) return;
    const { paths: stored } = pathsInCheckpoints(this.repo);
    const lost = missing.filter((path) => !stored.has(path));
    if (lost.length > 0) say(`not on record: ${lost.join(', ')}`);
  }

  private isReported(): boolean {
    return /"level":"(WARN|ERROR)"/.test(this.repo.logText());
  }

  /** The fault is gone, and the session goes on. */
  private checkLater(
    met: { fault: Fault; operation: string } | undefined,
    say: (problem: string) => void,
  ): void {
    this.followed++;
    const { recording, acknowledged } = this.theCase;
    const isPromised = recording !== undefined && met?.fault !== 'killed' && !this.isReported();
    // A session whose state cannot be read takes no part, and the log says so.
    const isPassedOver =
      /other-session\.json/.test(met?.operation ?? '') &&
      this.repo.logText().includes('unreadable session state');
    const promised = isPassedOver ? acknowledged.filter((path) => path !== 'other.txt') : acknowledged;
    const expected = [...promised, ...(isPromised ? [recording] : [])];
    const session: AgentSession = this.repo.session(SESSION);
    for (const problem of goOn(this.repo, session, { expected, next: this.theCase.next })) say(problem);
    const left = debris(this.repo).filter((name) => !isExcused(name, met));
    if (left.length > 0) say(`left at the end: ${left.join(', ')}`);
  }
}

function isDocumentedReply(stdout: string): boolean {
  if (stdout === '') return true;
  try {
    return stdout.endsWith('\n') && Object.keys(JSON.parse(stdout)).join() === 'systemMessage';
  } catch {
    return false;
  }
}

/**
 * A killed process leaves its lock and its temporary file, and one whose clean-up is what fails leaves that. What is left of
 * contents goes with the next gc, ten minutes later (`src/snapshot/store/collect.test.ts`).
 */
function isExcused(name: string, met: { fault: Fault; operation: string } | undefined): boolean {
  if (met?.fault === 'killed') return true;
  const [, removed = ''] = /^(?:rm|rmdir|unlink)Sync (.*)$/.exec(met?.operation ?? '') ?? [];
  if (name.endsWith('.lock')) return /\.lock/.test(removed);
  return name.endsWith('.tmp') && removed.endsWith(`/${name}`);
}
