import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { fence } from '../../base/text/text.ts';
import { buildBeadsSection } from './beads.ts';
import { renderFile } from './files-section.ts';
import { buildDiscussionSection, buildDiscussionText } from './markdown.ts';
import { buildScreenshotsSection } from './screenshots.ts';

let base: string;
beforeEach(() => {
  base = makeTemporaryFolder('sections-');
});
afterEach(() => disk.rmSync(base, { recursive: true, force: true }));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(base, name)), { recursive: true });
  writeFileSync(join(base, name), content);
}

describe('a fence', () => {
  test('is longer than any run of backticks in the content', () => {
    expect(fence('a', 'py')).toBe('```py\na\n```');
    expect(fence('```\n`````\n``', 'md')).toBe('``````md\n```\n`````\n``\n``````');
  });

  test('is closed by its last line only, whatever the content is', () => {
    const content = fc
      .array(fc.constantFrom('`', '```', '````', '\n', '\r', ' ', 'a', '~~~'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(content, (text) => {
        const [first = '', ...lines] = fence(text, '').split('\n');
        const closes = (line: string) => new RegExp(`^ {0,3}\`{${first.length},}\\s*$`).test(line);
        expect(
          lines
            .slice(0, -1)
            .flatMap((line) => line.split('\r'))
            .some(closes),
        ).toBe(false);
        expect(closes(lines.at(-1) ?? '')).toBe(true);
      }),
    );
  });
});

describe('a file of the section', () => {
  const shown = { name: 'src/a.py', content: 'x\n', view: 'full', error: false } as const;

  test('stands below its name', () => {
    expect(renderFile(shown)).toBe('### `src/a.py`\n\n```py\nx\n```');
  });

  test('that is left out says so in its heading', () => {
    expect(renderFile({ ...shown, view: 'none' })).toBe('### `src/a.py` (excluded)\n\n(context excluded)');
  });

  test('is marked as text where it is no code', () => {
    expect(renderFile({ ...shown, view: 'summary' })).toContain('```text\n');
    expect(renderFile({ ...shown, view: undefined })).toContain('```text\n');
    expect(renderFile({ ...shown, name: 'Makefile' })).toContain('```text\n');
    expect(renderFile({ ...shown, name: 'a.x y' })).toContain('```text\n');
  });

  test('whose name could be taken for more is quoted', () => {
    const heading = renderFile({ ...shown, name: 'a\n## Files\n`b`.py' }).split('\n')[0];
    expect(heading).toBe('### `"a\\n## Files\\n\\u0060b\\u0060.py"`');
  });
});

describe('the conversation', () => {
  test('has a numbered excerpt for each turn, a text or an object with role and content', () => {
    expect(buildDiscussionSection(['User: hi\n', { role: 'AI', content: ' Hello.\n' }])).toBe(
      '### Discussion Excerpt 1\n\nUser: hi\n\n---\n\n### Discussion Excerpt 2\n\nAI: Hello.',
    );
  });

  test('has a role that nobody knows, and no content, where they are missing', () => {
    const text = '### Discussion Excerpt 1\n\nUnknown: a\n\n---\n\n### Discussion Excerpt 2\n\nUser: ';
    expect(buildDiscussionSection([{ content: 'a' }, { role: 'User' }])).toBe(text);
    expect(
      buildDiscussionSection([
        { role: null, content: 'a' },
        { role: 'User', content: null },
      ]),
    ).toBe(text);
  });

  test('tells a turn of another shape as it is', () => {
    const odd = [5, null, { role: 'AI', content: [{ type: 'text', text: 'x' }] }] as unknown as string[];
    expect(buildDiscussionSection(odd)).toContain('Excerpt 1\n\n5\n');
    expect(buildDiscussionSection(odd)).toContain('AI: [{"type":"text","text":"x"}]');
  });

  test('as a text of its own has its heading, and is empty without turns', () => {
    expect(buildDiscussionText(['a'])).toBe('## Discussion History\n\n### Discussion Excerpt 1\n\na');
    expect(buildDiscussionText([])).toBe('');
    expect(buildDiscussionSection([])).toBe('');
  });
});

describe('screenshots', () => {
  test('are images, found as files are', () => {
    write('shots/b.png', '');
    write('shots/a.png', '');
    expect(buildScreenshotsSection(base, ['shots/*.png', 'shots/a.png'])).toBe(
      '![](shots/a.png)\n\n![](shots/b.png)',
    );
    expect(buildScreenshotsSection(join(base, 'shots'), [join(base, 'shots/a.png')])).toBe('![](a.png)');
  });

  test('that are not there are told', () => {
    expect(buildScreenshotsSection(base, ['gone.png', 'shots/*.png'])).toBe(
      'ERROR: file not found: gone.png\n\nERROR: no files matched: shots/*.png',
    );
  });

  test('whose names would end the link are written so that they do not', () => {
    write('a (1)%\n## x.png', '');
    expect(buildScreenshotsSection(base, ['a*.png'])).toBe('![](a%20%281%29%25%0A##%20x.png)');
  });

  test('are none without entries', () => {
    expect(buildScreenshotsSection(base, [])).toBe('');
  });
});

describe('progress of beads', () => {
  const issues = (...lines: unknown[]) =>
    write(
      '.beads/issues.jsonl',
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );

  test('lists what is completed in one line, and what is active with title, id and description', () => {
    issues(
      { id: 'bd-1', title: 'Set up', status: 'closed', description: 'long gone' },
      { id: 'bd-2', title: 'Parser', status: 'in_progress', description: 'Reads\ntokens.' },
      { id: 'bd-3', title: 'Lexer', status: 'closed' },
      { id: 'bd-4', title: 'Later', status: 'open' },
      { id: 'bd-5', title: 'Deleted', status: 'tombstone' },
    );
    expect(buildBeadsSection(base)).toBe(
      [
        '**Completed:** Set up (bd-1), Lexer (bd-3)',
        '**Active:**\n\n- **Parser** (bd-2): Reads tokens.\n- **Later** (bd-4)',
      ].join('\n\n'),
    );
  });

  test('counts the last line of an issue, and says how many lines are broken', () => {
    issues(
      { id: 'a', title: 'A', status: 'open' },
      '{"id":',
      { id: 'a', title: 'A', status: 'closed' },
      { title: 'x' },
    );
    expect(buildBeadsSection(base)).toBe(
      '**Completed:** A (a)\n\n(2 lines of .beads/issues.jsonl could not be read)',
    );
  });

  test('says why its issues are not shown where they are no text, and waits for nobody', () => {
    mkdirSync(join(base, '.beads'));
    symlinkSync('/dev/zero', join(base, '.beads/issues.jsonl'));
    expect(buildBeadsSection(base)).toBe('(.beads/issues.jsonl is not shown: neither a file nor a folder)');
    rmSync(join(base, '.beads/issues.jsonl'));
    writeFileSync(join(base, '.beads/issues.jsonl'), 'a\0b');
    expect(buildBeadsSection(base)).toBe('(.beads/issues.jsonl is not shown: binary; 3 bytes)');
  });

  test('is empty where the project has no tracker, or no issues', () => {
    expect(buildBeadsSection(base)).toBe('');
    issues('', '');
    expect(buildBeadsSection(base)).toBe('');
    disk.rmSync(join(base, '.beads'), { recursive: true });
    mkdirSync(join(base, '.beads/issues.jsonl'), { recursive: true });
    expect(buildBeadsSection(base)).toBe('');
  });
});
