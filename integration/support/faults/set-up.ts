import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setup as buildOnce } from '../process/build-once.ts';
import { root } from '../process/builds.ts';
import { forget, renderCounts } from './counts.ts';
import { FAULTY } from './host.ts';

/** Makes the builds and the one that can fail; prints the counts at the end. */
export function setup(): () => void {
  buildOnce();
  compileFaulty();
  forget();
  return () => console.log(`\n${renderCounts()}`);
}

export function compileFaulty(): void {
  const entry = join(root, 'integration', 'support', 'process', 'entire-faulty.ts');
  execFileSync('npx', ['tsx', 'scripts/build.ts', '--entry', entry, '--out', FAULTY], { cwd: root });
}
