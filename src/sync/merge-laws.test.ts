import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { renderMergedRoot, renderRoot, renderSlot, type SlotMetadata } from '../checkpoint/metadata-json.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import type { Entries } from '../git/object/trees.ts';
import type { Store } from './store.ts';
import { mergeTrees } from './union.ts';

/** Objects in memory; counts the folders that were opened. */
class MemoryStore implements Store {
  readonly folders = new Map<ObjectId, Entries>();
  readonly texts = new Map<ObjectId, string>();
  opened: ObjectId[] = [];

  readFolders(oids: readonly ObjectId[]): Map<ObjectId, Entries> {
    this.opened.push(...oids);
    return new Map(oids.map((oid) => [oid, this.folders.get(oid) as Entries]));
  }
  readTexts(oids: readonly ObjectId[]): Map<ObjectId, string> {
    return new Map(oids.map((oid) => [oid, this.texts.get(oid) as string]));
  }
  readSizes(oids: readonly ObjectId[]): Map<ObjectId, number> {
    return new Map(
      oids.flatMap((oid) => (this.texts.has(oid) ? [[oid, this.texts.get(oid)?.length ?? 0]] : [])),
    );
  }
  writeTexts(texts: readonly string[]): ObjectId[] {
    return texts.map((text) => {
      const oid = hash(`blob ${text}`);
      this.texts.set(oid, text);
      return oid;
    });
  }
  writeFolders(folders: readonly Entries[]): ObjectId[] {
    return folders.map((folder) => {
      const sorted = [...folder].sort(([a], [b]) => (a < b ? -1 : 1));
      const oid = hash(`tree ${JSON.stringify(sorted)}`);
      this.folders.set(oid, new Map(sorted));
      return oid;
    });
  }
}

const hash = (text: string): ObjectId => createHash('sha1').update(text).digest('hex') as ObjectId;

/** A folder of names, in which a text is a file. */
type Tree = { readonly [name: string]: Tree | string };

function store(into: MemoryStore, tree: Tree): ObjectId {
  const entries = Object.entries(tree).map(([name, child]): [string, TreeEntry] =>
    typeof child === 'string'
      ? [name, { mode: '100644', oid: into.writeTexts([child])[0] as ObjectId }]
      : [name, { mode: '40000', oid: store(into, child) }],
  );
  return into.writeFolders([new Map(entries)])[0] as ObjectId;
}

function load(from: MemoryStore, oid: ObjectId): Tree {
  const children = [...(from.folders.get(oid) as Entries)].map(([name, { mode, oid: child }]) => [
    name,
    mode === '40000' ? load(from, child) : (from.texts.get(child) as string),
  ]);
  return Object.fromEntries(children);
}

/** What the laws hold for: one merge after another, all since the same base. */
function merge(base: Tree | undefined, ...trees: readonly Tree[]): Tree {
  const memory = new MemoryStore();
  const origin = base && store(memory, base);
  const [first, ...rest] = trees.map((tree) => store(memory, tree)) as [ObjectId, ...ObjectId[]];
  return load(
    memory,
    rest.reduce((sum, next) => mergeTrees(memory, origin, sum, next), first),
  );
}

const IDS = ['aa0000000001', 'aa0000000002', 'bb0000000003'] as CheckpointId[];

interface Session {
  readonly id: string;
  readonly transcript: string;
  readonly at: number;
  readonly summary: boolean;
}

const session: fc.Arbitrary<Session> = fc.record({
  id: fc.constantFrom('one', 'two', 'three'),
  transcript: fc.constantFrom('a', 'b', 'ab', 'abc'),
  at: fc.integer({ min: 0, max: 2 }),
  summary: fc.boolean(),
});

function metadataOf(id: CheckpointId, { id: sessionId, at, summary }: Session): SlotMetadata {
  return {
    ...{ cliVersion: '0.4.4', checkpointId: id, sessionId, strategy: 'manual-commit', branch: 'main' },
    ...{ createdAt: `2026-01-0${at + 1}T00:00:00Z`, checkpointsCount: 1, filesTouched: [`${sessionId}.txt`] },
    ...{ agent: '', turnId: '', transcriptIdentifierAtStart: '', checkpointTranscriptStart: 0 },
    ...{ tokenUsage: undefined, transcriptPath: '', other: summary ? { summary: { intent: 'x' } } : {} },
  };
}

function checkpointTree(id: CheckpointId, sessions: readonly Session[], extra: string | undefined): Tree {
  const slots = sessions.map((one) => ({
    metadata: metadataOf(id, one),
    files: { hasPrompt: true, hasContext: false },
  }));
  const folders = sessions.map((one, index) => [
    index,
    { 'metadata.json': renderSlot(metadataOf(id, one)), 'full.jsonl': one.transcript, 'prompt.txt': one.id },
  ]);
  const [latest] = slots as [(typeof slots)[number]];
  return {
    'metadata.json': extra === 'odd root' ? renderRoot(slots, latest.metadata) : renderMergedRoot(slots, {}),
    ...Object.fromEntries(folders),
    ...(extra === 'task'
      ? { tasks: { t1: { 'checkpoint.json': `{"of":"${latest.metadata.sessionId}"}` } } }
      : {}),
    ...(extra === 'later' ? { 'index.v9': latest.metadata.sessionId } : {}),
    ...(extra === 'damaged' ? { 7: { 'metadata.json': '{ torn', 'full.jsonl': 'x' } } : {}),
  };
}

