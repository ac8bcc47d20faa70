import { basename } from 'node:path';
import { lstatIfExists } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { truncate } from '../../base/text/text.ts';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { readRewindPoints } from '../../restore/points.ts';
import { listStateFiles, readStateIfReadable, sessionOfStateFile } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { readActivation } from '../../settings/enabled.ts';
import { storeOf } from '../../snapshot/place.ts';
import { numberTurns } from '../../snapshot/record/turn-records.ts';
import { listKnownSessions } from '../names/sessions.ts';
import { shortId } from '../names/short-id.ts';
import { oneLine } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';

/** What has an id that a shell can offer. */
export const ID_KINDS = ['session', 'turn', 'point'] as const;
export type IdKind = (typeof ID_KINDS)[number];

export const isIdKind = (word: string): word is IdKind => ID_KINDS.some((kind) => kind === word);

/** An id, and what it is of, in one line. */
interface Offered {
  readonly id: string;
  readonly describe: string;
}

/** A shell shows no more than this at a time that anybody would read. */
const MOST = 30;

/**
 * The newest ids of a kind, as lines of `<id>` and, behind a tab, what it is of. Nothing outside of a repository, and nothing that
 * fails: somebody is typing.
 *
 * @param word what was typed of it so far
 */
export async function renderIds(kind: IdKind, word: string): Promise<string> {
  const repo = locateRepo(process.cwd());
  if (!repo) return '';
  const found = await list(repo, kind, word);
  return found.map(({ id, describe }) => `${id}\t${oneLine(describe)}`).join('\n');
}

async function list(repo: Repo, kind: IdKind, word: string): Promise<Offered[]> {
  if (kind === 'session') return listSessions(repo);
  if (kind === 'point') return word.includes(':') ? listTurns(repo, word) : listPoints(repo);
  return word.includes(':') ? listTurns(repo, word) : [...listSessions(repo), ...listTurns(repo, word)];
}

/** Turns of the session that a word begins to name, or else of the newest one: what no other session did is read. */
function listTurns(repo: Repo, word: string): Offered[] {
  const [whose = ''] = word.split(':');
  const known = listKnownSessions({ repo });
  const dir = sessionsDir(repo.commonDir);
  const begun =
    listNewest(dir).find((id) => id.startsWith(whose)) ?? known.find((id) => id.startsWith(whose));
  if (begun === undefined) return [];
  const name = word.includes(':') ? whose : shortId(begun, known);
  const turns = numberTurns(storeOf(repo, begun)).turns.map(({ number, record: { at, subject } }) => ({
    id: `${name}:${number}`,
    describe: `${ago(at)}: ${truncate(oneLine(subject), 60, '...')}`,
  }));
  return turns.slice(-MOST).reverse();
}

/** Sessions by when something was written of them last. */
function listNewest(dir: string): SessionId[] {
  const files = listStateFiles(dir).map((file) => ({ file, at: lstatIfExists(file)?.mtimeMs ?? 0 }));
  files.sort((a, b) => b.at - a.at);
  return files.flatMap(({ file }) => sessionOfStateFile(basename(file)) ?? []);
}

/** Sessions of this repository; the files of those that something was written of last are read, and no others. */
function listSessions({ commonDir }: Repo): Offered[] {
  const dir = sessionsDir(commonDir);
  return listNewest(dir)
    .slice(0, MOST)
    .flatMap((id): Offered[] => {
      const state = readStateIfReadable(dir, id);
      if (!state) return [];
      const when = ago(state.lastInteractionTime ?? state.startedAt);
      return [
        { id, describe: `${state.agentType}, ${when}: ${truncate(oneLine(state.firstPrompt), 50, '...')}` },
      ];
    });
}

/** What `entire rewind --to` takes. */
async function listPoints(repo: Repo): Promise<Offered[]> {
  const activation = readActivation(repo);
  const strategy = activation.kind === 'enabled' ? activation.strategy : undefined;
  const points = await readRewindPoints(readBranch(repo), strategy);
  return points.map(({ id, date, subject }) => ({
    id: id.slice(0, 10),
    describe: `${ago(date)}: ${truncate(oneLine(subject), 60, '...')}`,
  }));
}
