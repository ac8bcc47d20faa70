import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lines, UserLines } from '../../session/record/user-lines.ts';
import { type FileLook, nextUserLines, pendingLines } from './user-lines.ts';

const lines = (added: number, removed = 0): Lines => ({ added, removed });
const look = (more: Partial<FileLook>): FileLook => ({
  reference: 'r1',
  fingerprint: 'f',
  measured: lines(0),
  isForeign: false,
  isTaken: true,
  ...more,
});

describe('the user’s lines in one file', () => {
  test('what is there at the first look is the user’s', () => {
    const first = nextUserLines(undefined, look({ measured: lines(5, 2) }));
    expect(pendingLines(first)).toEqual(lines(5, 2));
  });

  test('what one prompt counted, the next does not count again while the steps have the same version', () => {
    const first = nextUserLines(undefined, look({ measured: lines(5) }));
    const second = nextUserLines(first, look({ measured: lines(8) }));
    expect(pendingLines(second)).toEqual(lines(3));
    expect(second.user).toEqual(lines(8));
  });

  test('where no step took the attribution of a prompt, the next one says it, too', () => {
    const first = nextUserLines(undefined, look({ measured: lines(5) }));
    const second = nextUserLines(first, look({ measured: lines(8), isTaken: false }));
    expect(pendingLines(second)).toEqual(lines(8));
  });

  test('a step that has the file holds what was counted; what comes after is counted from it', () => {
    const first = nextUserLines(undefined, look({ measured: lines(5, 1) }));
    const second = nextUserLines(first, look({ reference: 'r2', measured: lines(2) }));
    expect(second.settled).toEqual(lines(5, 1));
    expect(pendingLines(second)).toEqual(lines(2));
  });

  test('a version that HEAD brought holds nothing of it', () => {
    const first = nextUserLines(undefined, look({ measured: lines(5) }));
    const second = nextUserLines(first, look({ reference: 'r2', measured: lines(5), isTaken: false }));
    expect(second.settled).toEqual(lines(0));
    expect(pendingLines(second)).toEqual(lines(5));
  });

  test('what somebody else wrote is not the user’s, at this look and later ones', () => {
    const first = nextUserLines(undefined, look({ measured: lines(5) }));
    const second = nextUserLines(first, look({ measured: lines(9), isForeign: true }));
    expect(pendingLines(second)).toEqual(lines(0));
    const third = nextUserLines(second, look({ measured: lines(10) }));
    expect(third.user).toEqual(lines(6));
  });

  test('lines that the user takes back are not theirs any more', () => {
    const first = nextUserLines(undefined, look({ measured: lines(5) }));
    expect(nextUserLines(first, look({ measured: lines(2) })).user).toEqual(lines(2));
  });
});

const amounts = fc.record({ added: fc.nat(20), removed: fc.nat(20) });
const looks = fc.array(
  fc.record({
    reference: fc.constantFrom('r1', 'r2', ''),
    fingerprint: fc.string(),
    measured: amounts,
    isForeign: fc.boolean(),
    isTaken: fc.boolean(),
  }),
  { maxLength: 12 },
);

test('whatever is seen, counts are not negative and never more than what differs', () => {
  fc.assert(
    fc.property(looks, (seen) => {
      let file: UserLines | undefined;
      for (const one of seen) {
        file = nextUserLines(file, one);
        for (const counted of [file.user, file.taken, file.settled, pendingLines(file)]) {
          expect(counted.added).toBeGreaterThanOrEqual(0);
          expect(counted.removed).toBeGreaterThanOrEqual(0);
        }
        expect(file.user.added).toBeLessThanOrEqual(one.measured.added);
        expect(file.user.removed).toBeLessThanOrEqual(one.measured.removed);
        expect(file.taken.added).toBeLessThanOrEqual(file.user.added);
      }
    }),
  );
});
