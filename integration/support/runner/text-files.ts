import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vitest/config';

const MARK = '\0text-file:';

/** In tests an import of a page's style or script gives its text, as the bundlers of both builds do (`with { type: 'text' }`). */
export const textFiles = (): Plugin => ({
  name: 'text-files',
  enforce: 'pre', // else styles are made into modules of another kind, and scripts run
  resolveId: (source, importer) =>
    importer && /\/export\/html\//.test(importer) && /^\.\/page\.(?:css|js)$/.test(source)
      ? MARK + Buffer.from(resolve(dirname(importer), source)).toString('base64url') // an id that ends in `.css` would be a style
      : undefined,
  load: (id) =>
    id.startsWith(MARK)
      ? `export default ${JSON.stringify(readFileSync(Buffer.from(id.slice(MARK.length), 'base64url').toString(), 'utf8'))};`
      : undefined,
});
