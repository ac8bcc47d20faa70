import { expect, test } from 'vitest';
import { choosePlace, type PlaceFacts } from './place.ts';

const facts: PlaceFacts = {
  ...{ name: 'fix', main: '/src/app', isBare: false, commonDir: '/src/app/.git' },
  fallback: '/home/ada/.entire/worktrees',
  isWatched: () => false,
  isWritable: () => true,
};

test('beside the repository, and nothing of it is in another', () => {
  const asked: string[] = [];
  const isWatched = (folder: string) => asked.push(folder) === 0;
  expect(choosePlace({ ...facts, isWatched })).toBe('/src/app.worktrees/fix');
  expect(asked).toEqual(['/src']);
});

test.each([{ isWatched: () => true }, { isWritable: () => false }])('else in a folder of our own', (more) => {
  const place = choosePlace({ ...facts, ...more });
  expect(place).toMatch(/^\/home\/ada\/\.entire\/worktrees\/app-[0-9a-f]{6}\/fix$/);
  // Another repository of that name has another one.
  expect(choosePlace({ ...facts, ...more, commonDir: '/other/app/.git' })).not.toBe(place);
});

test('of a bare repository beside it, or around one that is hidden', () => {
  const bare = (main: string) => choosePlace({ ...facts, isBare: true, main, commonDir: main });
  expect(bare('/srv/app.git')).toBe('/srv/app.worktrees/fix');
  expect(bare('/srv/app')).toBe('/srv/app.worktrees/fix');
  expect(bare('/src/app/.bare')).toBe('/src/app/fix');
  expect(bare('/src/app/.git')).toBe('/src/app/fix');
  expect(bare('/home/ada/.dotfiles')).toBe('/home/ada/.dotfiles.worktrees/fix');
});
