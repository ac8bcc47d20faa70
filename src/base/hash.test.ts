import * as node from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHash, randomHex, sha256Of } from './hash.ts';

const TEXTS = ['', 'abc', 'é 🙂\r\n', 'half \ud83d', 'x'.repeat(100_000)];
/** By hand of FIPS 180-4: no engine is asked about itself. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

afterEach(() => vi.unstubAllGlobals());

describe('hashes', () => {
  it('are those of the standard, of text as UTF-8', () => {
    expect(sha256Of('abc')).toBe(ABC);
    for (const text of TEXTS) expect(sha256Of(text)).toBe(sha256Of(Buffer.from(text)));
    expect(createHash('sha1').update('abc').digest('hex')).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
  });

  it("are asked of the runtime's own engine where it has one", () => {
    const asked: string[] = [];
    class CryptoHasher {
      private readonly hash: node.Hash;
      constructor(name: string) {
        asked.push(name);
        this.hash = node.createHash(name);
      }
      update(data: string): this {
        this.hash.update(data);
        return this;
      }
      digest(encoding: 'hex'): string {
        return this.hash.digest(encoding);
      }
    }
    const SHA256 = {
      hash(data: string, encoding: 'hex') {
        asked.push('at once');
        return node.createHash('sha256').update(data).digest(encoding);
      },
    };
    vi.stubGlobal('Bun', { CryptoHasher, SHA256 });
    expect(createHash('sha256').update('abc').digest('hex')).toBe(ABC);
    expect(sha256Of('abc')).toBe(ABC);
    expect(asked).toEqual(['sha256', 'at once']);
  });

  it('go on from a copy', () => {
    const begun = createHash('sha256').update('ab');
    const other = begun.copy().update('x');
    expect(begun.update('c').digest('hex')).toBe(ABC);
    expect(other.digest('hex')).toBe(sha256Of('abx'));
  });
});

it('makes random bytes, not twice the same', () => {
  expect(randomHex(6)).toMatch(/^[0-9a-f]{12}$/);
  expect(randomHex(6)).not.toBe(randomHex(6));
});
