import { expect, test } from 'vitest';
import { readLine } from './blame.ts';
import { type Fact, type PorcelainForm, parsePorcelain, renderPorcelain } from './blame-porcelain.ts';
import { quoteName } from './quoted-name.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const ZERO = '0'.repeat(40);

test('the porcelain form: commits are told once, names again where they differ', () => {
  const output = [
    `${A} 1 1 2`,
    'author Ada',
    'filename old name.txt',
    '\tone',
    `${A} 2 2`,
    '\tfilename no name',
    `${B} 1 3 1`,
    `previous ${A} "t\\303\\244b.txt"`,
    'filename "t\\303\\244b\\t\\"x\\"\\\\.txt"',
    '\t',
    `${ZERO} 4 4 1`,
    'filename b.txt',
    '\tlast\r',
    '',
  ].join('\n');
  expect(parsePorcelain(Buffer.from(output)).map(readLine)).toEqual([
    { line: 1, original: 1, text: 'one', commit: A, path: 'old name.txt' },
    { line: 2, original: 2, text: 'filename no name', commit: A, path: 'old name.txt' },
    {
      ...{ line: 3, original: 1, text: '', commit: B, path: 'täb\t"x"\\.txt' },
      previous: { commit: A, path: 'täb.txt' },
    },
    { line: 4, original: 4, text: 'last\r', commit: undefined, path: 'b.txt' },
  ]);
  expect(parsePorcelain(Buffer.from('\tlost\nnoise\n'))).toEqual([]);
});

/** Two runs of one commit, the first of lines that are not alike, and one of another name of the file. */
const OUTPUT = [
  `${A} 1 1 3`,
  'author Ada',
  'summary one',
  'boundary',
  'filename a.txt',
  '\tone',
  `${A} 2 2`,
  '\ttwo',
  `${A} 3 3`,
  'ignored',
  '\tthree \xff\r',
  `${B} 9 4 1`,
  'author Bob',
  'summary two',
  `previous ${A} a.txt`,
  'filename a.txt',
  '\tfour',
  `${A} 4 5 1`,
  '\tfive',
  '',
].join('\n');

const render = (form: PorcelainForm, facts: readonly (readonly Fact[])[], output = OUTPUT): string =>
  renderPorcelain(
    parsePorcelain(Buffer.from(output, 'latin1')).map((line, at) => ({ ...line, facts: facts[at] ?? [] })),
    form,
  ).toString('latin1');

test('without facts of ours it is what git printed', () => {
  expect(render('porcelain', [])).toBe(OUTPUT);
});

test('facts stand before the name, split a group, and are said again where they change', () => {
  const agent: Fact[] = [
    ['entire-class', 'agent'],
    ['entire-session', 's'],
  ];
  const human: Fact[] = [['entire-class', 'human']];
  expect(render('porcelain', [agent, agent, human, human, human]).split('\n')).toEqual([
    `${A} 1 1 2`,
    'author Ada',
    'summary one',
    'boundary',
    'entire-class agent',
    'entire-session s',
    'filename a.txt',
    '\tone',
    `${A} 2 2`,
    '\ttwo',
    `${A} 3 3 1`,
    'entire-class human',
    'entire-session', // holds no more
    'ignored',
    '\tthree \xff\r',
    `${B} 9 4 1`,
    'author Bob',
    'summary two',
    'entire-class human',
    `previous ${A} a.txt`,
    'filename a.txt',
    '\tfour',
    `${A} 4 5 1`,
    '\tfive',
    '',
  ]);
  expect(render('incremental', [agent, agent, human, human, agent]).split('\n')).toEqual([
    ...[`${A} 1 1 2`, 'author Ada', 'summary one', 'boundary'],
    ...['entire-class agent', 'entire-session s', 'filename a.txt'],
    ...[`${A} 3 3 1`, 'entire-class human', 'entire-session', 'filename a.txt'],
    ...[`${B} 9 4 1`, 'author Bob', 'summary two', 'entire-class human'],
    ...[`previous ${A} a.txt`, 'filename a.txt'],
    ...[`${A} 4 5 1`, 'entire-class agent', 'entire-session s', 'filename a.txt'],
    '',
  ]);
  const lines = render('line-porcelain', [agent, agent, human, human, human]).split('\n');
  expect(lines.filter((line) => line === 'author Ada')).toHaveLength(4);
  expect(lines.filter((line) => line.startsWith('entire-class'))).toHaveLength(5);
});

test('a commit with lines of two files says the name each time', () => {
  const two = [
    `${A} 1 1 1`,
    'author Ada',
    'filename a.txt',
    '\tone',
    `${A} 1 2 1`,
    'filename b.txt',
    '\tone',
    `${A} 2 3 1`,
    'filename a.txt',
    '\ttwo',
    '',
  ].join('\n');
  expect(render('porcelain', [], two)).toBe(two);
});

test('names are written as git does', () => {
  expect(quoteName('tä b.txt')).toBe('tä b.txt');
  expect(quoteName('a"\n\\')).toBe('"a\\"\\012\\\\"');
});
