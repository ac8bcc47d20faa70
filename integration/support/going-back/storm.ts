import { expect } from 'vitest';
import { runInGroup } from '../storm/children.ts';
import { Moments } from './moments.ts';
import type { Command, Found, Victim } from './victim.ts';

/** What came of the kills of one victim. */
export type Tally = Record<Found | 'kills', number>;

/** Kills what goes back at random moments, and brings what that left to an end. */
export class GoingBackStorm {
  kills = 0;
  readonly tallies = new Map<string, Tally>();
  private readonly victims: readonly Victim[];
  private readonly random: () => number;
  private readonly moments = new Map<string, Moments>();

  constructor(victims: readonly Victim[], random: () => number) {
    this.victims = victims;
    this.random = random;
    for (const { name } of victims) this.tallies.set(name, { kills: 0, 'not begun': 0, halfway: 0, over: 0 });
  }

  /** Goes on until each victim had its share of so many kills. @throws what was found, and in which one */
  async rage(kills: number): Promise<void> {
    const share = Math.ceil(kills / this.victims.length);
    const due = () => this.victims.filter((victim) => this.tallyOf(victim).kills < share);
    for (let left = due(); left.length > 0; left = due()) {
      const victim = this.pick(left);
      try {
        await this.once(victim);
      } catch (cause) {
        throw new Error(`${victim.name}, after ${this.kills} kills: ${(cause as Error).message}`, { cause });
      }
    }
  }

  private async once(victim: Victim): Promise<void> {
    let found = await this.run(victim, victim.prepare(), 'begin');
    while (found === 'halfway') {
      if (this.random() < 0.3) victim.meanwhile?.();
      found = await this.run(victim, this.pick(victim.ends()), 'end');
    }
    victim.settle(found === undefined);
  }

  /** What begins is killed, but for the first; what ends it now and then. Returns what a kill found; `undefined` without one. */
  private async run(victim: Victim, command: Command, what: 'begin' | 'end'): Promise<Found | undefined> {
    const { program, args, cwd, env } = command;
    const key = `${what} ${victim.name}`;
    const moments = this.moments.get(key);
    const isDoomed = moments !== undefined && (what === 'begin' || this.random() < 0.5);
    const killAfterMs = isDoomed ? moments.choose(this.random) : undefined;
    const { killed, ms, code, stderr } = await runInGroup(program, args, { cwd, env, killAfterMs });
    if (!killed) expect(code, `${program} ${args.join(' ')}: ${stderr}`).toBe(0);
    const found = killed ? this.look(victim) : undefined;
    if (moments) moments.learn(ms, found);
    else this.moments.set(key, new Moments(ms));
    return found;
  }

  private look(victim: Victim): Found {
    this.kills++;
    const tally = this.tallyOf(victim);
    tally.kills++;
    const found = victim.look();
    tally[found]++;
    return found;
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  private tallyOf({ name }: Victim): Tally {
    return this.tallies.get(name) as Tally;
  }
}
