import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Dice } from '../../support/runner/dice.ts';
import { edit, stageLines } from './edits.ts';
import type { CommitFacts, Expectation } from './facts.ts';
import { FilesBySession, SESSIONS, type SessionName, treeUnits } from './lines.ts';
import type { Link } from './observed.ts';
import type { World } from './world.ts';

interface CommitOptions {
  readonly env?: Record<string, string>;
  readonly amend?: boolean;
  /** The user deletes our line in the editor. */
  readonly removesTrailer?: boolean;
  /** W-SQUASH: what it is made of was committed before. */
  readonly squash?: boolean;
  /** W-SQUASH: it takes the message that git made for a squash. */
  readonly squashMessage?: boolean;
  /** The agent commits, in its turn. */
  readonly by?: SessionName;
}

/** A person commits, in one of the ways people do. */
export function commit(world: World, dice: Dice): void {
  const what = chooseContent(world, dice);
  const how = chooseMessage(world, dice);
  const takesGits = !how.args.some((arg) => arg === '-m' || arg === '-F');
  const squashMessage = takesGits && world.pair.hasSquashMessage();
  runCommit(world, [...how.args, ...what], { ...how, squashMessage });
}

export function amend(world: World, dice: Dice): void {
  if (world.pair.inTwin('rev-list', '--count', 'begin..HEAD') === '0') return commit(world, dice);
  const dirty = world.pair.dirty().size > 0;
  const what = dirty ? dice.oneOf([[], ['--all'], []]) : [];
  const subject = `Amended ${world.number()}`;
  const how = dice.oneOf([
    ['--no-edit'],
    ['-m', subject],
    ['--no-edit', '--no-verify'],
    ['-F', messageFile(world, subject)],
    [],
  ]);
  runCommit(world, ['--amend', ...how, ...what], { amend: true, env: { GIT_EDITOR: 'true' } });
}

/** The agent runs git in its shell, as the client sets it up. */
export function commitByAgent(world: World, session: SessionName, dice: Dice): void {
  world.inTurn(session);
  const env = {
    ENTIRE_TEST_TTY: '0',
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: world.sessions[session].id,
  };
  const args = ['-m', `By agent ${world.number()}`, ...chooseContent(world, dice)];
  runCommit(world, args, { env, by: session });
}

/** Two turns of one session, and a commit of what the first one wrote. */
export function commitOlderTurn(world: World, session: SessionName, dice: Dice): void {
  world.inTurn(session);
  const path = edit(world, session, dice, dice.chance(60));
  world.stop(session);
  world.prompt(session);
  edit(world, session, dice, true);
  world.stop(session);
  commitAll(world, path, 'Older');
}

/** Some lines of a file are committed, and then all that is left of it. */
export function commitInHalves(world: World, session: SessionName, dice: Dice): void {
  world.inTurn(session);
  const path = edit(world, session, dice, true);
  if (dice.chance(60)) world.stop(session);
  if (!stageLines(world, path, dice)) return;
  runCommit(world, ['-m', `Half ${world.number()}`], {});
  if (dice.chance(40)) edit(world, 'user', dice, false);
  commitAll(world, path, 'Rest');
}

/** A commit of all that one file holds. */
function commitAll(world: World, path: string, subject: string): void {
  if (world.git(['add', '--all', '--', path]))
    runCommit(world, ['-m', `${subject} ${world.number()}`, '--', path], {});
}

/** `-a`, `-- path`, or the index as it is; with nothing to commit the user changes something first. */
function chooseContent(world: World, dice: Dice): string[] {
  const { pair } = world;
  const [head, index, files] = [pair.treeOf('HEAD'), pair.index(), pair.worktree()];
  const staged = treeUnits(head, index).length > 0;
  const tracked = [...pair.dirty()].filter((path) => index.has(path)).sort();
  const kind = dice.below(4);
  if (kind === 0 && tracked.length > 0) return ['--all'];
  if (kind === 1 && tracked.length > 0) return ['--', dice.oneOf(tracked)];
  if (staged && kind === 2) return [];
  const loose = [...pair.dirty()].sort();
  if (loose.length === 0) return ['--allow-empty'];
  if (!staged || dice.chance(50)) {
    const paths = dice.chance(40) ? loose : [dice.oneOf(loose)];
    const there = paths.filter((path) => files.has(path) || index.has(path));
    if (there.length > 0) world.git(['add', '--all', '--', ...there]);
  }
  return [];
}

function chooseMessage(world: World, dice: Dice): CommitOptions & { args: string[] } {
  const n = world.number();
  switch (dice.below(8)) {
    case 0:
      return { args: ['-F', messageFile(world, `From file ${n}\n\nWith a body.`)] };
    case 1:
      return { args: ['-m', `fix: thing ${n}`] };
    case 2:
      return { args: ['--no-verify', '-m', `Unverified ${n}`] };
    case 3:
      return { args: [], env: editor(world, `(echo "Edited ${n}"; cat "$1") > "$1.new"`) };
    case 4: {
      const env = editor(world, `(echo "Unlinked ${n}"; grep -v '^Entire-Checkpoint' "$1") > "$1.new"`);
      return { args: [], env, removesTrailer: true };
    }
    default:
      return { args: ['-m', `Commit ${n}`] };
  }
}

