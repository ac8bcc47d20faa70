import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceClock } from '../../base/clock.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { ChangeKind, Status } from '../../git/worktree/status.ts';
import {
  changedSince,
  readBaseline,
  readPrePrompt,
  removeBaseline,
  removePrePrompt,
  type TurnBaseline,
  takeBaseline,
  writeBaseline,
  writePrePrompt,
} from './turn-snapshot.ts';

const id = parseSessionId('s1') as SessionId;
let root: string;
let restore: () => void;
const tmp = (name: string) => join(root, '.entire', 'tmp', name);
const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-snapshot-'));
  restore = replaceClock(() => new Date('2026-02-10T12:00:00.987Z'));
});
afterEach(() => {
  restore();
  rmSync(root, { recursive: true, force: true });
});

describe('pre-prompt', () => {
  test('in the format of v0.4.4', () => {
    writePrePrompt(root, id, {
      untrackedFiles: ['a&b.txt'],
      lastTranscriptIdentifier: 'u1',
      stepTranscriptStart: 14,
    });
    expect(readFileSync(tmp('pre-prompt-s1.json'), 'utf8')).toMatchInlineSnapshot(`
      "{
        "session_id": "s1",
        "timestamp": "2026-02-10T12:00:00Z",
        "untracked_files": [
          "a\\u0026b.txt"
        ],
        "last_transcript_identifier": "u1",
        "step_transcript_start": 14
      }
      "
    `);
    expect(statSync(tmp('pre-prompt-s1.json')).mode & 0o777).toBe(0o600);
    expect(readPrePrompt(root, id)).toEqual({
      untrackedFiles: ['a&b.txt'],
      lastTranscriptIdentifier: 'u1',
      stepTranscriptStart: 14,
    });
  });

  test('what is empty is left out, but for the list of files', () => {
    writePrePrompt(root, id, { untrackedFiles: [], lastTranscriptIdentifier: '', stepTranscriptStart: 0 });
    expect(JSON.parse(readFileSync(tmp('pre-prompt-s1.json'), 'utf8'))).toEqual({
      session_id: 's1',
      timestamp: '2026-02-10T12:00:00Z',
      untracked_files: [],
    });
  });

  test('the legacy line count is read where the newer one is zero', () => {
    put(
      tmp('pre-prompt-s1.json'),
      '{"step_transcript_start":0,"last_transcript_line_count":9,"untracked_files":null}',
    );
    expect(readPrePrompt(root, id)).toEqual({
      untrackedFiles: [],
      lastTranscriptIdentifier: '',
      stepTranscriptStart: 9,
    });
    put(tmp('pre-prompt-s1.json'), '{"step_transcript_start":3,"last_transcript_line_count":9}');
    expect(readPrePrompt(root, id)?.stepTranscriptStart).toBe(3);
  });

  test.each(['', '\0\0', '[]', '{"untracked_files":"a"}', '{"untr'])('%j is no snapshot', (text) => {
    put(tmp('pre-prompt-s1.json'), text);
    expect(readPrePrompt(root, id)).toBeUndefined();
  });

  test('missing, and removed twice', () => {
    expect(readPrePrompt(root, id)).toBeUndefined();
    writePrePrompt(root, id, { untrackedFiles: [], lastTranscriptIdentifier: '', stepTranscriptStart: 0 });
    removePrePrompt(root, id);
    expect(existsSync(tmp('pre-prompt-s1.json'))).toBe(false);
    expect(() => removePrePrompt(root, id)).not.toThrow();
  });
});

describe('baseline', () => {
  const status = (changes: Record<string, ChangeKind>): Status => ({
    head: undefined,
    branch: 'main',
    changes: new Map(Object.entries(changes) as [RepoPath, ChangeKind][]),
    ignored: [],
  });
  const before = { 'a.txt': 'modified', 'new.txt': 'untracked', 'gone.txt': 'deleted' } as const;
  const store = () => {
    for (const name of ['a.txt', 'new.txt']) writeFileSync(join(root, name), 'user');
    writeBaseline(join(root, 'git'), id, takeBaseline(root, status(before), 'turn-1', 7));
    return readBaseline(join(root, 'git'), id, 'turn-1') as TurnBaseline;
  };

  test('the edits of the user are not those of the agent', () => {
    expect(changedSince(store(), root, status(before))).toEqual([]);
  });

  test("it knows where its turn begins in the transcript, and is no other turn's", () => {
    expect(store().items).toBe(7);
    expect(readBaseline(join(root, 'git'), id, 'turn-2')).toBeUndefined();
  });

  test.each<[string, (file: string) => void]>([
    ['another size', (file) => writeFileSync(file, 'user and agent')],
    ['the same size at another time', (file) => utimesSync(file, 1, 2)],
    ['another mode', (file) => chmodSync(file, 0o755)],
    [
      'a link in its place',
      (file) => {
        unlinkSync(file);
        symlinkSync('user', file);
      },
    ],
  ])('%s is a change', (_, change) => {
    const baseline = store();
    change(join(root, 'a.txt'));
    expect(changedSince(baseline, root, status(before))).toEqual(['a.txt']);
  });

  test('staging a file is no change; bringing one back is, and so is a path that was clean', () => {
    const baseline = store();
    const after = {
      'a.txt': 'modified',
      'new.txt': 'modified',
      'gone.txt': 'untracked',
      'b.txt': 'untracked',
    } as const;
    writeFileSync(join(root, 'gone.txt'), 'back');
    expect(changedSince(baseline, root, status(after))).toEqual(['gone.txt', 'b.txt']);
  });

  test('a file that went away between the listing and the look', () => {
    const baseline = store();
    unlinkSync(join(root, 'a.txt'));
    expect(changedSince(baseline, root, status(before))).toEqual(['a.txt']);
  });

  test.each([
    '',
    '{',
    '{"version":1,"turn_id":"turn-1","items":0,"paths":{}}',
    '{"version":2,"turn_id":"turn-1","taken_at_ms":0,"items":0,"paths":{"a":1}}',
  ])('%j is no baseline', (text) => {
    put(join(root, 'git', 'entire', 'turns', 's1.json'), text);
    expect(readBaseline(join(root, 'git'), id, 'turn-1')).toBeUndefined();
  });

  test('missing, and removed twice', () => {
    expect(readBaseline(join(root, 'git'), id, 'turn-1')).toBeUndefined();
    store();
    removeBaseline(join(root, 'git'), id);
    removeBaseline(join(root, 'git'), id);
    expect(readBaseline(join(root, 'git'), id, 'turn-1')).toBeUndefined();
  });
});
