/**
 * Makes both builds from the same entry: `dist/entire.mjs` with esbuild for Node, and `dist/entire` with Bun's
 * compiler, the executable people run; and the manual pages. `--node` or `--native` makes only one; `--entry FILE --out FILE` compiles
 * another entry with the same flags (tests and the benchmark need that), `--version` as another release.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { compileNative, readDefines, root, shorten } from './native.ts';
import { NOTICES, renderNotices } from './notices.ts';

const dist = join(root, 'dist');

const { values } = parseArgs({
  options: {
    node: { type: 'boolean' },
    native: { type: 'boolean' },
    entry: { type: 'string' },
    out: { type: 'string' },
    version: { type: 'string' },
  },
});

const define = readDefines(values.version);

mkdirSync(dist, { recursive: true });
if (values.entry && values.out) {
  reportNative(compileNative({ entry: resolve(values.entry), out: resolve(values.out), define }));
} else {
  if (!values.native) {
    await bundleForNode();
    await import('./man.ts');
  }
  if (!values.node)
    reportNative(compileNative({ entry: join(root, 'src/entire.ts'), out: join(dist, 'entire'), define }));
}

async function bundleForNode(): Promise<void> {
  for (const folder of ['chunks', 'wasm']) rmSync(join(dist, folder), { recursive: true, force: true });
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: {
      entire: 'src/entire.ts',
      index: 'src/index.ts',
      context: 'src/library/context.ts',
      conversations: 'src/library/conversations.ts',
      snapshots: 'src/library/snapshots.ts',
    },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'], // jsonc-parser's UMD form hides its requires from bundlers
    target: 'node20.19',
    external: ['bun:sqlite', 'libsql', '*.node'],
    loader: { '.wasm': 'file' }, // Bun does the same by itself, and keeps the files in the executable
    assetNames: 'wasm/[name]-[hash]',
    define,
    legalComments: 'none',
    logLevel: 'warning',
    // Bundled CommonJS packages call require() for built-ins.
    banner: {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    },
  });
  writeFileSync(join(dist, NOTICES), renderNotices(root, Object.keys(metafile.inputs)));
  console.log('dist/entire.mjs');
}

function reportNative(made: string | undefined): void {
  console.log(made === undefined ? 'no Bun binary for this platform: the Node build serves' : shorten(made));
}
