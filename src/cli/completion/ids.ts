import { basename } from 'node:path';
import { lstatIfExists } from '../../base/file/disk.ts';
import { truncate } from '../../base/text/text.ts';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { readRewindPoints } from '../../restore/points.ts';
import { listStateFiles, readStateIfReadable, sessionOfStateFile } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { readActivation } from '../../settings/enabled.ts';
import { oneLine } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';

/** What has an id that a shell can offer. */
export const ID_KINDS = ['session', 'point'] as const;
export type IdKind = (typeof ID_KINDS)[number];

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
 */
export async function renderIds(kind: IdKind): Promise<string> {
  const repo = locateRepo(process.cwd());
  if (!repo) return '';
  const found = kind === 'session' ? listSessions(repo) : await listPoints(repo);
  return found.map(({ id, describe }) => `${id}\t${oneLine(describe)}`).join('\n');
}

/** Sessions of this repository; the files of those that something was written of last are read, and no others. */
function listSessions({ commonDir }: Repo): Offered[] {
  const dir = sessionsDir(commonDir);
  const files = listStateFiles(dir).map((file) => ({ file, at: lstatIfExists(file)?.mtimeMs ?? 0 }));
  files.sort((a, b) => b.at - a.at);
  return files.slice(0, MOST).flatMap(({ file }): Offered[] => {
    const id = sessionOfStateFile(basename(file));
    const state = id && readStateIfReadable(dir, id);
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
