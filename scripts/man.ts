/** Writes the manual page, `dist/man/entire.1`, from the table of commands. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeAll } from '../src/cli/commands.ts';
import { renderManPage } from '../src/cli/man-page.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
mkdirSync(join(root, 'dist/man'), { recursive: true });
writeFileSync(join(root, 'dist/man/entire.1'), renderManPage(await describeAll(), version));
console.log('dist/man/entire.1');
