import { lstatSync } from 'node:fs';
import type { TestRepo } from '../repository/test-repo.ts';
import { randomFrom } from '../runner/random.ts';
import { ACTS, type Act } from './acts.ts';
import { DAMAGES, type Damage, damage } from './damages.ts';
import { KINDS, type Kind } from './kinds.ts';
import { Stage } from './stage.ts';
import { type Watched, watch } from './watch.ts';

/** One file that is damaged in one way, and what is then run, each from the same beginning. */
export interface Trial {
  readonly kind: Kind;
  readonly damage: Damage;
  readonly acts: readonly Act[];
}

export const nameOf = ({ kind, damage: { name } }: Trial): string => `${kind.name}: ${name}`;

/** Each kind with each damage that is tried of it. */
const pairs = (): readonly (readonly [Kind, Damage])[] =>
  KINDS.flatMap((kind) =>
    DAMAGES.filter(({ name }) => isTried(kind, name)).map((one) => [kind, one] as const),
  );

const isTried = ({ onlyFor, notFor }: Kind, damageName: string): boolean =>
  (onlyFor?.damages.includes(damageName) ?? true) && !notFor?.damages.includes(damageName);

/** What is run on a kind with a damage. */
const actsOn = ({ endlessForGit = [] }: Kind, { name }: Damage): readonly Act[] =>
  endlessForGit.includes(name) ? ACTS.filter(({ kind }) => kind !== 'git') : ACTS;

/** The whole product. */
export const allTrials = (): Trial[] =>
  pairs().map(([kind, one]) => ({ kind, damage: one, acts: actsOn(kind, one) }));

/** So many runs, chosen by a seed: each kind comes by before one comes again. */
export function someTrials(seed: number, runs: number): Trial[] {
  const random = randomFrom(seed);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const trials = new Map<string, { kind: Kind; damage: Damage; acts: Set<Act> }>();
  const all = pairs();
  for (let n = 0; n < runs; n++) {
    const kind = KINDS[n % KINDS.length] as Kind;
    const [, one] = oneOf(all.filter(([candidate]) => candidate === kind));
    const key = `${kind.name}: ${one.name}`;
    const trial = trials.get(key) ?? { kind, damage: one, acts: new Set<Act>() };
    trials.set(key, trial);
    trial.acts.add(oneOf(actsOn(kind, one)));
  }
  return [...trials.values()].map(({ acts, ...rest }) => ({ ...rest, acts: [...acts] }));
}

/** What a hook may take; more only where the machine is busy, which is told by a second try. */
const HOOK_MS = 2000;
const COMMAND_MS = 30_000;
const MAX_MIB = 300;

export interface Tally {
  runs: number;
  slowestHookMs: number;
  largestMib: number;
  readonly wrong: string[];
}

export const newTally = (): Tally => ({ runs: 0, slowestHookMs: 0, largestMib: 0, wrong: [] });

/** Runs the acts of a trial. */
export async function runTrial(stage: Stage, trial: Trial, tally: Tally): Promise<void> {
  let isFresh = false;
  for (const act of trial.acts) {
    if (!isFresh) stage.putBack();
    let result = await once(stage, trial, act);
    let wrong = judge(act, trial.kind, result);
    if (wrong !== undefined && result.code === 0) {
      stage.putBack();
      result = await once(stage, trial, act);
      wrong = judge(act, trial.kind, result);
    }
    isFresh = act.onlyLooks === true;
    tally.runs++;
    if (act.kind === 'hook') tally.slowestHookMs = Math.max(tally.slowestHookMs, result.ms);
    tally.largestMib = Math.max(tally.largestMib, result.peakMib);
    if (wrong !== undefined) tally.wrong.push(`${nameOf(trial)}: ${act.name}: ${wrong}`);
  }
}

async function once(stage: Stage, { kind, damage: one }: Trial, act: Act): Promise<Watched> {
  const file = kind.place(stage);
  if (!isThere(stage, file, one)) damage(file, one, stage.wares, stage.textOf(file));
  const { env } = stage.repo;
  const result = await watch(act.program, act.args(stage), {
    cwd: kind.inSide ? stage.side : stage.root,
    env: { ...env, ENTIRE_TEST_TTY: '0', GIT_TERMINAL_PROMPT: '0' },
    input: act.input?.(stage) ?? '',
    limitMs: act.kind === 'command' ? COMMAND_MS : 5 * HOOK_MS,
  });
  return result;
}

const placed = new WeakMap<Stage, { readonly file: string; readonly name: string; readonly ino: number }>();

/** Whether the damage still stands as it was put. */
function isThere(stage: Stage, file: string, { name }: Damage): boolean {
  const known = placed.get(stage);
  let ino = -1;
  try {
    ino = lstatSync(file).ino;
  } catch {
    // Gone: put there anew.
  }
  return known?.file === file && known.name === name && known.ino === ino;
}

function judge(
  { kind }: Act,
  { isOfGit }: Kind,
  { code, signal, stdout, stderr, ms, peakMib }: Watched,
): string | undefined {
  const said = `\n${stdout.slice(0, 300)}${stderr.slice(0, 1500)}`;
  if (signal !== null)
    return `ended by ${signal} after ${Math.round(ms)} ms with ${Math.round(peakMib)} MiB${said}`;
  if (code === 70) return `exit 70${said}`;
  if (/\bat .*:\d+:\d+\)?$/m.test(stderr)) return `a stack${said}`;
  if (peakMib > MAX_MIB) return `${Math.round(peakMib)} MiB`;
  if (kind === 'command') return undefined;
  if (kind === 'git' && isOfGit) return undefined; // git itself finds no repository
  if (code !== 0) return `exit ${code}${said}`;
  if (kind === 'git') return undefined;
  if (ms > HOOK_MS) return `${Math.round(ms)} ms`;
  return isDocumented(stdout) ? undefined : `said on stdout: ${stdout.slice(0, 300)}`;
}

/** Nothing, or one reply: an object of JSON. */
function isDocumented(stdout: string): boolean {
  if (stdout.trim() === '') return true;
  try {
    return JSON.parse(stdout)?.constructor === Object;
  } catch {
    return false;
  }
}

/** A stage, on which each act does what it does where nothing is damaged. */
export function stageOf(repo: TestRepo): Stage {
  return new Stage(repo).set();
}

/** There is nothing to bring back or to finish. */
const FINDS_NOTHING = new Set(['entire redo', 'entire undo --continue', 'entire undo --abort']);

/** What the acts do where nothing is damaged. */
export async function rehearse(stage: Stage): Promise<string[]> {
  const wrong: string[] = [];
  for (const act of ACTS) {
    stage.putBack();
    const { code, stderr, ms } = await watch(act.program, act.args(stage), {
      cwd: stage.root,
      env: { ...stage.repo.env, ENTIRE_TEST_TTY: '0' },
      input: act.input?.(stage) ?? '',
      limitMs: COMMAND_MS,
    });
    if (code !== 0 && !FINDS_NOTHING.has(act.name))
      wrong.push(`${act.name}: exit ${code} after ${Math.round(ms)} ms: ${stderr.slice(0, 300)}`);
  }
  return wrong;
}
