import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileTracker } from './file-tracker.ts';

const path = fc.oneof(fc.constantFrom('a', 'b', 'src/c.ts', 'a, b', ''), fc.string({ maxLength: 4 }));

test('a path read twice is recorded once', () => {
  const tracker = new FileTracker();
  tracker.recordRead('a');
  tracker.recordRead('a');
  expect(tracker.toMetadata().readFiles).toEqual(['a']);
});

test('a path modified twice is recorded once', () => {
  const tracker = new FileTracker();
  tracker.recordModified('a');
  tracker.recordModified('a');
  expect(tracker.toMetadata().modifiedFiles).toEqual(['a']);
});

test('paths keep the order in which they were first recorded, each once', () => {
  fc.assert(
    fc.property(fc.array(path), fc.array(path), (read, modified) => {
      const tracker = new FileTracker();
      for (const file of read) tracker.recordRead(file);
      for (const file of modified) tracker.recordModified(file);
      const first = (paths: string[]) =>
        paths.filter((file, at) => file !== '' && paths.indexOf(file) === at);
      expect(tracker.toMetadata()).toMatchObject({ readFiles: first(read), modifiedFiles: first(modified) });
    }),
  );
});

test('metadata is a snapshot: what is recorded later does not change it', () => {
  const tracker = new FileTracker();
  tracker.recordRead('a');
  const before = tracker.toMetadata();
  tracker.recordRead('b');
  tracker.recordModified('c');
  expect(before).toMatchObject({ readFiles: ['a'], modifiedFiles: [] });
});

test('metadata of a tracker knows no token counts', () => {
  expect(new FileTracker().toMetadata()).toMatchObject({ tokensBefore: undefined, tokensAfter: undefined });
});

test('the section of a tracker is the documented one, byte for byte', () => {
  const tracker = new FileTracker();
  tracker.recordRead('src/auth.py');
  tracker.recordModified('src/auth.py');
  tracker.recordRead('tests/test_auth.py');
  expect(tracker.toPromptSection()).toBe(
    "## Files you've been working with\nModified: src/auth.py\nRead: src/auth.py, tests/test_auth.py",
  );
});

test('a tracker that recorded nothing, or what is no path, has no section', () => {
  const tracker = new FileTracker();
  tracker.recordRead('');
  tracker.recordModified(undefined as unknown as string);
  expect(tracker.toPromptSection()).toBe('');
});

test('a hundred thousand files, each recorded twice, are told in order', () => {
  const tracker = new FileTracker();
  for (const _ of [1, 2]) for (let at = 0; at < 100_000; at++) tracker.recordRead(`src/${at}.ts`);
  const line = tracker.toPromptSection().split('\n')[1] ?? '';
  const told = line.slice('Read: '.length).split(', ');
  expect(told).toHaveLength(100_000);
  expect([told[0], told.at(-1)]).toEqual(['src/0.ts', 'src/99999.ts']);
});
