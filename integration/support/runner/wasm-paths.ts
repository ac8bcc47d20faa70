import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';

const MARK = '\0wasm-path:';

/** In tests an import of a WASM file gives its path, as the bundlers of both builds do. */
export const wasmPaths = (): Plugin => ({
  name: 'wasm-paths',
  enforce: 'pre', // else it is left to Node, which refuses it
  resolveId: (source, importer) => {
    if (!source.endsWith('.wasm') || !importer) return undefined;
    const path = createRequire(pathToFileURL(importer)).resolve(source);
    return MARK + Buffer.from(path).toString('base64url'); // an id with `node_modules` in it would not be loaded here
  },
  load: (id) =>
    id.startsWith(MARK)
      ? `export default ${JSON.stringify(Buffer.from(id.slice(MARK.length), 'base64url').toString())};`
      : undefined,
});
