import { expect, test } from 'vitest';
import { replaceSpawn } from '../../git/run.ts';
import { commitInScratch } from './scratch-git.ts';

test('refuses every repository but a scratch one, and starts no git there', () => {
  const restore = replaceSpawn(() => {
    throw new Error('git was started');
  });
  try {
    const at = (cwd: string) => () => commitInScratch({ cwd, env: {} }, ['.'], []);
    expect(at('/home/ada/repository')).toThrow('no scratch repository');
    expect(at('/tmp/entire-self-test-x')).toThrow('no scratch repository');
    expect(at('/tmp/entire-self-test-x/repository')).toThrow('git was started');
  } finally {
    restore();
  }
});
