import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { bold, item, literal, prose, roff, section, title, usage } from './roff.ts';

describe('text in roff', () => {
  test.each([
    ['--dry-run', '\\-\\-dry\\-run'],
    ['.hidden', '\\&.hidden'],
    ["'quoted'", "\\&'quoted'"],
    ['a\\fBb\\n', 'a\\(rsfBb\\(rsn'],
    ['HEAD~1 a^ `x` "y"', 'HEAD\\(ti1 a\\(ha \\(gax\\(ga \\(dqy\\(dq'],
    ['one\n.SH TWO\tthree\u0007', 'one .SH TWO three '],
    ['“é” 🎉', '\\[u201C]\\[u00E9]\\[u201D] \\[u1F389]'],
  ])('%j is no request and no escape', (text, expected) => {
    expect(roff(text)).toBe(expected);
    expect(roff(text)).toMatch(/^[ -~]*$/);
  });

  test('what is typed keeps its quotes, and is bold within a sentence', () => {
    expect(bold("'a'")).toBe('\\fB\\(aqa\\(aq\\fR');
    expect(prose("As `git log -1` does; it's so.")).toBe("As \\fBgit log \\-1\\fR does; it's so.");
    expect(usage('[<range>] -x')).toBe('[\\fIrange\\fR] \\-x');
    expect(item('x', '')).toEqual(['.TP', 'x', '\\&']);
  });

  test('a line of a long sentence begins with no request, wherever it is cut', () => {
    for (let at = 60; at < 90; at++)
      for (const begin of ['.git/x', "'x'", '.SH']) {
        const lines = prose(`${'a'.repeat(at)} ${begin} ${begin} ${'b '.repeat(50)}`).split('\n');
        expect(lines.filter((line) => /^[.']/.test(line))).toEqual([]);
        expect(lines.filter((line) => line.length > 80 && !line.startsWith('a'))).toEqual([]);
      }
  });

  test('formatters print hostile text as it is', ({ skip }) => {
    const hostile = [
      '.SH NOT A HEADING',
      "'br",
      "it's \\fBnot bold\\fR \\n[x] \\",
      '-- -x ~ ^ ` "',
      '.\\" gone',
    ];
    const text = `${[
      title('hostile', '1.0.0-"rc', '2026-01-31'),
      ...section('NAME', ['hostile \\- text']),
      ...section('EXAMPLES', literal(hostile)),
      ...section(
        'NOTES',
        hostile.flatMap((line) => ['.PP', prose(line)]),
      ),
    ].join('\n')}\n`;
    let formatters = 0;
    for (const [program, ...args] of [
      ['groff', '-man', '-ww', '-Tascii', '-P-cbou'],
      ['mandoc', '-T', 'ascii'],
    ] as const) {
      const { stdout, stderr, error } = spawnSync(program, args, { input: text, encoding: 'utf8' });
      if (error) continue;
      formatters++;
      const printed = stdout.replace(/.\x08/g, '');
      expect(stderr, program).toBe('');
      for (const line of hostile) expect(printed.split(line), `${program}: ${line}`).toHaveLength(3);
    }
    if (formatters === 0) skip('there is neither groff nor mandoc on this machine');
  });
});
