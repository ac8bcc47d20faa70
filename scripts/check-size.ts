/** Refuses a source file over 300 lines, unless a comment at its top begins with `Long on purpose:` and says why. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LIMIT = 300;
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.mjs'], {
  encoding: 'utf8',
});
const long = listed
  .split('\n')
  .filter(Boolean)
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const lines = text.split('\n').length - 1;
    return lines > LIMIT && !text.slice(0, 600).includes('Long on purpose:')
      ? [`${file}: ${lines} lines`]
      : [];
  });
if (long.length > 0) {
  console.error(`over ${LIMIT} lines without a reason at the top:\n  ${long.join('\n  ')}`);
  process.exit(1);
}
