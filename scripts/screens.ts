/**
 * Draws what terminals show of every command to `docs/screens.html`: from the golden files, which the tests hold against real
 * terminals. `--out FILE` writes somewhere else.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readScreens } from '../integration/support/screens/golden.ts';
import { renderSheet } from './demo/sheet.ts';
import { root, shorten } from './native.ts';

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'docs', 'screens.html') } },
});

const screens = readScreens(join(root, 'integration', 'golden', 'screens'));
const page = renderSheet(screens);
writeFileSync(values.out, page);
console.log(`${shorten(values.out)}: ${screens.length} screens, ${Math.ceil(page.length / 1024)} KiB`);
