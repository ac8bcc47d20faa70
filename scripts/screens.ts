/**
 * Draws what terminals show of every command to `docs/screens.html`: from the golden files, which the tests hold against real
 * terminals. `--out FILE` writes somewhere else.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readScreens } from '../integration/support/screens/golden.ts';
import { renderSheet } from './demo/sheet.ts';

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(checkout, 'docs', 'screens.html') } },
});

const screens = readScreens(join(checkout, 'integration', 'golden', 'screens'));
const page = renderSheet(screens);
writeFileSync(values.out, page);
console.log(
  `${values.out.replace(`${checkout}/`, '')}: ${screens.length} screens, ${Math.ceil(page.length / 1024)} KiB`,
);
