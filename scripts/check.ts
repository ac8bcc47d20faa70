/** Runs every `check:…` of package.json, also behind one that failed; prints what those said that failed, and which they were. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const isTerminal = process.stdout.isTTY;

function run(name: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

const failed: string[] = [];
for (const name of Object.keys(scripts).filter((one) => one.startsWith('check:'))) {
  const begin = Date.now();
  const { code, output } = await run(name);
  console.log(`${code === 0 ? 'passes' : 'FAILS '}  ${name}  ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  if (code === 0) continue;
  failed.push(name);
  console.log(isTerminal ? output : stripVTControlCharacters(output));
}
console.log(failed.length === 0 ? 'All checks pass.' : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
