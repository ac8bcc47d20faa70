import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AGENT_NAMES } from '../../integration/support/agent/agent-fixtures.ts';
import type { Plugin } from '../agents/external/call.ts';
import { hookTranscripts } from '../agents/external/transcripts.ts';
import { importTranscript } from '../agents/opencode/document.ts';
import { setupOf } from '../agents/setups.ts';
import { readLogTail } from '../base/file/log-tail.ts';
import type { SessionId } from '../base/ids.ts';
import { closeLog, log, openLog } from '../base/log.ts';
import { writeTaskMark } from '../session/record/task-mark.ts';
import { writePrePrompt } from '../session/record/turn-snapshot.ts';
import { ensureGitignore } from '../settings/gitignore.ts';
import { copyTranscript } from '../strategy/transcript/file.ts';

// What a branch can carry: links in the places of files and folders that are written without asking.

const OUTSIDE = '{"mine": "and nobody else’s"}\n';
let dir: string;
let root: string;
const at = (path: string) => join(root, path);
const outside = () => join(dir, 'outside');
const elsewhere = () => join(dir, 'elsewhere');

beforeEach(() => {
  vi.stubEnv('ENTIRE_LOG_LEVEL', undefined);
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-')));
  root = join(dir, 'repo');
  mkdirSync(at('.git'), { recursive: true });
  mkdirSync(elsewhere());
  writeFileSync(outside(), OUTSIDE);
});
afterEach(() => {
  closeLog();
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

function plant(path: string, target: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
}

const place = () => ({ root, recordFile: at('.git/entire/record.json') });

/** Who reads and writes files that a branch can carry. */
const FILES: ReadonlyArray<readonly [name: string, path: string, act: () => unknown]> = [
  ['.entire/.gitignore', '.entire/.gitignore', () => ensureGitignore(root)],
  ['the end of the log', '.entire/logs/entire.log', () => readLogTail(root, 1000)],
  ...AGENT_NAMES.flatMap((agent) => {
    const settings = setupOf(agent).settings;
    return (['install', 'uninstall', 'inspect', 'list'] as const).map(
      (verb) => [`${verb} of ${agent}`, settings.file, () => settings[verb](place())] as const,
    );
  }),
];

describe.each(FILES)('%s', (_, path, act) => {
  test('refuses a link out of the repository, or to a device', () => {
    for (const target of [outside(), '/dev/zero', join(dir, 'nowhere')]) {
      plant(path, target);
      expect(act, target).toThrow(/link/);
      expect(lstatSync(at(path)).isSymbolicLink()).toBe(true);
      rmSync(at(path));
    }
    expect(readFileSync(outside(), 'utf8')).toBe(OUTSIDE);
    expect(existsSync(join(dir, 'nowhere'))).toBe(false);
  });

  test('refuses what never ends', async () => {
    mkdirSync(dirname(at(path)), { recursive: true });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at(path), resolve));
    expect(act).toThrow(/a socket, not a regular file/);
    server.close();
  });
});

test('the log goes through no link, and nobody is hurt', () => {
  openLog(root, 'info');
  for (const target of [outside(), '/dev/full', join(dir, 'nowhere')]) {
    plant('.entire/logs/entire.log', target);
    expect(() => log('warn', 'a line')).not.toThrow();
    rmSync(at('.entire/logs'), { recursive: true });
  }
  plant('.entire/logs', elsewhere());
  expect(() => log('warn', 'a line')).not.toThrow();
  expect(readFileSync(outside(), 'utf8')).toBe(OUTSIDE);
  expect(existsSync(join(dir, 'nowhere'))).toBe(false);
  expect(readdirSync(elsewhere())).toEqual([]);
});

const ID = '3f6f4b5e-0000-4000-8000-00000000c0de' as SessionId;
const echo = (): Plugin => ({ program: 'echo', root, env: process.env, forbidden: [] });

/** Who writes into folders that a branch can have made links of. */
const FOLDERS: ReadonlyArray<readonly [name: string, folder: string, act: () => unknown]> = [
  [
    'what a turn began with',
    'tmp',
    () =>
      writePrePrompt(root, ID, { untrackedFiles: [], lastTranscriptIdentifier: '', stepTranscriptStart: 0 }),
  ],
  ['the mark of a sub-agent', 'tmp', () => writeTaskMark(root, 'toolu_01', [])],
  [
    'messages of OpenCode',
    'tmp',
    () => importTranscript(root, { session_id: ID, transcripts: [{ session_id: ID, messages: [] }] }),
  ],
  [
    'a transcript that an executable tells',
    'tmp',
    () => hookTranscripts(echo(), new Set()).fetch(ID, 'a-word-of-its-own'),
  ],
  ['the working copy of a transcript', 'metadata', () => copyTranscript(root, ID, outside())],
];

test.each(FOLDERS)('%s is not written through a link', (_, folder, act) => {
  for (const part of [`.entire/${folder}`, '.entire']) {
    plant(part, elsewhere());
    try {
      act();
    } catch (error) {
      expect(String(error)).toMatch(/is a link, not a folder/);
    }
    expect(readdirSync(elsewhere(), { recursive: true })).toEqual([]);
    rmSync(at('.entire'), { recursive: true });
    act();
    expect(readdirSync(at(`.entire/${folder}`))).toHaveLength(1);
    rmSync(at('.entire'), { recursive: true });
  }
});
