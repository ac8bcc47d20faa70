import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { claudeSettings } from './settings.ts';

let root: string;
let file: string;
const place = () => ({ root, recordFile: join(root, '.git/entire/agent-settings/claude-code.json') });
const read = () => readFileSync(file, 'utf8');
const write = (text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const complete = { expected: 15, current: 15, outdated: 0, surplus: 0, obsolete: 0, unmet: 0 };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-claude-')));
  file = join(root, claudeSettings.file);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('any settings survive install and uninstall byte for byte; installing is idempotent', () => {
  const group = fc.record(
    {
      matcher: fc.constantFrom('', '*', 'Task', 'Write', 'Bash|Edit'),
      hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string(), timeout: fc.nat() }), {
        maxLength: 2,
      }),
    },
    { requiredKeys: ['hooks'] },
  );
  const settings = fc.record(
    {
      hooks: fc.dictionary(
        fc.constantFrom('Stop', 'PostToolUse', 'Other'),
        fc.array(group, { maxLength: 2 }),
      ),
      permissions: fc.record({ deny: fc.array(fc.string(), { maxLength: 2 }) }),
      model: fc.string(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(settings, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      write(text);
      claudeSettings.install(place());
      const once = read();
      expect(claudeSettings.inspect(place())).toEqual(complete);
      expect(claudeSettings.install(place()).installed).toBe(0);
      expect(read()).toBe(once);
      const parsed = JSON.parse(once);
      expect(parsed.model).toEqual(JSON.parse(text).model);
      claudeSettings.uninstall(place());
      expect(read()).toBe(text);
      // Without the record the same settings remain, if not the same bytes.
      claudeSettings.install(place());
      rmSync(place().recordFile);
      claudeSettings.uninstall(place());
      if (existsSync(file)) expect(claudeSettings.inspect(place())).toMatchObject({ current: 0, surplus: 0 });
    }),
    { numRuns: 60 },
  );
});

test.each(['openSync', 'writeSync', 'renameSync', 'mkdirSync'] as const)(
  'a disk on which any %s fails leaves the old text or the new one, and no other file',
  (call) => {
    const text = '{"model":"opus"}';
    for (let failing = 0; failing < 4; failing++) {
      rmSync(join(root, '.git'), { recursive: true, force: true });
      write(text);
      let count = 0;
      const real = disk[call] as (...args: unknown[]) => unknown;
      const restore = replaceDisk({
        [call]: (...args: unknown[]) => {
          if (count++ === failing) throw new Error('disk full');
          return real(...args);
        },
      });
      try {
        claudeSettings.install(place());
      } catch (error) {
        expect((error as Error).message).toBe('disk full');
        expect(read()).toBe(text);
      } finally {
        restore();
      }
      expect(readdirSync(join(root, '.claude'))).toEqual(['settings.json']);
      claudeSettings.install(place());
      expect(claudeSettings.inspect(place())).toEqual(complete);
      claudeSettings.uninstall(place());
      expect(read()).toBe(text);
    }
  },
);
