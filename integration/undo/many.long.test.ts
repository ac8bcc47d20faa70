import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { BUILDS, type Build } from '../support/process/builds.ts';
import { runWeighed } from '../support/process/peak.ts';
import { TestRepo } from '../support/repository/test-repo.ts';

/** `ENTIRE_TEST_FILES=100000`: as many as were asked for. */
const FILES = Number(process.env.ENTIRE_TEST_FILES ?? 10_000);

/** What a program of this kind takes by itself, and what one file more may take. */
const MIB_AT_ALL = 120;
const KIB_A_FILE = 9;

const pathOf = (at: number) => `made/d${Math.floor(at / 100)}/file-${at}.txt`;
const textOf = (at: number, version: string) => `${version} of ${at}\n${'x'.repeat(at % 500)}\n`;

/** `ENTIRE_TEST_FILES` of them. */
test('many files of one turn go back whole and exact, and come back so, in memory that a file adds little to', () => {
  const repo = new TestRepo(BUILDS[0] as Build);
  try {
    repo.ready();
    const known = FILES >> 1; // git has the one half, the other one is new
    const write = (from: number, to: number, version: string): void => {
      for (let at = from; at < to; at++) {
        const file = join(repo.dir, pathOf(at));
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, textOf(at, version));
      }
    };
    const wrongIn = (version: string): number[] =>
      Array.from({ length: FILES }, (_, at) => at).filter((at) => {
        const file = join(repo.dir, pathOf(at));
        if (version === 'before' && at >= known) return existsSync(file);
        return !existsSync(file) || readFileSync(file, 'utf8') !== textOf(at, version);
      });
    write(0, known, 'before');
    repo.git('add', '.');
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'Half of them');
    const session = repo.session();
    session.prompt('write many');
    session.shell(() => write(0, FILES, 'after'));
    session.stop();
    const limit = MIB_AT_ALL + (KIB_A_FILE * FILES) / 1024;
    for (const [command, version] of [
      ['undo', 'before'],
      ['redo', 'after'],
      ['undo', 'before'],
    ] as const) {
      const { code, mib } = runWeighed(repo, ['entire', command]);
      process.stdout.write(`${command} of ${FILES} files: ${Math.round(mib)} MiB\n`);
      expect([command, code, wrongIn(version)]).toEqual([command, 0, []]);
      expect(mib).toBeLessThan(limit);
    }
    expect(repo.git('status', '--porcelain')).toBe('');
  } finally {
    repo.remove();
  }
});
