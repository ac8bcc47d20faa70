import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ObjectId } from '../base/ids.ts';
import { parseManifest, renderManifest, type WorktreeEntry } from './manifest.ts';

const text = fc.string({ minLength: 1, unit: 'binary' });
const entry: fc.Arbitrary<WorktreeEntry> = fc.record({
  ...{ id: text, name: text, path: text, repository: text, branch: fc.string(), createdAt: fc.string() },
  from: fc.constantFrom(undefined, 'a'.repeat(40) as ObjectId),
  carried: fc.array(fc.record({ path: text, sha256: fc.string() })),
  other: fc.constantFrom({}, { colour: 'red' }),
});

test('what is written is read again', () => {
  fc.assert(
    fc.property(fc.array(entry), fc.constantFrom({}, { more: [1] }), (entries, other) => {
      expect(parseManifest(renderManifest({ entries, other }), 'x')).toEqual({ entries, other });
    }),
  );
});

test('whatever bytes stand there, they are read or refused in words', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (json) => {
      try {
        parseManifest(json, 'x');
      } catch (error) {
        expect(error).toMatchObject({
          name: 'EntireError',
          code: expect.stringMatching(/^(UNSUPPORTED|STATE_UNREADABLE)$/),
        });
      }
    }),
  );
});
