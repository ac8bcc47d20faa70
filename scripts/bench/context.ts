/** What it costs to show many source files as skeletons, against reading and joining the same files. The built library. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StructureCache } from '../../src/context/aggregate/structure-cache.ts';
import { createRandom, type Random } from './random.ts';
import { describeMachine, renderMarkdown } from './report.ts';
import { median, spread } from './timing.ts';

type Library = typeof import('../../src/library/context.ts');

const FILES_IN_FOLDER = 100;
const FUNCTIONS = 12;

export async function measureContext(files: number, rounds: number): Promise<string> {
  const library = (await import(resolve('dist', 'context.mjs'))) as Library; // its grammars are files beside it
  const dir = mkdtempSync(join(tmpdir(), 'entire-bench-context-'));
  try {
    const root = join(dir, 'src');
    const bytes = writeSources(root, files);
    await aggregate(library, root, new library.InMemoryStructureCache(1)); // grammars are loaded once in a process
    const read = repeat(rounds, () => concatenate(root));
    const first: number[] = [];
    const second: number[] = [];
    let parsedAgain = 0;
    for (let round = 0; round < rounds; round++) {
      const folder = join(dir, `cache-${round}`);
      const cold = new CountingCache(new library.DiskStructureCache(folder));
      first.push(await aggregate(library, root, cold));
      if (cold.parsed !== files) throw new Error(`${cold.parsed} of ${files} files were parsed`);
      const warm = new CountingCache(new library.DiskStructureCache(folder));
      second.push(await aggregate(library, root, warm));
      parsedAgain += warm.parsed;
    }
    if (parsedAgain > 0) throw new Error(`${parsedAgain} unchanged files were parsed again`);
    const baseline = median(read);
    const row = (name: string, times: readonly number[]): string[] => [
      name,
      `${median(times).toFixed(0)} ± ${spread(times).toFixed(0)}`,
      ((files / median(times)) * 1000).toFixed(0),
      `${(median(times) / baseline).toFixed(1)}×`,
    ];
    return [
      renderMarkdown(
        ['', 'ms', 'files per second', 'to reading'],
        [
          row('read and joined', read),
          row('skeletons, first run', first),
          row('skeletons, second run', second),
        ],
      ),
      'Medians ± median absolute deviation. In the second run no file was parsed again.',
      describeMachine([`${files} files`, `${(bytes / 1e6).toFixed(1)} MB`, `${rounds} rounds`]),
    ].join('\n\n');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Counts what was parsed: only that is put into a cache. */
class CountingCache implements StructureCache {
  parsed = 0;
  private readonly cache: StructureCache;

  constructor(cache: StructureCache) {
    this.cache = cache;
  }

  get: StructureCache['get'] = (key) => this.cache.get(key);

  put: StructureCache['put'] = (key, structure) => {
    this.parsed++;
    this.cache.put(key, structure);
  };
}

async function aggregate(library: Library, root: string, cache: StructureCache): Promise<number> {
  const start = performance.now();
  const item = new library.FileItem({ path: '**/*', viewMode: 'skeleton' });
  const built = await library.buildFileItems(root, [item], { cache });
  const text = library.buildMarkdownNoHistory(built);
  const took = performance.now() - start;
  if (!text.includes('function_0') || built.some(({ view }) => view !== 'skeleton'))
    throw new Error('files were not shown as skeletons');
  return took;
}

function concatenate(root: string): number {
  const start = performance.now();
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  );
  const text = names.map((name) => `### ${name}\n\n${readFileSync(join(root, name), 'utf8')}`).join('\n\n');
  const took = performance.now() - start;
  if (!text.includes('function_0')) throw new Error('files were not read');
  return took;
}

const repeat = (rounds: number, act: () => number): number[] => Array.from({ length: rounds }, act);

/** Sources in three languages, a few kilobytes each, all different. @returns their bytes */
function writeSources(root: string, files: number): number {
  const random = createRandom(11);
  let bytes = 0;
  for (let at = 0; at < files; at++) {
    const folder = join(root, `folder-${Math.floor(at / FILES_IN_FOLDER)}`);
    mkdirSync(folder, { recursive: true });
    const [extension, write] = LANGUAGES[at % LANGUAGES.length] as (typeof LANGUAGES)[number];
    const text = Array.from({ length: FUNCTIONS }, (_, index) => write(index, random)).join('\n');
    writeFileSync(join(folder, `file-${at}.${extension}`), text);
    bytes += Buffer.byteLength(text);
  }
  return bytes;
}

const words = (random: Random): string => JSON.stringify(random.text(60));

const LANGUAGES: ReadonlyArray<readonly [string, (at: number, random: Random) => string]> = [
  [
    'ts',
    (at, random) =>
      `/** ${random.hex(20)} */\nexport function function_${at}(a: number, b: string): string {\n  const text = ${words(random)};\n  if (a > ${at}) {\n    return text + b;\n  }\n  return ${words(random)};\n}\n`,
  ],
  [
    'py',
    (at, random) =>
      `def function_${at}(a, b):\n    """${random.hex(20)}"""\n    text = ${words(random)}\n    if a > ${at}:\n        return text + b\n    return ${words(random)}\n`,
  ],
  [
    'c',
    (at, random) =>
      `/* ${random.hex(20)} */\nconst char *function_${at}(int a, const char *b)\n{\n  const char *text = ${words(random)};\n  if (a > ${at})\n    return text;\n  return b;\n}\n`,
  ],
];
