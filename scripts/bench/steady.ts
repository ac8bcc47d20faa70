import type { Contestant } from './contestants.ts';
import {
  interleave,
  type Load,
  openPlain,
  openSession,
  pickFile,
  playPlainTurn,
  playTurn,
  showProgress,
  transcriptBytes,
} from './play.ts';
import { median } from './timing.ts';
import { copyRepo, type World } from './world.ts';

/** One repository with one session whose turns are measured, after a first one that is not. */
export interface Lane {
  readonly who: Contestant;
  readonly load: Load;
}

/** Milliseconds; the commit's without what git alone takes. */
export interface SteadySamples {
  readonly prompt: readonly number[];
  readonly stop: readonly number[];
  readonly commit: readonly number[];
  /** The stop that met the whole transcript for the first time. */
  readonly firstStop: number;
  /** Size of the transcript halfway through. */
  readonly transcript: number;
}

export interface Steady {
  readonly lanes: readonly SteadySamples[];
  /** Milliseconds of git alone. */
  readonly status: number;
  readonly commitPlain: number;
}

type Samples = { prompt: number[]; edit: number[]; stop: number[]; commit: number[] };
type PlainSamples = { status: number[]; commitPlain: number[] };

/** The same texts in all lanes. */
const SEED = 1;

/** Plays all lanes round by round, step by step, so that whatever else the machine does hits them all alike. */
export function measureSteady(world: World, lanes: readonly Lane[], rounds: number): Steady {
  const repo = copyRepo(world, 'repo-plain');
  const plainSamples: PlainSamples = { status: [], commitPlain: [] };
  const running = lanes.map(({ who, load }) => {
    const samples: Samples = { prompt: [], edit: [], stop: [], commit: [] };
    return { play: openSession(world, who, SEED, load), samples, sizes: [] as number[] };
  });
  const plain = openPlain(world, repo, SEED);
  const load = lanes[0]?.load;
  if (!load) throw new Error('nothing to measure');
  for (let round = 0; round <= rounds; round++) {
    showProgress(`round ${round + 1} of ${rounds + 1}`);
    const file = pickFile(world, round);
    const players = [
      ...running.map(({ play, samples }) => playTurn(play, file, into(samples))),
      playPlainTurn(plain, file, load, into(plainSamples)),
    ];
    interleave(players, round);
    for (const { play, sizes } of running) sizes.push(transcriptBytes(play));
  }
  const commitPlain = median(plainSamples.commitPlain.slice(1));
  return {
    lanes: running.map(({ samples, sizes }) => ({
      prompt: samples.prompt.slice(1),
      stop: samples.stop.slice(1),
      commit: samples.commit.slice(1).map((ms) => ms - commitPlain),
      firstStop: samples.stop[0] ?? Number.NaN,
      transcript: median(sizes.slice(1)),
    })),
    status: median(plainSamples.status.slice(1)),
    commitPlain,
  };
}

const into =
  <Step extends string>(samples: Readonly<Record<Step, number[]>>) =>
  (step: Step, ms: number): void => {
    samples[step].push(ms);
  };
