import { join } from 'node:path';
import { describeError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { log } from '../base/log.ts';
import { entireHome } from './home.ts';

/** Drops what lists of sessions remember, where they remember one: caches, which are made again. Never throws. */
export function forgetInCaches(id: string, env: NodeJS.ProcessEnv = process.env): void {
  for (const name of ['session-heads.json', 'stats-cache.json']) {
    const file = join(entireHome(env), name);
    try {
      if (readOwnText(file, 'record')?.includes(id)) disk.rmSync(file, { force: true });
    } catch (error) {
      log('warn', 'cache not cleaned', { file, error: describeError(error) });
    }
  }
}
