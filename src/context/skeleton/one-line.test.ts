import { describe, expect, test } from 'vitest';
import { readStructure } from './read-structure.ts';
import { viewSource } from './source-view.ts';

/** Whatever stands in a body has the word SECRET, and nothing else does. */
const SOURCES: readonly (readonly [name: string, text: string, skeleton: string])[] = [
  ['arrow.js', 'const key = () => { return "SECRET"; };\n', 'const key = () => { ... };\n'],
  ['value.js', 'export const key = (a) => "SECRET" + a;\n', 'export const key = (a) => ...;\n'],
  ['object.js', 'const key = () => ({ a: "SECRET" });\n', 'const key = () => (...);\n'],
  ['call.js', "app.get('/', (req) => req.end('SECRET'));\n", "app.get('/', (req) => ...);\n"],
  ['class.ts', 'class A { key(): string { return "SECRET"; } }\n', 'class A { key(): string { ... } }\n'],
  ['getter.ts', 'class A {\n  get key() { return "SECRET"; }\n}\n', 'class A {\n  get key() { ... }\n}\n'],
  [
    'two.ts',
    'const a = () => { SECRET; }, b = () => { SECRET; };\n',
    'const a = () => { ... }, b = () => { ... };\n',
  ],
  ['begins.ts', 'function f() { SECRET();\n  SECRET();\n}\n', 'function f() { ...\n}\n'],
  ['ends.ts', 'function f() {\n  SECRET();\n  SECRET(); }\n', 'function f() {\n  ... }\n'],
  ['wide.ts', 'const f = (x) => x.filter((y) => {\n  SECRET();\n}).map(g);\n', 'const f = (x) => ...;\n'],
  ['view.tsx', 'export const View = () => <p>SECRET</p>;\n', 'export const View = () => ...;\n'],
  ['def.py', 'def key(): return "SECRET"\n', 'def key(): ...\n'],
  ['method.py', 'class A:\n    def key(self): return "SECRET"\n', 'class A:\n    def key(self): ...\n'],
  ['doc.py', 'def key(): """Told."""; return "SECRET"\n', 'def key(): """Told."""; ...\n'],
  ['list.py', 'def key():\n    [SECRET]\n    SECRET()\n', 'def key():\n    ...\n'],
  ['lambda.py', 'key = lambda a: "SECRET"\n', 'key = lambda a: ...\n'],
  ['key.go', 'func key() string { return "SECRET" }\n', 'func key() string { ... }\n'],
  ['key.rs', 'fn key() -> &str { "SECRET" }\n', 'fn key() -> &str { ... }\n'],
  ['closure.rs', 'static KEY: F = |a| SECRET + a;\n', 'static KEY: F = |a| ...;\n'],
  ['Key.java', 'class Key { String key() { return "SECRET"; } }\n', 'class Key { String key() { ... } }\n'],
  ['Lambda.java', 'class L {\n  F f = a -> "SECRET" + a;\n}\n', 'class L {\n  F f = a -> ...;\n}\n'],
  ['key.c', 'int key(void) { return SECRET; }\n', 'int key(void) { ... }\n'],
  ['key.cpp', 'struct K { int key() { return SECRET; } };\n', 'struct K { int key() { ... } };\n'],
];

describe.each(SOURCES)('a body on the line of its head: %s', (name, text, skeleton) => {
  test('is left out of the skeleton', async () => {
    expect(await viewSource(name, text, { mode: 'skeleton' })).toMatchObject({ text: skeleton });
  });

  test('is left out of signatures, in a list and where they stand, and not of definitions', async () => {
    const reading = await readStructure(name, text);
    const symbols = reading.status === 'read' ? reading.structure.symbols : [];
    expect(symbols.map(({ signature }) => signature).join('\n')).not.toContain('SECRET');
    const heads = await viewSource(name, text, { mode: 'signatures' });
    expect(heads).toMatchObject({ text: expect.not.stringContaining('SECRET') });
    const whole = await viewSource(name, text, { mode: 'definitions' });
    if (symbols.some(({ depth }) => depth === 0)) expect(whole).toMatchObject({ text });
  });
});

const ONE_LINE = 'class A { key() { return SECRET; } run() { go(); } }\n';

test('the head of a type on one line has no members, and a member beside it is what the mask says', async () => {
  const show = async (mask: Readonly<Record<string, 'def' | 'sig'>>) =>
    (await viewSource('a.ts', ONE_LINE, { mode: 'masked', mask })) as { readonly text: string };
  expect((await show({ A: 'sig' })).text).toBe('class A { ... }\n');
  expect((await show({ A: 'sig', 'A.run': 'def' })).text).toBe('class A { ... run() { go(); } }\n');
  expect((await show({ A: 'sig', 'A.run': 'sig' })).text).toBe('class A { ... run() { ... } }\n');
  expect((await show({ 'A.key': 'sig', A: 'def' })).text).toBe('class A { key() { ... } run() { go(); } }\n');
});

test('comments beside an opening brace, and bodies in which nothing is, stay', async () => {
  for (const text of [
    'function f() { // why\n  ...\n}\n',
    'function f() {}\nconst g = () => { /* nothing */ };\n',
    'function f() {\n\n}\n',
  ]) {
    const source = text.replace('...', 'go();');
    expect(await viewSource('a.ts', source, { mode: 'skeleton' })).toMatchObject({ text });
  }
});

test('a file of one long line is shown in time', async () => {
  const text = `${Array.from({ length: 20_000 }, (_, at) => `function f${at}(){return SECRET}`).join(';')}\n`;
  const view = await viewSource('a.js', text, { mode: 'signatures' });
  expect(view).toMatchObject({ text: text.replaceAll('return SECRET', '...') });
});
