/** Writes the manual, `dist/man/entire.1` and a page for each command, from the table of commands. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeAll } from '../src/cli/commands.ts';
import { renderManual } from '../src/cli/man/pages.ts';
import { readVersion, root } from './native.ts';

const dir = join(root, 'dist/man');
const pages = renderManual(await describeAll(), { version: readVersion(), date: dateOfHead() });
rmSync(dir, { recursive: true, force: true });
mkdirSync(dir, { recursive: true });
for (const [name, text] of pages) writeFileSync(join(dir, name), text);
console.log(`dist/man (${pages.size} pages)`);

/** The same source makes the same pages. */
function dateOfHead(): string {
  try {
    const args = ['log', '-1', '--format=%cd', '--date=format:%Y-%m-%d'];
    return execFileSync('git', args, { cwd: root, stdio: 'pipe' }).toString().trim();
  } catch {
    return new Date().toISOString().slice(0, 10); // a source archive, or no commit yet
  }
}
