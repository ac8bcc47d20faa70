import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { isTemporaryName } from '../../base/file/write-file-atomic.ts';
import { parseJson } from '../../base/text/json.ts';
import { locateHooksFolder } from '../../hooks/git/hooks-folder.ts';
import { isLockDead } from '../../session/lock.ts';
import { parseClaimName } from '../../session/return-claims.ts';
import { type Entry, listEntries } from '../clean/listing.ts';
import type { Patient } from '../patient.ts';
import { type Finding, foundSome } from './finding.ts';

/** What lies in our folders below the git folder and in `.entire`. */
export interface RecordFacts {
  /** State files that are none. */
  readonly unreadableStates: readonly string[];
  /** Other records that are no JSON. */
  readonly unreadableRecords: readonly string[];
  readonly sessions: readonly Entry[];
  /** Locks, and whether their owners are gone. */
  readonly locks: readonly { readonly path: string; readonly isDead: boolean }[];
  /** Journals of steps back that were begun and not finished. */
  readonly journals: readonly string[];
  /** Everything else that may hold something left over. */
  readonly others: readonly Entry[];
}

/** Folders of `<common>/entire` whose files are JSON; other readers pass over what is none. */
const JSON_FOLDERS = ['agent-settings', 'introductions', 'owed', 'tasks', 'turns', 'user-lines'];

export function readRecords(patient: Patient): RecordFacts {
  const { commonDir, worktreeRoot } = patient.repo;
  const sessions = listEntries(patient.work.sessions);
  const own = join(commonDir, 'entire');
  const top = listEntries(own);
  const below = top.filter(({ isFolder }) => isFolder).flatMap(({ path }) => listEntries(path));
  const caches = below.filter(({ path, isFolder }) => isFolder && path.startsWith(join(own, 'transcripts')));
  const here = ['', 'tmp', 'logs'].map((name) => join(worktreeRoot, '.entire', name));
  const jsonFiles = [...top, ...below].filter(
    ({ path, name, isFile }) => isFile && name.endsWith('.json') && isJsonFolder(path, own),
  );
  return {
    unreadableStates: patient.states().unreadable,
    unreadableRecords: jsonFiles.map(({ path }) => path).filter((path) => !holdsJson(path)),
    sessions,
    locks: [...sessions, ...top]
      .filter(({ name, isFolder }) => isFolder && name.endsWith('.lock'))
      .map(({ path }) => ({ path, isDead: isLockDead(path) })),
    journals: listEntries(join(own, 'snapshots'))
      .map(({ path }) => join(path, 'journal.json'))
      .filter((file) => disk.existsSync(file)),
    others: [
      ...top,
      ...below,
      ...caches.flatMap(({ path }) => listEntries(path)),
      ...[...here, join(worktreeRoot, '.claude')].flatMap(listEntries),
      ...listHooksFolder(patient),
      ...listEntries(commonDir).filter(
        ({ name }) => name.startsWith('fast_import_crash_') || name.endsWith('.lock'),
      ),
    ],
  };
}

function isJsonFolder(path: string, own: string): boolean {
  const [folder, ...rest] = path.slice(own.length + 1).split(/[\\/]/);
  return rest.length === 0 || JSON_FOLDERS.includes(folder ?? '');
}

/** Whether a file is JSON, as far as it can be read. */
export function holdsJson(path: string): boolean {
  try {
    return parseJson(readOwnText(path, 'record') ?? '{}') !== undefined;
  } catch {
    return true; // gone, or not to be read by us, which has a finding of its own
  }
}

function listHooksFolder({ repo }: Patient): Entry[] {
  const { dir, isOwn } = locateHooksFolder(repo);
  return isOwn ? listEntries(dir) : [];
}

/** Whatever is at work finishes within this time; what is older was left by something that died. */
const LEFT_MS = 10 * 60_000;

const isLeft = ({ ageMs }: Entry): boolean => ageMs > LEFT_MS;

export function judgeRecords(facts: RecordFacts): Finding[] {
  const { unreadableStates, unreadableRecords, sessions, locks, journals, others } = facts;
  const all = [...sessions, ...others].filter(({ isFile }) => isFile);
  const list = (entries: readonly { readonly path: string }[]) => entries.map(({ path }) => path);
  const claims = sessions.filter((entry) => parseClaimName(entry.name) !== undefined && isLeft(entry));
  const temporary = all.filter((entry) => isTemporaryName(entry.name) && isLeft(entry));
  const crashes = all.filter((entry) => entry.name.startsWith('fast_import_crash_') && isLeft(entry));
  const gitLocks = all.filter(
    (entry) => /^(index|HEAD|packed-refs|config)\.lock$/.test(entry.name) && isLeft(entry),
  );
  return [
    ...foundSome('state-unreadable', unreadableStates, { isFixable: true }),
    ...foundSome('record-unreadable', unreadableRecords, { isFixable: true }),
    ...foundSome('set-aside', list(all.filter(({ name }) => /\.corrupt-\d+$/.test(name)))),
    ...foundSome('undo-unfinished', journals),
    ...foundSome('claims-left', list(claims), { isFixable: true }),
    ...foundSome('lock-left', list(locks.filter(({ isDead }) => isDead)), { isFixable: true }),
    ...foundSome('temporary-left', list(temporary), { isFixable: true }),
    ...foundSome('crash-report', list(crashes), { isFixable: true }),
    ...foundSome('git-lock', list(gitLocks)),
  ];
}
