import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isTelling } from '../../base/text/lines.ts';
import { blobId, type TreeEntry } from '../../git/object/objects.ts';
import { newBudget } from '../attribution/line-diff.ts';
import { type BlobTexts, newReadBudgets, type ReadText } from './blob-text.ts';
import { isPartOrExtension } from './overlap.ts';
import { findRenamed } from './renamed.ts';

/** A blob that is its own text, so that equal texts have equal ids. */
const blob = (text: string): TreeEntry => ({ mode: '100644', oid: (text || EMPTY) as ObjectId });
const EMPTY = blobId('', 'f'.repeat(40) as ObjectId);

/** New files of a commit, held against what a session left under names that are gone; and how many texts were read for that, and at once. */
function find(left: readonly string[], added: readonly string[], shadow = left) {
  let reads = 0;
  const ahead: number[] = [];
  const readText: ReadText = ({ oid }) => {
    reads++;
    return oid === EMPTY ? '' : oid;
  };
  const readAhead: BlobTexts['readAhead'] = (groups) => {
    ahead.push(groups.flatMap((entries) => [...entries]).filter((entry) => entry).length);
    return readText;
  };
  const gone = left.map((_, at) => `old/${at}` as RepoPath);
  const found = findRenamed(gone, {
    touched: { fresh: new Set(), all: gone },
    changes: new Map(
      added.map((text, at) => [`new/${at}` as RepoPath, { before: undefined, after: blob(text) }]),
    ),
    shadow: new Map(shadow.map((text, at) => [`old/${at}`, blob(text)])),
    readText: Object.assign(readText, { readAhead }),
    isAtWork: () => false,
    budget: newBudget(),
    bytes: newReadBudgets(),
    readBefore: () => () => undefined,
    mayHaveWritten: () => true,
  });
  return { found, reads, ahead };
}

describe('what a session left under a name that is gone', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '}', ' ', 'd'), { maxLength: 6 });
  const texts = fc.array(
    text.map((lines) => lines.join('\n')),
    { maxLength: 4 },
  );

  /** Without regard of others: whether it is a part or extension of it, and has most of the lines that say something. */
  const isOf = (agent: string, after: string): boolean => {
    const [wrote, there] = [new Set(agent.split('\n').filter(isTelling)), new Set(after.split('\n'))];
    const kept = [...wrote].filter((line) => there.has(line));
    return (
      agent !== '' && (agent === after || (isPartOrExtension(agent, after) && kept.length * 2 > wrote.size))
    );
  };

  test('is found as if each pair were held against each other', () => {
    fc.assert(
      fc.property(texts, texts, (left, added) => {
        const { found } = find(left, added);
        added.forEach((after, at) => {
          const from = found.get(`new/${at}` as RepoPath);
          const fits = left.map((agent) => isOf(agent, after));
          expect(from !== undefined).toBe(fits.includes(true));
          if (from) expect(fits[Number(from.replace('old/', ''))]).toBe(true);
          // Those of the same content have names of their own, as far as there are enough.
          const twins = added.flatMap((one, index) =>
            one === after ? found.get(`new/${index}` as RepoPath) : [],
          );
          const names = left.filter((one) => one === after);
          if (from && names.length > 0)
            expect(new Set(twins).size).toBe(Math.min(twins.length, names.length));
        });
      }),
      { numRuns: 2_000 },
    );
  });

  test('of 300 files that were moved and changed each is read once, and has its own name', () => {
    const left = Array.from({ length: 300 }, (_, file) =>
      Array.from({ length: 50 }, (_, line) => `const valueOfFile${file}_${line} = 1;\n}\n`).join(''),
    );
    const { found, reads, ahead } = find(
      left,
      left.map((one) => `import it from 'there';\n${one.replace('= 1', '= 2')}`),
    );
    expect({ reads, ahead }).toEqual({ reads: 600, ahead: [600] });
    expect([...found]).toEqual(left.map((_, at) => [`new/${at}`, `old/${at}`]));
  });

  test('costs nothing where a session deleted files, and of 1500 new ones no more than 1000 are read', () => {
    const added = Array.from({ length: 1_500 }, (_, at) => `const vendored${at} = 'something long';\n`);
    expect(find(['gone'], added, [])).toEqual({ found: new Map(), reads: 0, ahead: [] });
    const { found, reads, ahead } = find(['const agent = 1000;\n', added[1_499] as string], added);
    expect(found).toEqual(new Map([['new/1499', 'old/1']]));
    expect({ reads, ahead }).toEqual({ reads: 1_002, ahead: [1_002] });
  });
});
