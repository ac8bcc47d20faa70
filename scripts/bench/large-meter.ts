/** Steps of a large session: each is timed, weighed, and checked by what it left. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { compile } from './contestants.ts';
import type { Play } from './play.ts';
import { renderMarkdown, renderTargets, type Target } from './report.ts';
import { timed } from './timing.ts';

/** What an agent or git waits for has a limit; what a person asks for has none unless it says so. */
type Kind = 'hook' | 'background' | 'command';

interface Weighed {
  readonly step: string;
  readonly kind: Kind;
  readonly ms: number;
  /** `undefined` where it could not be told. */
  readonly mib: number | undefined;
}

const HOOK_MIB = 300;
const POLL_MS = 100;

/** Runs steps, one after the other. */
export class Meter {
  readonly steps: Weighed[] = [];
  private readonly peakProgram = compile(new URL('./peak.ts', import.meta.url));
  private readonly title: string;

  constructor(title: string) {
    this.title = title;
  }

  /** Calls the agent hook as Claude Code does. */
  hook(play: Play, verb: string, input: string): void {
    const { command, env, repo } = play.who;
    const args = ['hooks', 'claude-code', verb];
    this.run(play, `${verb} hook`, 'hook', [command, ...args], { ...env, CLAUDE_PROJECT_DIR: repo }, input);
  }

  /** Runs git, whose hooks are ours; the peak is that of whichever process of it is the largest. */
  git(play: Play, ...args: string[]): void {
    this.run(play, `git ${args[0]}`, 'hook', ['git', ...args], play.who.env, '');
  }

  /** Runs a command of ours and returns what it printed. */
  entire(play: Play, ...args: string[]): string {
    return this.run(play, args.join(' '), 'command', [play.who.command, ...args], play.who.env, '');
  }

  private run(
    { world, who }: Play,
    step: string,
    kind: Kind,
    command: readonly string[],
    env: NodeJS.ProcessEnv,
    input: string,
  ): string {
    const output = join(world.dir, 'output');
    const options = { cwd: who.repo, env: { ...env, PEAK_OUTPUT: output }, input };
    writeFileSync(output, ''); // what is written there is not cut to its length
    const { ms, stdout } = timed(this.peakProgram, command, options);
    this.add({ step, kind, ms, mib: Number(stdout) / 1024 ** 2 });
    return readFileSync(output, 'utf8');
  }

  /** Waits for a process that a hook started, known by a word on its command line. */
  async background(step: string, word: string, isDone: () => boolean, timeoutMs: number): Promise<void> {
    const before = Date.now();
    let mib: number | undefined;
    while (!isDone()) {
      if (Date.now() - before > timeoutMs) throw new Error(`${step} took longer than ${timeoutMs} ms`);
      mib = Math.max(mib ?? 0, peakOf(word) ?? 0) || undefined;
      await setTimeout(POLL_MS);
    }
    this.add({ step, kind: 'background', ms: Date.now() - before, mib });
  }

  private add(weighed: Weighed): void {
    this.steps.push(weighed);
    if (process.stderr.isTTY) process.stderr.write(`${this.title}: ${weighed.step}\n`);
  }

  render(more: readonly Target[]): string {
    const rows = this.steps.map(({ step, ms, mib }) => [
      step,
      (ms / 1000).toFixed(2),
      mib === undefined ? '–' : mib.toFixed(0),
    ]);
    const hooks = this.steps.filter(({ kind }) => kind !== 'command');
    const peaks = hooks.flatMap(({ step, mib }) => (mib === undefined ? [] : [{ step, mib }]));
    const largest = peaks.toSorted((one, other) => other.mib - one.mib)[0];
    const target = {
      what: `${this.title}: largest hook (${largest?.step})`,
      value: largest?.mib ?? Number.NaN,
      limit: HOOK_MIB,
      unit: ' MiB',
    };
    return [
      renderMarkdown([this.title, 's', 'peak, MiB'], rows),
      renderTargets([target, ...more.map((one) => ({ ...one, what: `${this.title}: ${one.what}` }))]),
    ].join('\n\n');
  }

  /** The last step of that name. */
  last(step: string): Weighed {
    const found = this.steps.findLast((weighed) => weighed.step === step);
    if (!found) throw new Error(`there was no ${step}`);
    return found;
  }
}

/** The most memory that a process had so far, in MiB; `undefined` without one, and where nobody tells. */
function peakOf(word: string): number | undefined {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const line = readIfThere(`/proc/${pid}/cmdline`).split('\0');
      const isOurs = line.includes(word) && line.includes('hooks');
      const [, kib] = (isOurs && /^VmHWM:\s+(\d+)/m.exec(readIfThere(`/proc/${pid}/status`))) || [];
      if (kib) return Number(kib) / 1024;
    }
  } catch {
    // a system without /proc
  }
  return undefined;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it has ended
  }
}
