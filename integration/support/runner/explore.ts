import fc from 'fast-check';
import { BUILDS, type Build } from '../process/builds.ts';
import { TestRepo } from '../repository/test-repo.ts';

/** Time for making a failing sequence shorter. */
const SHRINK_MS = 60_000;

/** Something that happens: what, to whom, and the numbers it picks by. Plain JSON, so that it can be repeated. */
export type Step = readonly [act: string, whom: string, ...numbers: number[]];

/** What a model knows of one repository. */
export interface Explored {
  /** What was done, for the report of a failure. */
  readonly story: readonly string[];
  /** How often what happened, for the last line of a run. */
  readonly counts?: ReadonlyMap<string, number>;
  /** What holds after every step. */
  expectSound(): void;
}

/** A model, and the steps it can take. */
export interface Exploration<World extends Explored> {
  readonly name: string;
  /** Variables that repeat a run begin with that: `<env>_SEED`, `_STEPS`, `_COLLECT`, `_KEEP`. */
  readonly env: string;
  /** Steps of a sequence. Each sequence has repositories of its own. */
  readonly length: number;
  readonly anyStep: fc.Arbitrary<Step>;
  begin(repo: TestRepo): World;
  take(world: World, step: Step): void | Promise<void>;
}

interface Failure {
  readonly error: unknown;
  readonly story: readonly string[];
  readonly steps: readonly Step[];
}

/**
 * Runs `total` random steps, in sequences. Prints the seed, which is a new one each time unless there is a usual one. A sequence
 * that fails is made shorter, and the error says how to run it again.
 */
export const explore = <World extends Explored>(
  exploration: Exploration<World>,
  total: number,
  usualSeed?: number,
): Promise<void> => new Explorer(exploration).run(total, usualSeed);

class Explorer<World extends Explored> {
  private readonly exploration: Exploration<World>;
  private readonly counts = new Map<string, number>();

  constructor(exploration: Exploration<World>) {
    this.exploration = exploration;
  }

  async run(total: number, usualSeed: number | undefined): Promise<void> {
    const { name, env, length } = this.exploration;
    const given = this.variable('STEPS') ?? '';
    if (given.startsWith('[')) return this.report(await this.takeAll(JSON.parse(given) as Step[]), 0);
    const seed = Number(this.variable('SEED') ?? usualSeed ?? Math.floor(Math.random() * 2 ** 31));
    const sequences = Math.ceil((Number(given) || total) / length);
    console.log(`${name}: ${sequences * length} steps, ${env}_SEED=${seed}`);
    const failed: number[] = [];
    for (let at = 0; at < sequences; at++) {
      if (this.variable('COLLECT') === '1') console.log(`${name}: ${env}_SEED=${seed + at}`);
      const failure = await this.takeAll(this.stepsOf(seed + at));
      if (failure) await this.note(failure, seed + at, failed);
      const taken = (at + 1) * length;
      if (taken % 1000 === 0) console.log(`${name}: ${taken} steps taken`);
    }
    if (this.counts.size > 0) console.log([...this.counts].map((entry) => entry.join(' ')).join(', '));
    if (failed.length > 0) throw new Error(`sequences that failed: ${failed.join(', ')}`);
  }

  private variable(name: string): string | undefined {
    return process.env[`${this.exploration.env}_${name}`];
  }

  /** `<env>_COLLECT=1` names the failures and goes on to the end. */
  private async note(failure: Failure, seed: number, failed: number[]): Promise<void> {
    if (this.variable('COLLECT') !== '1') this.report(await this.shrink(failure), seed);
    console.log(`FAIL ${seed}: ${describe(failure)}`);
    failed.push(seed);
  }

  private stepsOf(seed: number): readonly Step[] {
    const { anyStep, length } = this.exploration;
    const sequence = fc.array(anyStep, { minLength: length, maxLength: length, size: 'max' });
    return fc.sample(sequence, { seed, numRuns: 1 })[0] as readonly Step[];
  }

  /** Takes the steps, one after the other; the failure of the first that goes wrong. */
  private async takeAll(steps: readonly Step[]): Promise<Failure | undefined> {
    const repo = new TestRepo(BUILDS[0] as Build);
    let world: World | undefined;
    const taken: Step[] = [];
    try {
      world = this.exploration.begin(repo);
      for (const step of steps) {
        taken.push(step);
        await this.exploration.take(world, step);
        world.expectSound();
        await new Promise((resolve) => setImmediate(resolve)); // the runner wants to hear from its worker
      }
      repo.expectSound();
      return undefined;
    } catch (error) {
      return { error, story: world?.story ?? [], steps: taken };
    } finally {
      for (const [what, count] of world?.counts ?? [])
        this.counts.set(what, (this.counts.get(what) ?? 0) + count);
      if (this.variable('KEEP') === '1') console.log(`${this.exploration.name}: kept ${repo.scratch}`);
      else repo.remove();
    }
  }

  /** Leaves out steps as long as what is left still fails in the same way: another failure may be another fault. */
  private async shrink(failure: Failure): Promise<Failure> {
    const until = Date.now() + SHRINK_MS;
    let best = failure;
    for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
      for (let at = best.steps.length - size; at >= 0 && Date.now() < until; at -= size) {
        const fewer = best.steps.filter((_, index) => index < at || index >= at + size);
        if (fewer.length === best.steps.length) continue;
        const shorter = await this.takeAll(fewer);
        if (shorter && kindOf(shorter) === kindOf(failure)) best = shorter;
      }
    }
    return best;
  }

  private report(failure: Failure | undefined, seed: number): void {
    if (!failure) return;
    const { env, length } = this.exploration;
    const { error, story, steps } = failure;
    const again = `${env}_SEED=${seed} ${env}_STEPS=${length}\n${env}_STEPS='${JSON.stringify(steps)}'`;
    throw new Error(`${describe(failure)}\n\n${story.join('\n')}\n\nagain: ${again}`, { cause: error });
  }
}

/** What is said without what it is said of. */
const kindOf = (failure: Failure): string => describe(failure).replace(/\S*[\d/.'"[\]]\S*/g, '');

const describe = ({ error }: Failure): string => (error instanceof Error ? error.message : String(error));

/** A step among those that are named with how often they come, done by somebody, with so many numbers to pick by. */
export const stepsOf = (
  weights: Readonly<Record<string, { readonly weight: number }>>,
  whom: fc.Arbitrary<string>,
  numbers = 7,
): fc.Arbitrary<Step> =>
  fc
    .tuple(
      fc.oneof(
        ...Object.entries(weights).map(([name, { weight }]) => ({ weight, arbitrary: fc.constant(name) })),
      ),
      whom,
      fc.array(fc.nat({ max: 9999 }), { minLength: numbers, maxLength: numbers, size: 'max' }),
    )
    .map(([act, who, picks]) => [act, who, ...picks] as const);
