import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AGENTS } from '../agents/names.ts';
import { setupOf } from '../agents/setups.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-syntax-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Texts with what JSON has none of, and where it stands; as the real clients read them. */
const TEXTS = {
  comment: { text: '{\n  // mine\n  "hooks": {}\n}\n', line: 2, what: 'a comment' },
  comma: { text: '{\n  "hooks": {},\n}\n', line: 2, what: 'a comma with nothing behind it' },
  mark: { text: '\uFEFF{\n  "hooks": {}\n}\n', line: 1, what: 'a byte order mark' },
} as const;
const READS = [
  ['claude-code', { comment: false, comma: false, mark: true }],
  ['codex', { comment: false, comma: false, mark: false }],
  ['copilot-cli', { comment: false, comma: false, mark: false }],
  ['factoryai-droid', { comment: true, comma: false, mark: false }],
  ['gemini', { comment: true, comma: false, mark: false }],
  ['qwen-code', { comment: true, comma: false, mark: true }],
] as const;

const CASES = READS.flatMap(([agent, reads]) =>
  (['comment', 'comma', 'mark'] as const).map((kind) => ({ agent, kind, isRead: reads[kind] })),
);

test.each(CASES.filter(({ isRead }) => !isRead))(
  '$agent passes over a file with a $kind: hooks do not go there, and none that are there count',
  ({ agent, kind }) => {
    const settings = setupOf(agent).settings;
    const place = { root, recordFile: join(root, 'record.json') };
    const file = join(root, settings.file);
    const { text, line, what } = TEXTS[kind];
    const refusal = expect.objectContaining({
      code: 'CONFIG_UNREADABLE',
      message: `${settings.file}, line ${line}: ${what}; ${AGENTS[agent].type} does not read a file with one, and no setting in it holds.`,
    });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    for (const act of [settings.install, settings.inspect, settings.list])
      expect(() => act(place)).toThrow(refusal);
    expect(readFileSync(file, 'utf8')).toBe(text);
    // What was put there before somebody wrote it comes out all the same.
    rmSync(file);
    const { installed } = settings.install(place);
    const ours = readFileSync(file, 'utf8');
    const spoilt = { comment: ours.replace('\n', '\n// mine\n'), comma: ours, mark: `\uFEFF${ours}` }[kind];
    writeFileSync(file, kind === 'comma' ? ours.replace(/\n\}\n$/, ',\n}\n') : spoilt);
    expect(() => settings.inspect(place)).toThrow(expect.objectContaining({ code: 'CONFIG_UNREADABLE' }));
    expect(settings.inspect(place, { anySyntax: true }).current).toBe(installed);
    expect(settings.uninstall(place)).toBe(installed);
  },
);

test.each(CASES.filter(({ isRead }) => isRead))(
  '$agent reads a file with a $kind: it stays, and uninstalling restores every byte',
  ({ agent, kind }) => {
    const settings = setupOf(agent).settings;
    const place = { root, recordFile: join(root, 'record.json') };
    const file = join(root, settings.file);
    const { text } = TEXTS[kind];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const { installed } = settings.install(place);
    const after = readFileSync(file, 'utf8');
    expect(settings.inspect(place).current).toBe(installed);
    expect(after.startsWith(text.slice(0, text.indexOf('"hooks"')))).toBe(true);
    expect(Object.keys(parse(after.replace(/^\uFEFF/, '')).hooks).length).toBeGreaterThan(4);
    settings.uninstall(place);
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);
