/**
 * Holds the imports of `src` against the arrows in `.dependency-cruiser.mjs`, in two steps: the real tree must be
 * clean, and a planted violation of each kind must be found. A checker that looked at fewer modules than `src` has
 * files, or that would not notice a forbidden import, fails.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const config = await extractConfig(join(root, '.dependency-cruiser.mjs'));
const tsConfig = extractTsConfig(join(root, 'tsconfig.json'));

async function look(paths: string[]): Promise<ICruiseResult> {
  const { output } = await cruise(
    paths,
    { ...config.options, ruleSet: config, validate: true },
    {},
    { tsConfig },
  );
  return output as ICruiseResult;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const real = await look(['src']);
const seen = real.modules.filter((module) => module.source.startsWith('src/')).length;
if (seen < files.length) fail(`looked at ${seen} modules, but src has ${files.length} files`);
for (const violation of real.summary.violations) {
  console.error(`${violation.rule.name}: ${violation.from} → ${violation.to}`);
}
if (real.summary.violations.length > 0) fail('imports that the house does not allow');

/** One planted file per kind of rule: where it lies, what it imports, which rule must speak up. */
const PLANTED = [
  ['base', "import '../cli/main.ts';", 'room-base'],
  ['session', "import '../cli/main.ts';", 'room-session'],
  ['strategy', "import 'yargs';", 'door-yargs'],
  ['strategy/task', "import '../turn/end.ts';", 'strategy-task'],
  ['context', "import '../agents/shared/apply-patch.ts';", 'room-context'],
  ['checkpoint', "import 'node:child_process';", 'one-door-to-processes'],
  ['hooks', "import 'node:fs';", 'one-door-to-files'],
  ['settings', "import 'node:crypto';", 'one-door-to-hashes'],
  ['hooks', "import '../context/skeleton/grammar.ts';", 'parser-is-lazy'],
  ['conversation/storage', "import 'libsql';", 'sqlite-is-lazy'],
  ['cli', "import('bun:sqlite');", 'door-bun-sqlite'],
  ['agents', "import 'zod';", 'hot-path', 'hook-input.ts'],
] as const;

for (const [room, text, rule, name = 'planted.ts'] of PLANTED) {
  const dir = mkdtempSync(join('src', room, 'planted-'));
  try {
    const file = join(dir, name);
    writeFileSync(file, text.replace("'../", "'../../"));
    const names = (await look([file])).summary.violations.map((violation) => violation.rule.name);
    if (!names.includes(rule))
      fail(`a planted violation of ${rule} was not found (found: ${names.join(', ') || 'none'})`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
console.log(`arrows hold: ${seen} modules, ${PLANTED.length} planted violations found`);

function fail(message: string): never {
  throw new Error(`check-arrows: ${message}`);
}
