/** One session that grows with each of its commits: what commits cost, and what stays in `.git/objects`. */
import { readFileSync, rmSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { checkLinks, checkTranscript } from './checks.ts';
import { type Contestant, enter, installBuild } from './contestants.ts';
import { type Growth, type GrowthRound, renderGrowth } from './growth-table.ts';
import { measureObjects, OBJECT_KINDS, type ObjectBytes, type ObjectKinds, sortObjects } from './objects.ts';
import {
  interleave,
  openPlain,
  openSession,
  type Play,
  pickFile,
  plainLoad,
  playPlainTurn,
  playTurn,
  showProgress,
  transcriptBytes,
} from './play.ts';
import { redacted } from './transcript.ts';
import { copyRepo, git, type World } from './world.ts';

export interface GrowthOptions {
  /** The transcript's size at the end. */
  readonly bytes: number;
  readonly commits: number;
  /** Whole sessions, each in repositories of its own. */
  readonly repeat: number;
}

export function measureGrowth(world: World, options: GrowthOptions): string {
  const command = installBuild(world);
  const sessions: Growth[] = [];
  for (let turn = 0; turn < options.repeat; turn++) {
    const who = enter(world, `growth ${turn}`, command);
    const plainRepo = copyRepo(world, `repo-plain-${turn}`);
    sessions.push(playSession(world, who, plainRepo, turn, options));
    const isLast = turn === options.repeat - 1; // kept for those who want to look at it
    for (const repo of isLast ? [] : [who.repo, plainRepo]) rmSync(repo, { recursive: true });
  }
  return renderGrowth(sessions, world.files.length);
}

function playSession(
  world: World,
  who: Contestant,
  plainRepo: string,
  turn: number,
  { bytes, commits, repeat }: GrowthOptions,
): Growth {
  const added = openScales(who.repo, plainRepo);
  const play = openSession(world, who, turn + 1, plainLoad(0, 0));
  const plain = openPlain(world, plainRepo, turn + 1);
  const rounds: GrowthRound[] = [];
  let stored = '';
  for (let round = 0; round < commits; round++) {
    showProgress(`session ${turn + 1} of ${repeat}, commit ${round + 1} of ${commits}`);
    const times = { prompt: 0, edit: 0, stop: 0, commit: 0, commitPlain: 0, status: 0 };
    const record = (step: keyof typeof times, ms: number): void => {
      times[step] = ms;
    };
    const load = plainLoad(0, (bytes * (round + 1)) / commits - transcriptBytes(play));
    const file = pickFile(world, round);
    const players = [playTurn({ ...play, load }, file, record), playPlainTurn(plain, file, load, record)];
    interleave(players, round);
    stored = checkWhole(play);
    rounds.push({ ...times, transcript: transcriptBytes(play), objects: added() });
  }
  const details = compareKinds(sortObjects(world, who.repo), sortObjects(world, plainRepo));
  const stores = compareStores(who.repo, plainRepo);
  const collect = (...how: string[]): number => {
    for (const repo of [who.repo, plainRepo]) git(world, repo, 'gc', '--quiet', ...how);
    return added();
  };
  const afterGc = collect();
  const afterPrune = collect('--prune=now');
  checkLinks(play.scene, commits);
  checkWhole(play);
  const compressed = deflateSync(stored, { level: 6 }).length;
  return { rounds, details, ...stores, compressed, afterGc, afterPrune };
}

/** The checkpoint of the commit just made holds the whole transcript, redacted. */
function checkWhole({ scene, context }: Play): string {
  return checkTranscript(scene, redacted(readFileSync(context.transcript, 'utf8')));
}

/** What `.git/objects` of the first repository has gained from now on, less what the other one has. */
function openScales(repo: string, plainRepo: string): () => number {
  const weigh = (): number => {
    const [whole, plain] = [measureObjects(repo), measureObjects(plainRepo)];
    return whole.loose + whole.packs - plain.loose - plain.packs;
  };
  const start = weigh();
  return () => weigh() - start;
}

function compareStores(repo: string, plainRepo: string): ObjectBytes {
  const [whole, plain] = [measureObjects(repo), measureObjects(plainRepo)];
  return { loose: whole.loose - plain.loose, packs: whole.packs - plain.packs };
}

function compareKinds(whole: ObjectKinds, plain: ObjectKinds): Growth['details'] {
  return OBJECT_KINDS.map((kind) => [kind, (whole.get(kind) ?? 0) - (plain.get(kind) ?? 0)]);
}
