import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandPage } from '../command.ts';
import { describeAll } from '../commands.ts';
import { GROUPS } from '../help/root-help.ts';
import { renderManual } from './pages.ts';
import { code } from './roff.ts';
import { manualOf } from './text.ts';

const SECTIONS = [
  'NAME',
  'SYNOPSIS',
  'DESCRIPTION',
  'OPTIONS',
  'EXAMPLES',
  'EXIT STATUS',
  'ENVIRONMENT',
  'FILES',
  'SEE ALSO',
];

let commands: CommandPage[];
let manual: ReadonlyMap<string, string>;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'entire-man-'));
  commands = await describeAll();
  manual = renderManual(commands, { version: '1.2.3-rc.1', date: '2026-01-31' });
  for (const [name, text] of manual) writeFileSync(join(dir, name), text);
}, 60_000); // every command is loaded

afterAll(() => rmSync(dir, { recursive: true }));

/** Of the headings that a page has. */
const headings = (text: string): string[] => [...text.matchAll(/^\.SH (.+)$/gm)].map(([, one = '']) => one);

/** Runs a formatter over each page; what it says on stderr and stdout, by page. */
function complaints(program: string, ...args: string[]): string[] {
  return [...manual.keys()].flatMap((name) => {
    const { stdout, stderr } = spawnSync(program, [...args, join(dir, name)], { encoding: 'utf8' });
    return `${stdout}${stderr}`.split('\n').filter(Boolean);
  });
}

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

describe('the manual', () => {
  test('has a page for each command that people see, and names it in the overview', () => {
    const overview = manual.get('entire.1') as string;
    for (const name of GROUPS.flatMap((group) => group.commands)) {
      expect(manual.has(`${manualOf(name)}.1`), name).toBe(true);
      expect(overview).toContain(`.BR ${code(manualOf(name))} (1)`);
    }
    expect(manual.has('entire-curl-bash-post-install.1')).toBe(false);
    expect(headings(overview)).toEqual([
      ...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'EXIT STATUS', 'ENVIRONMENT', 'FILES', 'SEE ALSO'],
    ]);
  });

  test('has on the page of a command all that its help has, and of those below it', () => {
    for (const command of commands.filter(({ name }) => manual.has(`${manualOf(name)}.1`))) {
      const text = manual.get(`${manualOf(command.name)}.1`) as string;
      expect(text).toMatch(
        /^\.TH ENTIRE\\-[A-Z\\-]+ 1 2026-01-31 "entire 1\.2\.3\\-rc\.1" "Entire Manual"\n/,
      );
      const isGroup = command.commands.length > 0;
      const examples = [command, ...command.commands].flatMap((one) => one.examples);
      expect(headings(text), command.name).toEqual(
        SECTIONS.map((one) => (one === 'OPTIONS' && isGroup ? 'COMMANDS' : one)).filter(
          (one) => one !== 'EXAMPLES' || examples.length > 0,
        ),
      );
      for (const line of examples) expect(text).toContain(`\n${code(line)}\n`);
      for (const one of isGroup ? command.commands : [command]) {
        expect(text).toContain(`\\fB${code(`entire ${one.name}`)}\\fR`);
        for (const flag of one.flags) expect(text).toContain(`\\fB${code(`--${flag.name}`)}\\fR`);
        for (const { name } of one.positionals) expect(text).toContain(`\\fI${code(name)}\\fR`);
      }
      for (const alias of command.aliases) expect(text).toContain(`entire ${alias}`);
    }
  });

  test('says what a group does alone', () => {
    expect(manual.get('entire-session.1')).toContain(
      '\\fBentire session\\fR alone is \\fBentire session chat\\fR, and takes its flags.',
    );
  });

  test('leads to no page that there is not', () => {
    const named = [...manual.values()].flatMap((text) =>
      [...text.matchAll(/^\.BR (entire\S*) \(1\)/gm)].map(([, one = '']) => one.replaceAll('\\-', '-')),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((one) => !manual.has(`${one}.1`))).toEqual([]);
  });

  test('groff has nothing to say about it', ({ skip }) => {
    if (!has('groff')) skip('there is no groff on this machine');
    expect(complaints('groff', '-man', '-ww', '-z')).toEqual([]);
  });

  test('mandoc has nothing to say about it', ({ skip }) => {
    if (!has('mandoc')) skip('there is no mandoc on this machine');
    expect(complaints('mandoc', '-T', 'lint')).toEqual([]);
  });

  test('package.json has each page, for npm links no folder', () => {
    const { man, files } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(man).toEqual([...manual.keys()].map((name) => `./dist/man/${name}`).sort());
    expect(files).toContain('dist/man');
    expect(existsSync('scripts/man.ts')).toBe(true);
  });
});
