/**
 * Draws what terminals show of every command to `docs/screens.html`: from the golden files, which the tests hold against real
 * terminals. `--out FILE` writes somewhere else.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseGolden } from '../integration/support/screens/golden.ts';
import { renderSheet } from './demo/sheet.ts';

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(checkout, 'docs', 'screens.html') } },
});

const folder = join(checkout, 'integration', 'golden', 'screens');
const screens = readdirSync(folder)
  .filter((name) => name !== 'help-of-commands.txt')
  .sort()
  .flatMap((name) => parseGolden(readFileSync(join(folder, name), 'utf8')));
const page = renderSheet(screens);
writeFileSync(values.out, page);
console.log(
  `${values.out.replace(`${checkout}/`, '')}: ${screens.length} screens, ${Math.ceil(page.length / 1024)} KiB`,
);
