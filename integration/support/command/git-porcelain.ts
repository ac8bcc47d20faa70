import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestRepo } from '../repository/test-repo.ts';
import { blame } from './blame.ts';

/** A line as a program that reads git's output knows it; text as latin1, so that every byte counts. */
export interface ReadLine {
  readonly commit: string;
  readonly original: number;
  readonly filename: string;
  readonly previous: string | undefined;
  /** Author, committer, summary, boundary. */
  readonly commitRows: readonly string[];
  readonly content: string | undefined;
  /** Header lines of ours that hold, as one that keeps them by commit has them. */
  readonly facts: Readonly<Record<string, string>>;
}

type Form = 'porcelain' | 'line-porcelain' | 'incremental';

const ORDER =
  'author author-mail author-time author-tz committer committer-mail committer-time committer-tz summary'.split(
    ' ',
  );

/**
 * Reads what `git blame` prints for programs, and refuses whatever is not as git's documentation has it: a program of its own, which knows
 * nothing of how ours is written.
 */
export function readPorcelain(bytes: Buffer, form: Form): Map<number, ReadLine> {
  const text = bytes.toString('latin1');
  if (text !== '') expect(text.endsWith('\n')).toBe(true);
  const rows = text.split('\n').slice(0, -1);
  const commits = new Map<string, { rows: string[]; facts: Record<string, string>; place: string[] }>();
  const found = new Map<number, ReadLine>();
  let at = 0;
  while (at < rows.length) {
    const [, commit = '', original, line, count] =
      /^([0-9a-f]{40}|[0-9a-f]{64}) (\d+) (\d+) (\d+)$/.exec(rows[at] as string) ?? [];
    expect(commit, `a group begins at: ${rows[at]}`).not.toBe('');
    for (let nth = 0; nth < Number(count); nth++) {
      const own = { original: Number(original) + nth, line: Number(line) + nth };
      if (nth === 0 || form !== 'incremental') {
        const expected = `${commit} ${own.original} ${own.line}${nth === 0 ? ` ${count}` : ''}`;
        expect(rows[at++]).toBe(expected);
      }
      const header: string[] = [];
      const isOver = (): boolean =>
        form === 'incremental'
          ? header.at(-1)?.startsWith('filename ') === true || nth > 0
          : (rows[at] ?? '\t').startsWith('\t');
      while (!isOver()) header.push(rows[at++] as string);
      const known = commits.get(commit) ?? { rows: [], facts: {}, place: [] };
      const isTold = nth === 0 || form === 'line-porcelain';
      const isFirst = !commits.has(commit) || (form === 'line-porcelain' && isTold);
      read(header, known, isFirst, isTold);
      commits.set(commit, known);
      const content = form === 'incremental' ? undefined : rows[at++]?.slice(1);
      expect(found.has(own.line)).toBe(false);
      found.set(own.line, {
        ...{ commit, original: own.original, content, commitRows: [...known.rows] },
        filename: known.place.at(-1) as string,
        previous: known.place.length > 1 ? known.place[0] : undefined,
        facts: Object.fromEntries(Object.entries(known.facts).filter(([, value]) => value !== '')),
      });
    }
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}

function read(
  header: readonly string[],
  known: { rows: string[]; facts: Record<string, string>; place: string[] },
  isFirst: boolean,
  isTold: boolean,
): void {
  const keyOf = (row: string): string => row.split(' ')[0] as string;
  const ours = header.filter((row) => row.startsWith('entire-'));
  const place = header.filter((row) => /^(previous|filename) /.test(row));
  const rest = header.filter((row) => !ours.includes(row) && !place.includes(row));
  if (!isTold) expect(header).toEqual([]);
  if (isFirst) {
    expect(rest.map(keyOf)).toEqual(rest.length > ORDER.length ? [...ORDER, 'boundary'] : ORDER);
    expect(place.at(-1)).toMatch(/^filename /);
    known.rows = rest;
  } else expect(rest).toEqual([]);
  expect(header).toEqual([...rest, ...ours, ...place]);
  if (place.length > 0) known.place = place;
  for (const row of ours) {
    const key = keyOf(row);
    expect(key).toMatch(/^entire-(class|reason|agent|session|turn|checkpoint|prompt)$/);
    known.facts[key] = Buffer.from(row.slice(key.length + 1), 'latin1').toString('utf8');
  }
}

/** What a program prints, byte by byte. */
export function bytesOf(repo: TestRepo, command: 'git' | 'entire', ...args: string[]): Buffer {
  const program = command === 'git' ? 'git' : join(repo.build.bin, 'entire');
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: repo.dir, env: repo.env });
  expect(status, `${command} ${args.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

/** Times of what nobody has committed are those of the call. */
const timeless = ({ commitRows, facts: _, ...line }: ReadLine) => ({
  ...line,
  rows: commitRows.filter((row) => !/^0+$/.test(line.commit) || !/-time /.test(row)),
});

/**
 * What `entire blame` prints in each form for programs is what git's does, line by line, and says besides what `--json` does.
 *
 * @param options those of `git blame`; ours has the same, but for a revision
 */
export function expectAsGit(repo: TestRepo, path: string, options: string[] = [], revision?: string): void {
  const own = [...options, ...(revision ? ['--rev', revision] : [])];
  const { lines, sessions } = blame(repo, path, ...own);
  const facts = lines.map((line) => {
    const agent = sessions.find((one) => one.session_id === line.session_id)?.agent;
    const told = {
      'entire-class': line.class,
      'entire-reason': line.reason,
      'entire-agent': agent,
      'entire-session': line.session_id,
      'entire-turn': line.turn,
      'entire-checkpoint': line.checkpoint,
      'entire-prompt': line.prompt,
    };
    return Object.fromEntries(Object.entries(told).filter(([, value]) => value));
  });
  for (const form of ['porcelain', 'line-porcelain', 'incremental'] as const) {
    const args = ['blame', `--${form}`, ...options, ...(revision ? [revision] : []), '--', path];
    const theirs = readPorcelain(bytesOf(repo, 'git', ...args), form);
    const ours = readPorcelain(bytesOf(repo, 'entire', 'blame', path, `--${form}`, ...own), form);
    const toRows = (read: Map<number, ReadLine>) => [...read].map(([line, one]) => [line, timeless(one)]);
    expect(toRows(ours), `${form} of ${path}`).toEqual(toRows(theirs));
    expect([...ours.values()].map((line) => line.facts)).toEqual(facts);
  }
}
