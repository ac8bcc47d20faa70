import { expect, test, vi } from 'vitest';
import { Parser } from 'web-tree-sitter';
import { readStructure } from './read-structure.ts';

test('a parser that broke off is not used again', async () => {
  expect(await readStructure('a.py', 'x = 1\n')).toMatchObject({ status: 'read' });
  const { RuntimeError } = WebAssembly;
  const parse = vi.spyOn(Parser.prototype, 'parse').mockImplementationOnce(() => {
    throw new RuntimeError('memory access out of bounds');
  });
  const broken = { status: 'failed', reason: 'the parser broke off: memory access out of bounds' };
  expect(await readStructure('b.py', 'x = 1\n')).toMatchObject(broken);
  const lost = { status: 'failed', reason: 'the parser broke off at an earlier file' };
  expect(await readStructure('a.py', 'x = 1\n')).toMatchObject(lost);
  expect(await readStructure('a.go', 'package a\n')).toMatchObject(lost);
  expect(parse).toHaveBeenCalledTimes(1);
});
