import { expect, test } from 'vitest';
import { replaceDisk } from '../../base/file/disk.ts';
import { findHookManagers } from './hook-managers.ts';

test.each([
  ['.husky/', 'Husky'],
  ['.lefthook-local.toml', 'Lefthook'],
  ['lefthook.yml', 'Lefthook'],
  ['.pre-commit-config.yaml', 'pre-commit'],
  ['.overcommit.yml', 'Overcommit'],
  ['.config/hk.local.pkl', 'hk'],
])('%s gives away %s', (path, name) => {
  const restore = replaceDisk({ existsSync: (file) => file === `/repo/${path}` });
  expect(findHookManagers('/repo')).toEqual([{ name, path }]);
  restore();
});
