import { checkIntegrity, compareKept, type Kind, readKept } from './kept.ts';
import { type Runtime, startStorage } from './processes.ts';

export interface KillStorm {
  readonly kind: Kind;
  readonly place: string;
  readonly kills: number;
  readonly random: () => number;
}

export interface Aftermath {
  readonly kills: number;
  /** Saves that were said to be kept before their process was killed. */
  readonly said: number;
  /** What was wrong after which kill; none. */
  readonly problems: readonly string[];
}

const LONGEST_MS = 60;

/**
 * Two processes save without end, one of each build, and one of them is killed at a random moment, again and again. After each kill
 * the store must be sound, and hold all that was said to be kept.
 */
export async function rage({ kind, place, kills, random }: KillStorm): Promise<Aftermath> {
  const said: string[] = [];
  const problems: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const runtimes: readonly Runtime[] = random() < 0.3 ? ['native', 'node'] : ['native', 'native'];
    const started = runtimes.map((runtime, index) =>
      startStorage(runtime, 'save', kind, place, `k${kill}x${index}`, '100000'),
    );
    const hasSaved = () => started.every(({ lines }) => lines.length > 0);
    await until(
      hasSaved,
      started.map(({ done }) => done),
    );
    await pause(random() * LONGEST_MS);
    const [victim, survivor] = random() < 0.5 ? started : [...started].reverse();
    victim?.kill();
    const before = survivor?.lines.length ?? 0;
    await until(() => (survivor?.lines.length ?? 0) > before + 2, survivor ? [survivor.done] : []);
    survivor?.kill();
    for (const { stderr } of await Promise.all(started.map(({ done }) => done)))
      if (stderr !== '') problems.push(`kill ${kill}: ${stderr}`);
    const recent = started.flatMap(({ lines }) => lines);
    said.push(...recent);
    problems.push(...(await judge(kind, place, recent)).map((problem) => `kill ${kill}: ${problem}`));
  }
  problems.push(...(await judge(kind, place, said, await readKept(kind, place))));
  return { kills, said: said.length, problems };
}

async function judge(
  kind: Kind,
  place: string,
  said: readonly string[],
  known?: ReadonlyMap<string, readonly string[]>,
): Promise<string[]> {
  const ids = new Set(said.map((line) => line.split(' ')[0] ?? ''));
  const { lost, twice } = compareKept(said, known ?? (await readKept(kind, place, ids)));
  const integrity = kind === 'sqlite' ? await checkIntegrity(place) : 'ok';
  return [
    ...(lost.length > 0 ? [`${lost.length} saves are lost: ${lost.slice(0, 3).join(', ')}`] : []),
    ...(twice.length > 0 ? [`twice in ${twice.join(', ')}`] : []),
    ...(integrity === 'ok' ? [] : [`integrity: ${String(integrity)}`]),
  ];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits, unless one of the processes ends by itself. @throws what it said then, or after a minute */
async function until(holds: () => boolean, ended: readonly Promise<{ stderr: string }>[]): Promise<void> {
  let end: string | undefined;
  for (const one of ended) void one.then(({ stderr }) => (end = stderr));
  for (const deadline = Date.now() + 60_000; !holds(); await pause(3)) {
    if (end !== undefined) throw new Error(`a process ended by itself: ${end}`);
    if (Date.now() > deadline) throw new Error('nothing was saved for a minute');
  }
}
