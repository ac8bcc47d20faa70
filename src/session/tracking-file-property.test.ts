import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disk, replaceDisk } from '../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import {
  appendFilesTouched,
  type Claim,
  claimFilesTouched,
  readFilesTouched,
  trackingFile,
} from './tracking-file.ts';

/**
 * What other processes do between two system calls of a writer, a claimer or a reader. Nested appends run to their
 * end; claims and releases need the session lock, so they come one after the other.
 */
type Step = 'nothing' | 'append' | 'claim' | 'release' | 'crash' | 'short write' | 'read';
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>('nothing') },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>('append', 'claim', 'release', 'crash', 'short write', 'read'),
  },
);

const id = parseSessionId('s1') as SessionId;
const HOOKED = [
  'openSync',
  'fstatSync',
  'writeSync',
  'statSync',
  'renameSync',
  'readdirSync',
  'readFileSync',
] as const;

class World {
  /** Paths whose append returned. */
  readonly recorded = new Set<string>();
  /** Paths that a claimer has made safe elsewhere. */
  readonly consumed = new Set<string>();
  private claim: Claim | undefined;
  private claiming = false;
  private count = 0;
  private readonly restore: () => void;
  private readonly dir: string;
  private readonly steps: Step[];
  private shortWrites = false;

  constructor(dir: string, steps: readonly Step[], shortWrites: boolean) {
    this.dir = dir;
    this.steps = [...steps];
    this.shortWrites = shortWrites;
    const real = { ...disk };
    const hooked = HOOKED.map((name) => {
      const call = real[name] as (...args: unknown[]) => unknown;
      return [
        name,
        (...args: unknown[]) => {
          const step = this.next();
          if (name === 'writeSync' && step === 'short write' && this.shortWrites)
            return real.writeSync(args[0] as number, (args[1] as Buffer).subarray(0, 2));
          this.perform(step);
          return call(...args);
        },
      ];
    });
    this.restore = replaceDisk(Object.fromEntries(hooked));
  }

  private next = (): Step => this.steps.shift() ?? 'nothing';

  perform(step: Step): void {
    if (step === 'append') return this.append();
    if (step === 'read') return this.check();
    if (this.claiming) return; // the session lock
    this.claiming = true;
    if (step === 'claim' && !this.claim) this.claim = claimFilesTouched(this.dir, id);
    if (step === 'crash') this.claim = undefined;
    if (step === 'release' && this.claim) {
      for (const path of this.claim.paths) this.consumed.add(path);
      this.claim.release();
      this.claim = undefined;
    }
    this.claiming = false;
  }

  append(): void {
    const path = `f${++this.count}`;
    appendFilesTouched(trackingFile(this.dir, id), [path as RepoPath]);
    this.recorded.add(path);
  }

  /** A reader that began now sees all that was recorded before, unless a claimer has it. */
  check(): void {
    const before = [...this.recorded];
    const seen = new Set<string>(readFilesTouched(this.dir, id));
    expect(before.filter((path) => !seen.has(path) && !this.consumed.has(path))).toEqual([]);
  }

  finish(): void {
    this.steps.length = 0;
    this.check();
    this.restore();
  }
}

function run(main: readonly Step[], between: readonly Step[], shortWrites: boolean): void {
  const dir = mkdtempSync(join(tmpdir(), 'entire-interleave-'));
  const world = new World(dir, between, shortWrites);
  try {
    for (const step of main) world.perform(step);
  } finally {
    world.finish();
    rmSync(dir, { recursive: true, force: true });
  }
}

const steps = (maxLength: number) => fc.array(step, { maxLength });
const appends = fc.array(fc.constantFrom<Step>('append', 'append', 'claim', 'release', 'crash', 'read'), {
  maxLength: 12,
});

test('whatever comes between two calls, no path that was recorded is lost', () => {
  fc.assert(
    fc.property(appends, steps(60), (main, between) => run(main, between, false)),
    { numRuns: 400 },
  );
});

test('short writes of a lone writer lose nothing either', () => {
  const lone = fc.array(fc.constantFrom<Step>('nothing', 'short write', 'claim', 'release', 'crash'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(appends, lone, (main, between) => run(main, between, true)),
    { numRuns: 200 },
  );
});

test('short writes among several writers lose nothing', () => {
  const torn = fc.constantFrom<Step>('nothing', 'nothing', 'append', 'claim', 'short write', 'short write');
  fc.assert(
    fc.property(appends, fc.array(torn, { maxLength: 60 }), (main, between) => run(main, between, true)),
    { numRuns: 400 },
  );
});
