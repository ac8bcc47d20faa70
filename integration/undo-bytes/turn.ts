import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HOOK_READERS } from '../../src/agents/hook-inputs.ts';
import { AGENTS } from '../../src/agents/names.ts';
import type { SessionId } from '../../src/base/ids.ts';
import type { RepoPath } from '../../src/base/repo-path.ts';
import { gitAt } from '../../src/git/run.ts';
import { readStatus } from '../../src/git/status.ts';
import { keepEdit } from '../../src/hooks/post-file-edit.ts';
import { runPostFileRead } from '../../src/hooks/post-file-read.ts';
import { changedSince, fingerprints, takeBaseline } from '../../src/session/turn-snapshot.ts';
import { sessionStore } from '../../src/snapshot/blobs.ts';
import { NO_TRANSCRIPT, readRecord } from '../../src/snapshot/record.ts';
import { recordShell } from '../../src/snapshot/record-edit.ts';
import { beginTurn } from '../../src/snapshot/turn-begin.ts';
import { closeTurn } from '../../src/snapshot/turn-close.ts';
import { applyUndo, planUndo, type UndoRequest } from '../../src/snapshot/undo.ts';
import { Dice } from '../support/dice.ts';
import { randomFrom } from '../support/random.ts';
import { CLIENTS, type Client } from './clients.ts';
import {
  ENCODINGS,
  type Encoding,
  hasRow,
  type Insertion,
  insert,
  LINE_ENDS,
  newContent,
} from './contents.ts';

const STATES = ['clean', 'dirty', 'untracked', 'ignored', 'missing'] as const;
const LINKS = ['none', 'none', 'none', 'file', 'chain', 'folder'] as const;
const SESSION = 'session-1' as SessionId;

type Bytes = Buffer | undefined;

/** A change that the user made, and whether a client that tells nothing came to the file after it. */
interface UserChange {
  readonly apply: (bytes: Bytes) => Bytes;
  isBlind: boolean | undefined;
}

/** One file, and what became of it in a turn. */
class Case {
  readonly path: RepoPath;
  /** As agents name it. */
  readonly via: string;
  readonly encoding: Encoding;
  readonly state: (typeof STATES)[number];
  readonly before: Bytes;
  readonly story: string[] = [];
  readonly user: UserChange[] = [];
  isEdited = false;
  hasRemoval = false;
  private readonly root: string;
  private readonly dice: Dice;
  private lines = 0;

  constructor(root: string, number: number, dice: Dice) {
    this.root = root;
    this.dice = dice;
    this.encoding = dice.oneOf(ENCODINGS);
    this.state = dice.oneOf(STATES);
    const ends = dice.oneOf(LINE_ENDS);
    const link = dice.oneOf(LINKS);
    this.path = `files/${number}${this.state === 'ignored' ? '.ign' : '.txt'}` as RepoPath;
    this.via =
      link === 'none' ? this.path : link === 'folder' ? `linked/${this.path.slice(6)}` : `links/${number}`;
    if (link === 'file' || link === 'chain') {
      if (link === 'chain') symlinkSync(`../${this.path}`, join(root, 'links', `${number}-2`));
      symlinkSync(link === 'file' ? `../${this.path}` : `${number}-2`, join(root, this.via));
    }
    this.before = this.state === 'missing' ? undefined : newContent(this.encoding, ends, dice);
    this.story.push([this.encoding.name, ends, this.state, `link: ${link}`].join(', '));
    if (this.state === 'clean') this.write(this.before);
    if (this.state === 'dirty') this.write(newContent(this.encoding, ends, dice));
  }

  /** After the commit, and before the prompt. */
  settle(): void {
    if (this.state !== 'clean') this.write(this.before);
  }

