import { expect, test } from 'vitest';
import { readStructure } from './read-structure.ts';
import { viewSource } from './source-view.ts';

async function read(name: string, ...lines: string[]) {
  const reading = await readStructure(name, `${lines.join('\n')}\n`);
  if (reading.status !== 'read') throw new Error(reading.status);
  const { symbols, errorLines } = reading.structure;
  return { symbols: symbols.map(({ kind, path }) => `${kind} ${path}`), errorLines };
}

async function skeleton(name: string, ...lines: string[]): Promise<string[]> {
  const view = await viewSource(name, lines.join('\n'), { mode: 'skeleton' });
  return view.status === 'shown' ? view.text.split('\n') : [];
}

test('of JavaScript: what a module gives others by assignments, and what has no name but default', async () => {
  const js = [
    'exports.a = function named() {',
    '  return 1;',
    '};',
    'exports.b = async (x) => x;',
    'module.exports = class extends Base {',
    '  run() {}',
    '};',
    'Base.prototype.go = function* () {};',
    'exports.value = 3;',
    'function local() {',
    '  exports.late = () => 1;',
    '}',
  ];
  expect((await read('a.cjs', ...js)).symbols).toEqual([
    'function exports.a',
    'function exports.b',
    'class module.exports',
    'method module.exports.run',
    'function Base.prototype.go',
    'function local',
  ]);
  expect((await read('a.js', 'export default class extends Base {', '  run() {}', '}')).symbols).toEqual([
    'class default',
    'method default.run',
  ]);
  expect(
    (await read('a.ts', 'export default async (a: A): Promise<B> => {', '  return 1;', '};')).symbols,
  ).toEqual(['function default']);
  expect((await read('a.js', 'export default function () {}', 'export var x = 1;')).symbols).toEqual([
    'function default',
    'variable x',
  ]);
});

test.each([
  ['(function () {', '})();'],
  ['(function () {', '}());'],
  ['(() => {', '})();'],
  ['(function () {', '}).call(this);'],
  ['!function () {', '}();'],
  ["define(['a', 'b'], function (a, b) {", '});'],
  ['(function (root, factory) { factory(root); })(this, function (exports) {', '});'],
  ['(function (root, factory) { factory(root); }(this, (function (exports) {', '})));'],
])('of JavaScript: a module that is a function, %s …', async (begin, end) => {
  const js = [begin, '  function run() {', '    start();', '  }', end];
  expect((await read('a.js', ...js)).symbols).toEqual(['function run']);
  expect(await skeleton('a.js', ...js)).toEqual([begin, js[1], '    ...', js[3], end]);
});

test('of JavaScript: other functions that are handed over are bodies', async () => {
  const js = ["defined('a', function () {", '  start();', '});'];
  expect(await skeleton('a.js', ...js)).toEqual([js[0], '  ...', js[2]]);
});

test('of TypeScript: what is declared only', async () => {
  const { symbols } = await read(
    'a.d.ts',
    'declare const a: A, b: B;',
    'export declare let c: C;',
    'declare var d;',
  );
  expect(symbols).toEqual(['variable a', 'variable b', 'variable c', 'variable d']);
});

test('of Rust: members of what has no name of its own', async () => {
  const types = ['[u8; 4]', '(u8, T)', '()', 'dyn Any', '*const u8', 'fn(u8)'];
  const { symbols } = await read(
    'a.rs',
    ...types.map((type) => `impl Show for ${type} { fn show(&self) {} }`),
  );
  expect(symbols).toEqual(types.flatMap((type) => [`impl ${type}`, `method ${type}.show`]));
});

test('of Java: members of classes without a name are not those of the class around', async () => {
  const java = [
    'class A {',
    '  {',
    '    start();',
    '  }',
    '  Runnable r = new Runnable() {',
    '    public void run() {}',
    '  };',
    '  Map<K, V> m = new java.util.HashMap<K, V>() {',
    '    V get(K k) { return null; }',
    '  };',
    '  enum E {',
    '    ONE { void x() {} },',
    '    TWO;',
    '    void x() {}',
    '  }',
    '  void local() {',
    '    new Runnable() { public void run() {} }.run();',
    '  }',
    '}',
  ];
  expect((await read('A.java', ...java)).symbols).toEqual([
    'class A',
    'class A.Runnable',
    'method A.Runnable.run',
    'class A.java.util.HashMap',
    'method A.java.util.HashMap.get',
    'enum A.E',
    'class A.E.ONE',
    'method A.E.ONE.x',
    'method A.E.x',
    'method A.local',
  ]);
  expect(await skeleton('A.java', ...java)).not.toContain('    start();');
});

test('of C: functions behind pointers, by their names', async () => {
  const c = [
    'int (*handler_of(int sig))(int)',
    '{',
    '  return 0;',
    '}',
    'char ***table(void) {',
    '  return 0;',
    '}',
    'void (*signal(int sig, void (*f)(int)))(int);',
    'extern int (*hook)(int);',
  ];
  expect((await read('a.c', ...c)).symbols).toEqual([
    'function handler_of',
    'function table',
    'function signal',
    'function hook',
  ]);
  expect(await skeleton('a.c', ...c)).not.toContain('  return 0;');
});

test('of C++: casts, by the type that they make', async () => {
  const cpp = [
    'struct A {',
    '  explicit operator bool() const;',
    '  operator int() { return 1; }',
    '  bool operator()(int x) const;',
    '};',
    'A::operator bool() const {',
    '  return true;',
    '}',
  ];
  expect((await read('a.cpp', ...cpp)).symbols).toEqual([
    'struct A',
    'method A.operator bool',
    'method A.operator int',
    'method A.operator()',
    'function A.operator bool',
  ]);
});

test('of C++: classes that a macro exports, as they are without it', async () => {
  const cpp = [
    'class WIDGET_API Plain {',
    'public:',
    '  void paint() {',
    '    draw();',
    '  }',
    '};',
    'struct WIDGET_EXPORT(2) Point final : public ns::Base<int> {',
    '  int x;',
    '};',
    'class Q_EXPORT',
    '  Later',
    '{',
    '};',
    'struct POINT origin = { 1, 2 };',
    'class ABC : Base {};',
    'class XYZ {};',
  ];
  const { symbols, errorLines } = await read('a.hpp', ...cpp);
  expect(symbols).toEqual([
    'class Plain',
    'method Plain.paint',
    'struct Point',
    'class Later',
    'class ABC',
    'class XYZ',
  ]);
  expect(errorLines).toEqual([]);
  const view = await skeleton('a.hpp', ...cpp);
  expect(view.slice(0, 6)).toEqual([...cpp.slice(0, 3), '    ...', ...cpp.slice(4, 6)]);
});

test('comes soon where classes and words do not end', async () => {
  const started = process.cpuUsage();
  await readStructure('a.cpp', 'class ABC '.repeat(20_000), 1);
  await readStructure('a.cpp', `class ${'A'.repeat(200_000)}`, 1);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
});
