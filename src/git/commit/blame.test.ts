import { expect, test } from 'vitest';
import { parsePorcelain } from './blame.ts';

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
    'filename "t\\303\\244b\\t\\"x\\"\\\\.txt"',
    '\t',
    `${ZERO} 4 4 1`,
    'filename b.txt',
    '\tlast\r',
    '',
  ].join('\n');
  expect(parsePorcelain(Buffer.from(output))).toEqual([
    { line: 1, text: 'one', commit: A, path: 'old name.txt' },
    { line: 2, text: 'filename no name', commit: A, path: 'old name.txt' },
    { line: 3, text: '', commit: B, path: 'täb\t"x"\\.txt' },
    { line: 4, text: 'last\r', commit: undefined, path: 'b.txt' },
  ]);
  expect(parsePorcelain(Buffer.from('\tlost\nnoise\n'))).toEqual([]);
});