const checkpoint = (id: CheckpointId): fc.Arbitrary<Tree> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          fc.uniqueArray(session, { minLength: 1, maxLength: 3, selector: (one) => one.id }),
          fc.option(fc.constantFrom('task', 'later', 'damaged', 'odd root'), { nil: undefined }),
        )
        .map(([sessions, extra]) => checkpointTree(id, sessions, extra)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{}', 'no JSON').map((json): Tree => ({ 'metadata.json': json })),
    },
  );

const tree: fc.Arbitrary<Tree> = fc
  .tuple(
    fc.tuple(...IDS.map((id) => fc.option(checkpoint(id), { nil: undefined }))),
    fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
  )
  .map(([checkpoints, foreign]) => {
    const root: Record<string, Record<string, Tree>> = {};
    for (const [index, content] of checkpoints.entries()) {
      const id = IDS[index] as string;
      if (content) root[id.slice(0, 2)] = { ...root[id.slice(0, 2)], [id.slice(2)]: content };
    }
    return { ...root, ...(foreign ? { 'version.txt': foreign } : {}) };
  });

const base = fc.option(tree, { nil: undefined });
vi.setConfig({ testTimeout: 60_000 });
const RUNS = { numRuns: 100 };

/** Three trees, in each of which some checkpoints are still as they were in the base. */
const since = fc
  .tuple(base, ...[tree, tree, tree].map((one) => fc.tuple(one, fc.tuple(...IDS.map(() => fc.boolean())))))
  .map(([origin, ...sides]) => ({
    origin,
    trees: sides.map(([changed, kept]) => withKept(origin ?? {}, changed, kept)) as [Tree, Tree, Tree],
  }));

function withKept(origin: Tree, changed: Tree, kept: readonly boolean[]): Tree {
  const root: Record<string, Record<string, Tree>> = {};
  for (const [index, id] of IDS.entries()) {
    const [shard, name] = [id.slice(0, 2), id.slice(2)];
    const content = ((kept[index] ? origin : changed)[shard] as Record<string, Tree> | undefined)?.[name];
    if (content) root[shard] = { ...root[shard], [name]: content };
  }
  return root;
}

describe('merging is a union', () => {
  test('commutative, since whatever base', () => {
    fc.assert(
      fc.property(since, ({ origin, trees: [a, b] }) => {
        expect(merge(origin, a, b)).toEqual(merge(origin, b, a));
      }),
      RUNS,
    );
  });

  test('idempotent: a tree with itself, and a merge with either of its sides', () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        expect(merge(undefined, a, a)).toEqual(a);
        const both = merge(undefined, a, b);
        expect(merge(undefined, both, a)).toEqual(both);
        expect(merge(undefined, b, both)).toEqual(both);
      }),
      RUNS,
    );
  });

  test('associative, without a base and since the same one', () => {
    fc.assert(
      fc.property(since, ({ origin, trees: [a, b, c] }) => {
        for (const o of [undefined, origin]) {
          const left = merge(o, merge(o, a, b), c);
          expect(merge(o, a, merge(o, b, c))).toEqual(left);
          expect(merge(o, merge(o, c, a), b)).toEqual(left);
        }
      }),
      RUNS,
    );
  });

  test('the side that changed counts, a deletion too; what both changed is never deleted', () => {
    const [one, other] = ['short', 'longer'].map((transcript) =>
      checkpointTree(IDS[0] as CheckpointId, [{ id: 'one', transcript, at: 0, summary: false }], undefined),
    ) as [Tree, Tree];
    const with_ = (content: Tree): Tree => ({ aa: { '0000000001': content } });
    expect(merge(with_(other), with_(other), with_(one))).toEqual(with_(one));
    expect(merge(with_(one), {}, with_(one))).toEqual({});
    expect(merge(with_(one), {}, with_(other))).toEqual(with_(other));
    expect(merge(undefined, with_(one), with_(other))).toEqual(with_(other));
  });

  test('no session of either side is missing, and each folder comes whole from one of them', () => {
    const sessionsIn = (content: Tree) =>
      Object.entries(content).flatMap(([shard, below]) =>
        Object.entries(below).flatMap(([name, folder]) =>
          Object.entries(folder as Tree).flatMap(([number, slot]) =>
            /^\d$/.test(number) && !JSON.stringify(slot).includes('torn')
              ? [
                  [
                    `${shard}${name} ${(slot as Tree)['prompt.txt']}`,
                    JSON.stringify(Object.entries(slot).sort()),
                  ] as const,
                ]
              : [],
          ),
        ),
      );
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const sides = [...sessionsIn(a), ...sessionsIn(b)];
        const merged = new Map(sessionsIn(merge(undefined, a, b)));
        for (const [id] of sides) expect([...merged.keys()]).toContain(id);
        for (const [id, content] of merged) expect(sides).toContainEqual([id, content]);
      }),
      RUNS,
    );
  });

  test('folders that are the same on both sides are not opened', () => {
    const memory = new MemoryStore();
    const many: Record<string, Tree> = {};
    for (let shard = 0; shard < 256; shard++) {
      const ids = Array.from({ length: 20 }, (_, n) => n.toString(16).padStart(10, '0'));
      many[shard.toString(16).padStart(2, '0')] = Object.fromEntries(
        ids.map((id) => [id, { 'metadata.json': id }]),
      );
    }
    const more = (id: string): Tree => ({
      ...many,
      aa: { ...(many.aa as Tree), [id]: { 'metadata.json': id } },
    });
    const [origin, a, b] = [many, more('aaaaaaaaaa'), more('bbbbbbbbbb')].map((one) => store(memory, one));
    const merged = mergeTrees(memory, origin, a as ObjectId, b as ObjectId);
    expect(memory.opened).toHaveLength(6); // three roots, and one shard of each
    expect(Object.keys((load(memory, merged).aa as Tree) ?? {})).toHaveLength(22);
  });
});
