import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram } from '../../src/base/process/program.ts';
import { root } from '../support/process/builds.ts';

/**
 * What all agents promise, asked of one that is made up for this test: a folder, a line in `names.ts`, `registry.ts` and `setups.ts`, and its
 * fixtures. Whoever adds a real one touches no more of `src` than that.
 */
const LAWS = [
  'src/hooks/agents-contract.test.ts',
  'src/hooks/agent-settings.test.ts',
  'src/hooks/planted-links.test.ts',
  'src/agents/shared/headless/headless.test.ts',
  'src/agents/shared/transcript/json-lines-beginning.test.ts',
  'src/agents/shared/transcript/kept-transcripts.test.ts',
  'src/conversation/read-conversation.test.ts',
  'src/conversation/walk/title.test.ts',
];

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'new-agent-'));
  for (const name of ['src', 'integration', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

test('an agent that nobody has takes one folder and three lines, and keeps what all agents promise', async () => {
  makeUp('src/agents');
  makeUp('integration/fixtures');
  insert('src/agents/names.ts', '} as const satisfies', [
    "'made-up': {",
    "type: 'Made Up', program: 'made-up', description: 'Made Up - an agent that nobody has',",
    "marker: 'MADE_UP', loadHooks: async () => (await import('./made-up/hook-input.ts')).qwenHooks,",
    '},',
  ]);
  insert('src/agents/registry.ts', '/** The agents that are built in.', [
    "import { qwenCode as madeUp } from './made-up/agent.ts';",
  ]);
  insert('src/agents/registry.ts', '};\n\nexport const agentOf', ["'made-up': madeUp,"]);
  insert('src/agents/setups.ts', '/** How the agents that are built in', [
    "import { qwenCodeSetup as madeUp } from './made-up/setup.ts';",
  ]);
  insert('src/agents/setups.ts', '};\n\nexport const setupOf', ["'made-up': madeUp,"]);

  expect(await run('typescript/bin/tsc', '--noEmit')).toEqual({ code: 0, output: '' });
  const results = join(copy, 'results.json');
  const asked = ['--project', 'unit', '-t', 'made-up', ...LAWS];
  const { output } = await run(
    'vitest/vitest.mjs',
    'run',
    '--reporter',
    'json',
    '--outputFile',
    results,
    ...asked,
  );
  const { numFailedTests, testResults } = JSON.parse(readFileSync(results, 'utf8')) as Results;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  expect([failed, numFailedTests], output).toEqual([[], 0]);
  expect(tests.filter(({ status }) => status === 'passed').length).toBeGreaterThan(50);
}, 300_000);

interface Results {
  readonly numFailedTests: number;
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>;
  }>;
}

/** As Qwen Code, but for its name and its places. */
function makeUp(parent: string): void {
  const folder = join(copy, parent, 'made-up');
  cpSync(join(copy, parent, 'qwen-code'), folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.name.endsWith('.test.ts')) rmSync(file);
    else if (entry.isFile()) writeFileSync(file, rename(readFileSync(file, 'utf8')));
    if (/qwen/.test(entry.name)) renameSync(file, join(entry.parentPath, rename(entry.name)));
  }
}

const rename = (text: string): string =>
  text
    .replaceAll('qwen-code/', 'made-up/')
    .replaceAll("'qwen-code'", "'made-up'")
    .replaceAll('QWEN_CODE', 'MADE_UP')
    .replaceAll(/\.qwen(?![A-Z])/g, '.made-up')
    .replaceAll('QWEN.md', 'MADEUP.md')
    .replaceAll('QWEN_', 'MADE_UP_');

function insert(path: string, before: string, lines: readonly string[]): void {
  const file = join(copy, path);
  const text = readFileSync(file, 'utf8');
  expect(text.split(before)).toHaveLength(2);
  writeFileSync(file, text.replace(before, `${lines.join('\n')}\n${before}`));
}

async function run(
  program: string,
  ...args: string[]
): Promise<{ code: number | undefined; output: string }> {
  const end = await runProgram({
    ...{ program: process.execPath, args: [join(root, 'node_modules', program), ...args], input: '' },
    ...{ cwd: copy, env: process.env, timeoutMs: 280_000, forbidden: [] },
  });
  return { code: end.code, output: end.stdout + end.stderr };
}
