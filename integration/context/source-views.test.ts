import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../support/process/builds.ts';

const FIXTURES = join(root, 'integration', 'fixtures', 'skeleton');
const SAMPLES = readdirSync(FIXTURES).filter((name) => /^[^.]+\.[^.]+\.txt$/.test(name));

/** Far from `node_modules`, from where no build may take anything. */
let scratch: string;
let samples: string;
let expected: Record<string, unknown>;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'entire-views-'));
  samples = join(scratch, 'samples');
  mkdirSync(samples);
  const views = SAMPLES.map((sample) => {
    const name = sample.replace(/\.txt$/, '');
    cpSync(join(FIXTURES, sample), join(samples, name));
    const text = readFileSync(join(FIXTURES, `${name}.skeleton.txt`), 'utf8');
    return [name, expect.objectContaining({ status: 'shown', text })] as const;
  });
  expected = Object.fromEntries(views);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

test('the package shows each language with nothing but the files it is published with', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const needed = files.filter((name) => name !== 'dist/types'); // for compilers alone, and made by `npm run build` only
  for (const file of needed.map((name) => (name === 'dist/*.mjs' ? 'dist/context.mjs' : name))) {
    cpSync(join(root, file), join(scratch, 'package', file), { recursive: true });
  }
  const library = pathToFileURL(join(scratch, 'package', 'dist', 'context.mjs')).href;
  const program = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { viewSource } from ${JSON.stringify(library)};
    const views = {};
    for (const name of readdirSync('.')) {
      views[name] = await viewSource(name, readFileSync(name, 'utf8'), { mode: 'skeleton' });
    }
    process.stdout.write(JSON.stringify(views));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: samples });
  expect(JSON.parse(printed.toString())).toEqual(expected);
});

test('an executable has the grammars in itself', () => {
  const program = join(scratch, 'views');
  const entry = join(root, 'integration', 'support', 'process', 'entire-views.ts');
  execFileSync('npx', ['tsx', 'scripts/build.ts', '--entry', entry, '--out', program], { cwd: root });
  expect(JSON.parse(execFileSync(program, [samples]).toString())).toEqual(expected);
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-c/tree-sitter-c.wasm');
  expect(readFileSync(program).includes(readFileSync(grammar))).toBe(true);
});
