import { expect, test } from 'vitest';
import { type ShownSource, type ViewRequest, viewSource } from './source-view.ts';

const PYTHON = `import os

LIMIT = 3

# How a server
# is run.
class Server:
    """Answers."""

    port = 80

    def run(self):
        """Runs."""
        for _ in range(LIMIT):
            os.getpid()

    def stop(self):
        self.port = 0
        return None

def main():
    return Server().run()
`;

async function view(request: ViewRequest, text = PYTHON, name = 'a.py'): Promise<ShownSource> {
  const shown = await viewSource(name, text, request);
  if (shown.status !== 'shown') throw new Error(`not shown: ${JSON.stringify(shown)}`);
  return shown;
}

test('a mask shows whole symbols and heads, and marks what it leaves out', async () => {
  const mask = { 'Server.run': 'sig', main: 'def' } as const;
  expect((await view({ mode: 'masked', mask })).text).toMatchInlineSnapshot(`
    "...
        def run(self):
            """Runs."""
            ...
    def main():
        return Server().run()
    "
  `);
});

test('what a mask says of a member counts for it, whatever it says of the class', async () => {
  const mask = { 'Server.run': 'hide', Server: 'def', LIMIT: 'hide' } as const;
  expect((await view({ mode: 'masked', mask })).text).toMatchInlineSnapshot(`
    "...
    # How a server
    # is run.
    class Server:
        """Answers."""

        port = 80

        ...

        def stop(self):
            self.port = 0
            return None
    ...
    "
  `);
  const head = await view({ mode: 'masked', mask: { Server: 'sig', 'Server.stop': 'def' } });
  expect(head.text).toContain('class Server:');
  expect(head.text).toContain('self.port = 0');
  expect(head.text).not.toContain('def run');
});

test('what a mask names and the file does not have is told', async () => {
  const mask = { main: 'def', 'Server.start': 'def', gone: 'hide' } as const;
  expect((await view({ mode: 'masked', mask })).unknown).toEqual(['Server.start', 'gone']);
  expect(await view({ mode: 'masked', mask: {} })).toMatchObject({ text: '', unknown: [] });
});

test('signatures and definitions are those of the symbols that are named', async () => {
  const signature = await view({ mode: 'signatures', symbols: ['main'] });
  expect(signature.text).toBe('...\ndef main():\n    ...\n');
  const definition = await view({ mode: 'definitions', symbols: ['Server.stop', 'gone'] });
  expect(definition.text).toBe('...\n    def stop(self):\n        self.port = 0\n        return None\n...\n');
  expect(definition.unknown).toEqual(['gone']);
});

test('where none is named, all of them: heads without other statements, or top-level definitions whole', async () => {
  const { text } = await view({ mode: 'signatures' });
  for (const head of ['LIMIT = 3', 'class Server:', 'def run(self):', 'def stop(self):', 'def main():'])
    expect(text).toContain(head);
  for (const rest of ['import os', 'port = 80', 'getpid', 'return']) expect(text).not.toContain(rest);
  const definitions = (await view({ mode: 'definitions' })).text;
  expect(definitions).not.toContain('import os');
  expect(definitions.slice(definitions.indexOf('LIMIT'))).toBe(PYTHON.slice(PYTHON.indexOf('LIMIT')));
});

test('a member of C++ may be written with either separator', async () => {
  const text = 'namespace a {\nint B::c() {\n  return 1;\n}\n}\n';
  for (const name of ['a.B.c', 'a::B::c']) {
    expect(await view({ mode: 'definitions', symbols: [name] }, text, 'a.cpp')).toMatchObject({
      text: '...\nint B::c() {\n  return 1;\n}\n...\n',
      unknown: [],
    });
  }
});

test('the head of a table of functions is the table without their bodies', async () => {
  const text = 'const handlers = {\n  start() {\n    go();\n  },\n};\n';
  const shown = await view({ mode: 'signatures', symbols: ['handlers'] }, text, 'a.js');
  expect(shown.text).toBe('const handlers = {\n  start() {\n    ...\n  },\n};\n');
});

test('overloads are shown together', async () => {
  const text = 'class A {\n  void f() {\n    a();\n  }\n  void f(int x) {\n    b();\n  }\n}\n';
  const shown = await view({ mode: 'definitions', symbols: ['A.f'] }, text, 'A.java');
  expect(shown.text).toContain('a();');
  expect(shown.text).toContain('b();');
});

test('line ends stay what they are', async () => {
  const shown = await view({ mode: 'skeleton' }, 'def f():\r\n    a()\r\n    b()\r\n\r\nx = 1\r\n');
  expect(shown.text).toBe('def f():\r\n    ...\r\n\r\nx = 1\r\n');
});

test('a partial view says where the source is not well-formed', async () => {
  expect(await view({ mode: 'skeleton' }, 'x = = 2\ndef f():\n    return 1\n')).toMatchObject({
    text: 'x = = 2\ndef f():\n    ...\n',
    note: 'syntax errors, or syntax that is not known, near line 1: what follows may be incomplete',
  });
  expect(await view({ mode: 'skeleton' })).not.toHaveProperty('note');
});

test('a thousand symbols on the same thousand lines are shown', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `f${index}()`);
  const declaration = `int ${names.join(',\n')};\n`;
  const text = `${declaration}void other() {\n  g();\n}\n`;
  const mask = Object.fromEntries(names.map((_, index) => [`f${index}`, 'def' as const]));
  const shown = await view({ mode: 'masked', mask }, text, 'a.c');
  expect(shown).toMatchObject({ text: `${declaration}...\n`, unknown: [] });
});
