/** A program that shows the samples of a folder in every language, for builds whose commands do not: `<folder>`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { viewSource } from '../../../src/context/skeleton/source-view.ts';

const [folder = '.'] = process.argv.slice(2);
const views: Record<string, unknown> = {};
for (const file of readdirSync(folder)) {
  const text = readFileSync(join(folder, file), 'utf8');
  views[file] = await viewSource(file, text, { mode: 'skeleton' });
}
process.stdout.write(JSON.stringify(views));
