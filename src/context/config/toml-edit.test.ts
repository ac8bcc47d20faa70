import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { replaceTable } from './toml-edit.ts';

test('a table is replaced in its place, with all tables below it, and nothing else changes', () => {
  const text = `# mine
version = 1 # as it is

[presets.a] # old
x = 1
[[presets.a.files]]
path = "p"
# of the next one

  [ presets . "b" ]
y =   2
[other]
`;
  expect(replaceTable(text, ['presets', 'a'], '[presets.a]\nx = 3\n')).toBe(`# mine
version = 1 # as it is

[presets.a]
x = 3

# of the next one

  [ presets . "b" ]
y =   2
[other]
`);
  expect(replaceTable(text, ['presets', 'b'], '')).toBe(text.replace('  [ presets . "b" ]\ny =   2\n', ''));
});

test('a table that is not there is put at the end', () => {
  expect(replaceTable('', ['a'], '[a]\n')).toBe('[a]\n');
  expect(replaceTable('x = 1', ['a'], '[a]\n')).toBe('x = 1\n\n[a]\n');
  expect(replaceTable('x = [\n[1],\n]\n', ['a'], '[a]\n')).toBe('x = [\n[1],\n]\n\n[a]\n');
});

test('what only looks like a table is none: in texts of several lines, and in lists', () => {
  const text = `[other] # mine
x = """
[presets.a]
\\""" [
" """ # more
y = '''
[presets.a]''' # "" ]
z = [ "[", [ # """
["presets.a"]
], ']' ] # yes

[presets.a]
w = [
["presets"]
]
v = """a"""  # kept no longer
[presets.b] # '''
`;
  expect(replaceTable(text, ['presets', 'a'], '[presets.a]\n')).toBe(
    text.replace(/(?<=\n)\[presets\.a\]\nw[\s\S]*longer\n/, '[presets.a]\n\n'),
  );
});

test('tables that are written and replaced again and again stay as they are', () => {
  const table = fc.record({
    n: fc.integer(),
    files: fc.array(fc.record({ path: fc.string() }), { maxLength: 3 }),
  });
  const name = fc.constantFrom('a', 'b', 'c d', 'a.b', '"', '__proto__');
  const step = fc.tuple(name, fc.option(table));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let text = '# mine\nx = 1\n';
      const expected = new Map<string, unknown>();
      for (const [key, value] of steps) {
        const rendered = value === null ? '' : stringify({ presets: { [key]: value } });
        text = replaceTable(text, ['presets', key], rendered);
        if (value === null) expected.delete(key);
        else expected.set(key, value);
      }
      expect(text.startsWith('# mine\nx = 1\n')).toBe(true);
      const presets = Object.entries(parse(text).presets ?? {});
      expect(new Map(presets)).toEqual(expected);
      expect(text).not.toMatch(/\n{4}/);
    }),
  );
});
