import { describe, expect, test } from 'vitest';
import type { SessionData } from './session-data.ts';
import { SessionTree } from './session-tree.ts';
import { InMemoryStorage } from './storage/in-memory.ts';

const data = (session_id: string, parent_id: string | null, branch?: string): SessionData => ({
  ...{ session_id, parent_id, messages: [], system: null, created_at: 1, updated_at: 1 },
  metadata: branch === undefined ? {} : { branch },
});

describe('a tree of sessions', () => {
  test('knows parents, children and the way from the root', () => {
    const tree = new SessionTree();
    tree.add('root');
    tree.add('a', 'root');
    tree.add('b', 'a', 'idea');
    expect(tree.parentOf('b')).toBe('a');
    expect(tree.childrenOf('root')).toEqual(['a']);
    expect(tree.pathTo('b')).toEqual(['root', 'a', 'b']);
    expect(tree.sessions).toEqual(['root', 'a', 'b']);
    expect(tree.current).toBe('root');
  });

  test('finds a session by its id or its branch, a branch first', () => {
    const tree = new SessionTree();
    tree.add('a', undefined, 'main');
    tree.add('b', 'a', 'a');
    expect([tree.find('main'), tree.find('a'), tree.find('b'), tree.find('c')]).toEqual([
      'a',
      'b',
      'b',
      undefined,
    ]);
    expect(tree.switchTo('main')).toBe('a');
    expect(() => tree.switchTo('c')).toThrow('no session or branch of this tree: c');
    expect(tree.current).toBe('a');
  });

  test('a name goes over to the session that is called so last', () => {
    const tree = new SessionTree();
    tree.add('a', undefined, 'x');
    tree.add('b', undefined, 'x');
    expect([...tree.branches]).toEqual([['x', 'b']]);
    expect(() => tree.name('c', 'y')).toThrow('no session');
    expect(() => tree.name('a', ' ')).toThrow('a branch needs a name');
  });

  test('nothing is forked from itself, at whatever distance', () => {
    const tree = new SessionTree();
    tree.add('a');
    tree.add('b', 'a');
    expect(() => tree.add('a', 'b')).toThrow('which was forked from it');
    expect(() => tree.add('c', 'c')).toThrow('which was forked from it');
    expect(tree.parentOf('a')).toBeUndefined();
  });

  test('forgets a session with its branches; what was forked from it stays', () => {
    const tree = new SessionTree();
    tree.add('a', undefined, 'main');
    tree.add('b', 'a');
    tree.remove('a');
    expect(tree.find('main')).toBeUndefined();
    expect(tree.pathTo('b')).toEqual(['a', 'b']);
    expect(tree.current).toBeUndefined();
  });

  test('is the same after a round through JSON', () => {
    const tree = new SessionTree();
    tree.add('a', undefined, 'main');
    tree.add('b', 'a', 'idea');
    tree.switchTo('idea');
    const dict = JSON.parse(JSON.stringify(tree.toDict()));
    expect(SessionTree.fromDict(dict).toDict()).toEqual(tree.toDict());
    expect(() => SessionTree.fromDict({ ...dict, branches: { x: 'nobody' } })).toThrow('no session');
  });

  test('is read from a storage, in spite of what contradicts itself there', async () => {
    const storage = new InMemoryStorage();
    await storage.save('a', data('a', 'b', 'main'));
    await storage.save('b', data('b', 'a'));
    await storage.save('c', data('c', 'gone', 'idea'));
    const tree = await SessionTree.load(storage);
    expect(tree.parentOf('c')).toBe('gone');
    expect([tree.find('main'), tree.find('idea'), tree.current]).toEqual(['a', 'c', 'c']);
    expect([tree.parentOf('a'), tree.parentOf('b')]).toEqual(['b', undefined]);
  });
});
