import { expect } from 'vitest';
import {
  addBare,
  addCheckpoint,
  addCommit,
  checkpointsOn,
  METADATA,
  noteShown,
  userPush,
  withOrigin,
} from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

scenario(
  'after `git remote set-url` what the old place had is not taken for what the new one has',
  (repo) => {
    withOrigin(repo);
    const id = addCheckpoint(repo);
    expect(userPush(repo).said).toEqual(['[entire] Pushing session logs to origin...']);
    const moved = addBare(repo, 'moved');
    repo.git('remote', 'set-url', 'origin', `file://${moved}`);
    noteShown(repo);
    expect(repo.entire('push', '--preview').stdout).toContain('Would push entire/checkpoints/v1');
    addCommit(repo);
    expect(userPush(repo).said).toEqual(['[entire] Pushing session logs to origin...']);
    expect(checkpointsOn(repo, METADATA, moved)).toEqual([id]);
    expect(repo.entire('push', '--preview').stdout).toContain('has every checkpoint');
  },
);

variation('a place that moved with all it had gets nothing again, and is asked once', (repo) => {
  const bare = withOrigin(repo);
  addCheckpoint(repo);
  userPush(repo);
  const moved = addBare(repo, 'moved');
  repo.git('-C', bare, 'push', '--quiet', '--mirror', moved);
  repo.git('remote', 'set-url', 'origin', `file://${moved}`);
  noteShown(repo);
  addCommit(repo);
  expect(userPush(repo)).toEqual({ code: 0, said: [] });
  repo.git('remote', 'set-url', '--push', 'origin', `file://${moved}`);
  expect(userPush(repo).code).toBe(0);
  expect(checkpointsOn(repo, METADATA, moved)).toHaveLength(1);
});

variation('the preview of a new place that does not answer shows all there is', (repo) => {
  withOrigin(repo);
  addCheckpoint(repo);
  userPush(repo);
  repo.git('remote', 'set-url', 'origin', 'file:///nowhere/at/all.git');
  noteShown(repo);
  expect(repo.entire('push', '--preview').stdout).toContain('Would push entire/checkpoints/v1');
});