function messageFile(world: World, text: string): string {
  const file = join(world.repo.scratch, 'message');
  writeFileSync(file, `${text}\n`);
  return file;
}

function editor(world: World, command: string): Record<string, string> {
  const file = join(world.repo.scratch, 'editor');
  writeFileSync(file, `#!/bin/sh\n${command}\nmv "$1.new" "$1"\n`);
  chmodSync(file, 0o755);
  return { GIT_EDITOR: file };
}

export function runCommit(world: World, args: readonly string[], options: CommitOptions): void {
  const { pair, observer } = world;
  const old = { head: pair.treeOf('HEAD'), link: observer.link(), tip: observer.metadataTip() };
  const ran = pair.postCommitRuns();
  if (options.by) world.tell(`${options.by}, in its shell:`);
  if (options.removesTrailer) world.tell('   (our line is removed in the editor)');
  const made = world.git(['commit', '--quiet', ...args], options.env ? { env: options.env } : {});
  if (!made) {
    expect(observer.metadataTip(), 'no commit, no checkpoint').toBe(old.tip);
    return;
  }
  expect(pair.postCommitRuns()).toBe(ran + 1);
  const [parent, after] = [pair.treeOf('HEAD^'), pair.treeOf('HEAD')];
  const before = options.amend ? old.head : parent;
  const facts: CommitFacts = {
    added: treeUnits(before, after),
    paths: new Set(treeUnits(parent, after).map(({ path }) => path)),
    before,
    after,
    worktree: pair.worktree(),
  };
  const promised = expectation(world, facts, options, old.link);
  const link = observer.link();
  world.tell(`   linked: ${[...link.sessions].join('+') || 'nobody'} (${link.id ?? 'no id'})`);
  check(world, promised, link, options, old.link);
  const verdict = observer.verdicts().at(-1);
  const linked = verdict?.reason === 'linked' ? observer.named(verdict) : new Set<SessionName>();
  world.ledger.settle(facts, linked, world.elsewhere());
  world.book.settle(facts.added);
}

function expectation(world: World, facts: CommitFacts, options: CommitOptions, old: Link): Expectation {
  const nobody = { must: new FilesBySession(), may: new FilesBySession(), atLeastOne: false };
  if (options.removesTrailer || options.squashMessage) return nobody;
  const { must, may, atLeastOne } = world.ledger.judge(facts, (unit) => world.book.owner(unit));
  if (options.squash) return { ...nobody, may };
  if (options.amend) for (const [session, files] of old.files) may.add(session, ...files);
  if (options.amend) for (const session of old.sessions) must.add(session);
  // An agent's own commit in its turn is its work, whatever is in it; rewording one is not.
  if (options.by) may.add(options.by, ...facts.paths);
  if (options.by && !(options.amend && facts.added.length === 0)) must.add(options.by);
  return { must, may, atLeastOne };
}

function check(world: World, promised: Expectation, link: Link, { amend }: CommitOptions, old: Link): void {
  const is = [...link.sessions].sort().join('+');
  const [must, may] = [[...promised.must.keys()], [...promised.may.keys()]];
  const says = `linked to ${is || 'nobody'}, must be ${must}, may be ${may}`;
  for (const session of SESSIONS) {
    if (promised.must.has(session))
      expect(link.sessions.has(session), `${says}: ${session} is missing`).toBe(true);
    if (!promised.may.has(session))
      expect(link.sessions.has(session), `${says}: ${session} is too much`).toBe(false);
  }
  for (const [session, files] of link.files) {
    const [sure, possible] = [promised.must.get(session) ?? [], promised.may.get(session) ?? new Set()];
    expect([...files], `files of ${session}`).toEqual(expect.arrayContaining([...sure]));
    for (const path of files) expect(possible, `${session} and ${path}`).toContain(path);
  }
  if (promised.atLeastOne) expect(link.sessions.size, `${says}: one of both`).toBeGreaterThan(0);
  if (amend && old.id !== undefined) expect(link.id, 'an amended commit keeps its id').toBe(old.id);
  if (!amend && link.id !== undefined) expect(link.id, 'an id of its own').not.toBe(old.id);
  if (link.id !== undefined) expect(link.sessions.size, `${says}: the id leads nowhere`).toBeGreaterThan(0);

  const verdict = world.observer.verdicts().at(-1);
  expect(verdict?.commit).toBe(world.repo.git('rev-parse', 'HEAD'));
  expect(verdict?.checkpoint).toBe(link.id);
  if (amend) return;
  expect(verdict?.reason === 'linked', `verdict ${verdict?.reason}`).toBe(link.sessions.size > 0);
  if (verdict && link.sessions.size > 0) expect(world.observer.named(verdict)).toEqual(link.sessions);
}
