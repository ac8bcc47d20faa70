import { expect, test } from 'vitest';
import { isNestedDeeper } from './read-structure.ts';

test('brackets within one another are counted, those side by side are not', () => {
  expect(isNestedDeeper('[({'.repeat(2), 'python', 5)).toBe(true);
  expect(isNestedDeeper('[({})]'.repeat(100), 'python', 5)).toBe(false);
});

test('what a comment leaves open ends with the block around it', () => {
  expect(isNestedDeeper('void f() { /* :( */ }\n'.repeat(100), 'c', 5)).toBe(false);
});

test('a closing bracket that closes nothing is none', () => {
  expect(isNestedDeeper(`${'(x ] '.repeat(6)}`, 'c', 5)).toBe(true);
});

test('angle brackets count where types have arguments, until the statement ends', () => {
  expect(isNestedDeeper('a < '.repeat(6), 'java', 5)).toBe(true);
  expect(isNestedDeeper('a < '.repeat(6), 'python', 5)).toBe(false);
  expect(isNestedDeeper('x = a < b;\n'.repeat(100), 'java', 5)).toBe(false);
  expect(isNestedDeeper('Map<List<A>>, '.repeat(100), 'java', 5)).toBe(false);
});
