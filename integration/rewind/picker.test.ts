import { describe, expect, vi } from 'vitest';
import { widthOf } from '../../src/cli/ui/width.ts';
import { turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { Keyboard } from '../support/process/keyboard.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const [DOWN, END, ESCAPE, ENTER, CTRL_C, CTRL_D] = ['\x1b[B', '\x1b[F', '\x1b', '\r', '\x03', '\x04'];
const SIZE = { columns: 100, rows: 30 };
/** The state of the terminal behind the command. */
const REWIND = `trap : INT; entire rewind; echo "code $?"; stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*icanon' -e '-*echo'`;

/** Two sessions with steps, and a commit. */
function play(repo: TestRepo): { first: string; second: string } {
  repo.ready();
  const first = turns(repo, { 'a.txt': 'v1\n' });
  repo.commit('First', 'a.txt');
  addWork(repo, { 'a.txt': 'v1\nv2\n' }, first);
  addWork(repo, { 'a.txt': 'v1\nv2\nv3\n', 'b.txt': 'b\n' }, first);
  const second = addWork(repo, { 'x.txt': 'x\n' });
  return { first: first.id.slice(0, 8), second: second.id.slice(0, 8) };
}

/** The lines of the list, the headings among them. */
const listOf = ({ picture }: Keyboard): string[] =>
  picture
    .slice(
      1,
      picture.findIndex((line) => line.startsWith('─')),
    )
    .map((line) => line.replace(/[0-9a-f]{7} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}/, '').trimEnd());

function expectRestored({ all }: Keyboard): void {
  expect(all).toMatch(/code 0\necho\nicanon\n$|code 0\nicanon\necho\n$/);
  expect(all.lastIndexOf('\x1b[?25h')).toBeGreaterThan(all.lastIndexOf('\x1b[?25l'));
}

describe('the list of entire rewind at a terminal', () => {
  onBothBuilds('what changes is seen, and is what is done', async (repo, skip) => {
    needsTerminal(skip);
    const { first, second } = play(repo);
    const keyboard = new Keyboard(repo, REWIND, SIZE);
    await keyboard.sees('No file differs from what it was at that point.');
    expect(listOf(keyboard)).toEqual([
      `${second}  Claude Code`, // its prompt is the subject of its step
      '❯ step    Write x.txt',
      `${first}  Claude Code  “turn 1”`,
      '  step    Write a.txt and b.txt',
      '  step    Write a.txt',
      '  commit  First',
    ]);
    keyboard.type(DOWN + DOWN);
    await keyboard.sees(`after turn ${first}:2`);
    const shown = keyboard.picture.map((line) => line.trim());
    expect(shown).toContain('restored  a.txt  +0 -1');
    expect(shown).toContain('deleted   b.txt  +0 -1');
    expect(shown).toContain('deleted   x.txt  +0 -1');
    expect(shown).toContain(`The conversation of ${first} ends at this point.`);
    expect(shown.join(' ')).toContain(`Cuts off 1 later turn of session ${first}: “`);
    expect(shown).toContain(`What session ${second} did since goes back, too; its conversation stays.`);
    expect(repo.read('a.txt')).toBe('v1\nv2\nv3\n');
    keyboard.type(ENTER);
    await keyboard.hears('Go back to ');
    expect(keyboard.news).toContain('Selected: ');
    keyboard.type('y');
    expect(await keyboard.end()).toBe(0);
    expectRestored(keyboard);
    expect([repo.read('a.txt'), repo.exists('b.txt'), repo.exists('x.txt')]).toEqual([
      'v1\nv2\n',
      false,
      false,
    ]);
  });

  variation('a commit: its files stay, and its transcript is restored', async (repo, skip) => {
    needsTerminal(skip);
    const { first } = play(repo);
    const keyboard = new Keyboard(repo, REWIND, SIZE);
    await keyboard.sees('Write x.txt');
    keyboard.type(END);
    await keyboard.sees('Files stay as they are.');
    expect(keyboard.picture.join('\n')).toContain(`The transcript of ${first} is restored.`);
    keyboard.type('q');
    await keyboard.end();
    expectRestored(keyboard);
  });

  variation(
    'where all would be left nothing is said of the conversation; Ctrl-D ends it, typed or not',
    async (repo, skip) => {
      needsTerminal(skip);
      repo.ready();
      turns(repo, { 'a.txt': 'one\n' }, { 'a.txt': 'two\n' });
      repo.write('a.txt', 'mine\n');
      const keyboard = new Keyboard(repo, REWIND, SIZE);
      await keyboard.sees('Turn 1');
      keyboard.type(DOWN);
      await keyboard.sees('Nothing would go back, the conversation neither');
      expect(keyboard.picture.join('\n')).not.toMatch(/ends at this point|Cuts off/);
      keyboard.type('/t');
      await keyboard.sees('/t▏');
      keyboard.type(CTRL_D);
      await keyboard.end();
      expect(keyboard.news).toContain('Rewind cancelled.');
      expectRestored(keyboard);
    },
  );

  variation('a long transcript is not read while somebody looks around', async (repo, skip) => {
    needsTerminal(skip);
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\n' });
    repo.commit('First', 'a.txt');
    addWork(repo, { 'a.txt': 'two\n' }, session);
    session.say('long '.repeat(2_000_000));
    const keyboard = new Keyboard(repo, REWIND, SIZE);
    const sentence = `The transcript of ${session.id.slice(0, 8)} is long`;
    await keyboard.sees(sentence);
    keyboard.type(DOWN);
    await keyboard.sees('Files stay as they are.');
    expect(keyboard.picture.join('\n')).toContain(sentence);
    keyboard.type('q');
    await keyboard.end();
    expectRestored(keyboard);
  });

  variation('a filter: typed, mended, kept, cleared; keys are told', async (repo, skip) => {
    needsTerminal(skip);
    play(repo);
    const keyboard = new Keyboard(repo, REWIND, SIZE);
    await keyboard.sees('/ filter');
    keyboard.type('/b.txtq');
    await keyboard.sees('/b.txtq');
    await keyboard.sees('No point matches.');
    keyboard.type('\x7f');
    await keyboard.sees('❯ ');
    expect(listOf(keyboard).filter((line) => line !== '')).toEqual([
      expect.stringContaining('“turn 1”'),
      '❯ step    Write a.txt and b.txt',
    ]);
    keyboard.type(ENTER);
    await keyboard.sees('/b.txt  esc clear');
    keyboard.type(ESCAPE);
    await keyboard.sees('Write x.txt');
    keyboard.type('?');
    await keyboard.sees('cancel: nothing is changed');
    keyboard.type(' ');
    await keyboard.sees('No file differs'); // the cursor is where it was, before anybody moved it
    keyboard.type(ESCAPE);
    await keyboard.end();
    expect(keyboard.news).toContain('Rewind cancelled.');
    expectRestored(keyboard);
  });

  variation('a diff in a pager, which Ctrl-C does not end; the list is as it was', async (repo, skip) => {
    needsTerminal(skip);
    play(repo);
    repo.write('../pager', '#!/bin/sh\ntrap "" INT\ncat\necho "pager waits"\nread line < /dev/tty\n');
    repo.run('chmod', ['+x', '../pager']);
    const keyboard = new Keyboard(repo, REWIND, SIZE, { GIT_PAGER: `${repo.scratch}/pager` });
    await keyboard.sees('Write x.txt');
    keyboard.type('/write a');
    await keyboard.sees('/write a▏');
    keyboard.type(ENTER + DOWN);
    await keyboard.sees('❯ ');
    await keyboard.sees('b.txt  +0 -1');
    keyboard.type('d');
    await keyboard.hears('pager waits');
    expect(keyboard.news).toContain('-v3\n');
    expect(keyboard.news).toContain('Dry run: nothing was changed.');
    keyboard.type(CTRL_C);
    keyboard.type('\n');
    await keyboard.sees('/write a  esc clear');
    expect(listOf(keyboard)).toContain('❯ step    Write a.txt');
    await keyboard.sees('b.txt  +0 -1');
    keyboard.type(CTRL_C);
    await keyboard.end();
    expect(keyboard.news).toContain('Rewind cancelled.');
    expectRestored(keyboard);
    expect(repo.read('a.txt')).toBe('v1\nv2\nv3\n');
  });

  variation('no line is wider than the terminal, and no picture higher, at any size', async (repo, skip) => {
    needsTerminal(skip);
    play(repo);
    addWork(repo, {
      '検索/設計メモの長い名前のファイル、とても長い名前のファイル、まだまだ長い名前.md': '設計\n',
    });
    const keyboard = new Keyboard(repo, REWIND, SIZE);
    await keyboard.sees('Write x.txt');
    keyboard.type(DOWN);
    await keyboard.sees(':1'); // the name of the turn
    for (const size of [
      { columns: 60, rows: 24 },
      { columns: 60, rows: 12 },
      { columns: 140, rows: 24 },
      { columns: 30, rows: 10 },
      SIZE,
    ]) {
      keyboard.resize(size);
      await keyboard.hears('Where do you want');
      await keyboard.sees('enter choose');
      // A picture comes in pieces: until the last is here it has lines of the one before.
      await vi.waitFor(() => {
        const { picture } = keyboard;
        expect(picture.filter((line) => widthOf(line) >= size.columns)).toEqual([]);
        expect(picture.length).toBeLessThan(size.rows);
        expect(picture.some((line) => line.includes('│'))).toBe(size.columns === 140);
        expect(picture.filter((line) => line.startsWith('❯'))).toHaveLength(1);
      }, 10_000);
    }
    keyboard.type('q');
    await keyboard.end();
    expectRestored(keyboard);
  });

  variation(
    'a signal leaves the terminal as it was; colours come where they are wanted',
    async (repo, skip) => {
      needsTerminal(skip);
      play(repo);
      const script = `sh -c 'echo $$ > pid; exec entire rewind'; stty -a | grep -o -e '-*icanon'`;
      const keyboard = new Keyboard(repo, script, SIZE, { NO_COLOR: '' });
      await keyboard.sees('No file differs');
      expect(keyboard.all).toContain('\x1b[1m❯ ');
      process.kill(Number(repo.read('pid')), 'SIGTERM');
      await keyboard.end();
      expect(keyboard.all).toMatch(/\x1b\[\?25h.*\nicanon\n$/s);
      repo.run('rm', ['pid']);
      const plain = new Keyboard(repo, 'entire rewind --no-color', SIZE, { NO_COLOR: '' });
      await plain.sees('No file differs');
      expect(plain.all).not.toMatch(/\x1b\[\d+m/);
      plain.type('q');
      expect(await plain.end()).toBe(0);
    },
  );
});