  now(): Bytes {
    const file = join(this.root, this.path);
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  private write(bytes: Bytes): void {
    const file = join(this.root, this.path);
    if (bytes === undefined) return rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }

  private insertion(who: string, rows: 0 | 1): Insertion {
    const row = this.dice.below(5) * 2 + rows;
    const now = this.now() ?? Buffer.alloc(0);
    const place = this.dice.oneOf(['top', 'end', row, row] as const);
    const where = typeof place === 'number' && !hasRow(now, place, this.encoding) ? 'end' : place;
    return { where, line: `${who} ${++this.lines}\n` };
  }

  byAgent(): void {
    const now = this.now();
    const client = this.dice.oneOf(
      CLIENTS.filter(({ tool }) =>
        /Delete/.test(tool)
          ? now !== undefined && this.via === this.path
          : now !== undefined || tool !== 'Bash',
      ),
    );
    const call = { file: join(this.root, this.via), cwd: this.root, sessionId: SESSION };
    if (client.read && now && this.dice.chance(60)) {
      const payload = client.read(call);
      runPostFileRead(client.agent, () => payload);
      this.story.push('the agent reads it');
    }
    const wish = this.dice.chance(15) ? `agent ${++this.lines}\nanew\n` : this.insertion('agent', 1);
    const { after, payload } = client.call({ ...call, before: now, encoding: this.encoding, wish });
    this.write(after);
    this.report(client, payload);
    const isTold = client.tells && payload.before !== undefined;
    const isBlind = !client.tells || (['pi', 'opencode'].includes(client.agent) && !isTold);
    for (const change of this.user) change.isBlind ??= isBlind;
    this.story.push(
      `${client.agent} ${client.tool}: ${typeof wish === 'string' ? 'anew' : `at ${wish.where}`}`,
    );
    this.isEdited = true;
  }

  private report(client: Client, payload: Record<string, unknown>): void {
    const edit = HOOK_READERS[client.agent].parseFileEdit(JSON.parse(JSON.stringify(payload)));
    if (!edit || 'rejected' in edit) throw new Error(`${client.agent} ${client.tool}: no edit`);
    keepEdit(edit, AGENTS[client.agent].type, undefined);
    if (client.tool === 'Bash') recordShell(sessionStore(join(this.root, '.git'), SESSION, ''), this.root);
  }

  byShell(): void {
    const now = this.now();
    if (now === undefined && this.state !== 'missing') return;
    this.write(insert(now ?? Buffer.alloc(0), this.insertion('shell', 1), this.encoding));
    recordShell(sessionStore(join(this.root, '.git'), SESSION, ''), this.root);
    this.story.push('a shell');
  }

  byUser(): void {
    if (this.now() !== undefined && this.dice.chance(6)) {
      this.user.push({ apply: () => undefined, isBlind: undefined });
      this.hasRemoval = true;
      this.story.push('the user removes it');
    } else {
      const line = this.insertion('user', 0);
      this.user.push({
        apply: (bytes) => insert(bytes ?? Buffer.alloc(0), line, this.encoding),
        isBlind: undefined,
      });
      this.story.push(`the user, at ${line.where}`);
    }
    this.write((this.user.at(-1) as UserChange).apply(this.now()));
  }

  /**
   * What the file may be when the agent's work is taken out of it.
   *
   * @param isMixed it was said that a shell may have written what the user did: then any of it may be gone
   */
  expected(isMixed: boolean): Bytes[] {
    const having = (changes: readonly UserChange[]): Bytes =>
      changes.reduce<Bytes>((bytes, { apply }) => apply(bytes), this.before);
    const told = having(this.user.filter(({ isBlind }) => !isBlind));
    const choices = isMixed
      ? Array.from({ length: 2 ** this.user.length }, (_, bits) =>
          having(this.user.filter((_, at) => bits & (1 << at))),
        )
      : [];
    return [having(this.user), told, ...choices, ...(this.hasRemoval ? [this.before] : [])];
  }
}

/** How often something came of a case. */
export type Counts = Map<string, number>;

/**
 * One turn with some files, each of which the agents and the user change in some order; then undo, and redo.
 *
 * @throws with the story of the first file that is neither what it has to be nor left and named
 */
export function playTurn(seed: number, size: number, counts: Counts): void {
  const random = randomFrom(seed);
  const dice = new Dice(Array.from({ length: 4096 }, () => Math.floor(random() * 2 ** 31)));
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-bytes-')));
  try {
    play(root, dice, size, random() < 0.3, counts);
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function play(root: string, dice: Dice, size: number, hasShell: boolean, counts: Counts): void {
  const git = gitAt(root);
  const run = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  run('init', '--quiet');
  for (const folder of ['files', 'links', '.entire']) mkdirSync(join(root, folder));
  symlinkSync('files', join(root, 'linked'));
  writeFileSync(join(root, '.entire', 'settings.json'), '{"enabled": true}');
  writeFileSync(join(root, '.gitignore'), '*.ign\n');
  const cases = Array.from({ length: size }, (_, number) => new Case(root, number, dice));
  run('add', '.');
  run(
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.com',
    '-c',
    'commit.gpgsign=false',
    'commit',
    '--quiet',
    '-m',
    'Begin',
  );
  for (const one of cases) one.settle();

  const store = sessionStore(join(root, '.git'), SESSION, '');
  const status = readStatus(git);
  const baseline = takeBaseline(root, status, 'turn', 0);
  const prints = fingerprints(root, [...status.changes.keys()]);
  const head = run('rev-parse', 'HEAD');
  beginTurn(store, { root, turnId: 'turn', head, transcript: NO_TRANSCRIPT, fingerprints: prints });
  for (const one of cases)
    for (let left = 1 + dice.below(4); left > 0; left--) {
      if (dice.chance(35)) one.byUser();
      else if (hasShell && dice.chance(30)) one.byShell();
      else one.byAgent();
    }
  const scanned = hasShell ? changedSince(baseline, root, readStatus(git)) : [];
  const view = {
    git,
    turnId: 'turn',
    subject: '',
    scanned,
    unsure: [],
    foreign: new Set<string>(),
    isNow: true,
  };
  const closed = closeTurn(store, { ...view, isComplete: !hasShell });
  const changes = closed === undefined ? undefined : readRecord(store, closed).files;

  const place = { store, root };
  const after = new Map(cases.map((one) => [one, one.now()]));
  const back = (asked: Partial<UndoRequest>) => {
    const request: UndoRequest = { direction: 'undo', steps: 1, paths: [], isForced: false, ...asked };
    const plan = planUndo(place, git, request);
    const record = applyUndo(place, request, plan);
    return { plan, record };
  };
  const { record } = back({});
  const left = new Map(record.left);
  const ignored = cases.flatMap(({ path, state }) => (state === 'ignored' && left.has(path) ? [path] : []));
  if (ignored.length > 0) {
    const named = back({ paths: ignored }).record;
    for (const path of ignored) if (!named.left.has(path)) left.delete(path);
  }
  for (const one of cases) {
    const change = changes?.get(one.path);
    const isMixed = change?.isMixed === true || change?.source === 'scan';
    judge(one, after.get(one), left.get(one.path), { hasShell, isMixed }, counts);
  }
  for (let steps = ignored.length > 0 ? 2 : 1; steps > 0; steps--) back({ direction: 'redo' });
  for (const one of cases)
    if (!isSame(one.now(), after.get(one)))
      throw new Error(`redo does not give back: ${one.story.join('; ')}`);
}

const isSame = (a: Bytes, b: Bytes): boolean => (a === undefined || b === undefined ? a === b : a.equals(b));

/** Whether a shell was at work, and undo says that it may have written what the user did. */
interface Beside {
  readonly hasShell: boolean;
  readonly isMixed: boolean;
}

function judge(one: Case, after: Bytes, why: string | undefined, beside: Beside, counts: Counts): void {
  const now = one.now();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const fail = (what: string): never => {
    throw new Error(
      `${what}: ${one.story.join('; ')}\n  was ${one.before?.toString('latin1')}\n  is ${now?.toString('latin1')}`,
    );
  };
  if (why !== undefined) {
    if (!isSame(now, after)) fail('left, and changed');
    // Nobody changed it but agents, and what it was is known: there is no reason to leave it.
    if (one.user.length === 0 && one.state !== 'ignored') fail(`left: ${why}`);
    count(one.user.length === 0 ? 'left, ignored' : 'left, with lines of the user');
  } else if (one.expected(beside.isMixed).some((bytes) => isSame(now, bytes))) {
    count(one.user.length === 0 ? 'exact' : 'exact, with lines of the user');
  } else if (isSame(now, after) && !one.isEdited) count('nobody told of it');
  else if (beside.hasShell && one.state === 'ignored')
    count('ignored, in a turn with a shell'); // where nobody looks
  else fail('neither exact nor left');
}
