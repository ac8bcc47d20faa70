import { expect } from 'vitest';
import { runInGroup } from '../storm/children.ts';
import type { Command, Found, Victim } from './victim.ts';

/** What came of the kills of one victim. */
export type Tally = Record<Found | 'kills', number>;

/** What any of the commands may take; each is known better after its first time. */
const FIRST_MS = 200;

/** Kills what goes back at random moments, and brings what that left to an end. */
export class GoingBackStorm {
  kills = 0;
  readonly tallies = new Map<string, Tally>();
  private readonly victims: readonly Victim[];
  private readonly random: () => number;
  /** How long a command takes when nobody kills it. */
  private readonly usualMs = new Map<string, number>();

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
    let killed = await this.run(victim, victim.prepare(), 'begun');
    while (killed) {
      const found = victim.look();
      this.tallyOf(victim)[found]++;
      if (found !== 'halfway') break;
      if (this.random() < 0.3) victim.meanwhile?.();
      killed = await this.run(victim, this.pick(victim.ends()), 'ended');
    }
    victim.settle(!killed);
  }

  /** Returns whether it was killed. */
  private async run(victim: Victim, command: Command, what: 'begun' | 'ended'): Promise<boolean> {
    const key = `${victim.name}, ${what}`;
    const usual = this.usualMs.get(key) ?? this.usualMs.get(`${victim.name}, begun`) ?? FIRST_MS;
    const { program, args, cwd, env } = command;
    const killAfterMs = what === 'begun' || this.random() < 0.5 ? this.moment() * usual : undefined;
    const { killed, ms, code, stderr } = await runInGroup(program, args, { cwd, env, killAfterMs });
    if (killed) {
      this.kills++;
      this.tallyOf(victim).kills++;
      this.usualMs.set(key, usual * 1.15); // until kills come late enough again: machines are not always as fast
      return true;
    }
    this.usualMs.set(key, usual * 0.4 + ms * 0.6);
    expect(code, `${program} ${args.join(' ')}: ${stderr}`).toBe(0);
    return false;
  }

  /** As a share of the usual time. Most of it goes by before the first file is replaced: half of the kills come later. */
  private moment(): number {
    return this.random() < 0.5 ? this.random() : 0.6 + 0.5 * this.random();
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  private tallyOf({ name }: Victim): Tally {
    return this.tallies.get(name) as Tally;
  }
}
