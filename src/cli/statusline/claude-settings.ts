import { dirname, join } from 'node:path';
import { configDir } from '../../agents/claude-code/session-home.ts';
import { MANAGED } from '../../agents/claude-code/settings.ts';
import { missingFolders, removeEmptyFolders } from '../../agents/shared/hook-table/locate.ts';
import { isAsWritten, readOrigin, writeOrigin } from '../../agents/shared/hook-table/origin.ts';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { readUserText, readWorktreeText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { asObject, parseJson } from '../../base/text/json.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import { findIgnored } from '../../git/worktree/status.ts';
import { findTracked } from '../../git/worktree/tracked.ts';
import { settingsPlace } from '../../hooks/agent-settings.ts';
import { ensureExcluded, removeExcluded } from '../../settings/gitignore.ts';
import { editSettingsFile } from '../../settings/settings-file.ts';

/** Where Claude Code keeps what a person wants in one project. */
export const CLAUDE_LOCAL = '.claude/settings.local.json';
/** What it runs; it writes its JSON to stdin. */
export const STATUS_LINE_COMMAND = 'entire statusline --stdin';
const EXCLUDED = `/${CLAUDE_LOCAL}`;

/** What became of the wish for a status line. */
export type SetStatusLine =
  | { readonly kind: 'set' | 'set already' | 'shared' }
  /** Another one stands in that file. */
  | { readonly kind: 'taken'; readonly file: string };

/**
 * Sets Claude Code's status line in the person's own settings for this worktree, where none is set anywhere.
 *
 * @throws {EntireError} `CONFIG_UNREADABLE`; nothing was written then
 * @see https://code.claude.com/docs/en/statusline
 */
export function setStatusLine(repo: Repo, env: NodeJS.ProcessEnv): SetStatusLine {
  const { worktreeRoot: root, commonDir } = repo;
  const managed = MANAGED[process.platform];
  const files = [
    ...(managed === undefined ? [] : [managed]),
    ...[CLAUDE_LOCAL, '.claude/settings.json'].map((name) => join(root, name)),
    join(configDir(env), 'settings.json'),
  ];
  const taken = files.find((file) => statusLineOf(read(file)) !== undefined);
  if (taken !== undefined)
    return isOurs(read(taken)) ? { kind: 'set already' } : { kind: 'taken', file: taken };
  const git = gitFor(repo);
  if (findTracked(git, [CLAUDE_LOCAL]).has(CLAUDE_LOCAL)) return { kind: 'shared' };
  const before = readWorktreeText(root, CLAUDE_LOCAL, 'settings');
  const isNewFolder = missingFolders(root, CLAUDE_LOCAL).length > 0;
  edit(root, { type: 'command', command: STATUS_LINE_COMMAND });
  const origin = {
    ...{ version: 1 as const, created_file: before === undefined, created_dir: isNewFolder },
    ...(before === undefined ? {} : { original: before }),
  };
  writeOrigin(recordFile(repo), origin, readWorktreeText(root, CLAUDE_LOCAL, 'settings') ?? '');
  if (findIgnored(git, [CLAUDE_LOCAL]).length === 0) ensureExcluded(commonDir, [EXCLUDED]);
  return { kind: 'set' };
}

/** Whether {@link unsetStatusLine} would have something to do. */
export const isStatusLineSet = (repo: Repo): boolean => readOrigin(recordFile(repo)) !== undefined;

/** Takes out what {@link setStatusLine} set, unless somebody has changed it since. Returns whether it was there. @throws {EntireError} */
export function unsetStatusLine(repo: Repo): boolean {
  const { worktreeRoot: root, commonDir } = repo;
  const record = recordFile(repo);
  const origin = readOrigin(record);
  if (!origin) return false;
  const text = readWorktreeText(root, CLAUDE_LOCAL, 'settings');
  const file = join(root, CLAUDE_LOCAL);
  const isThere = text !== undefined && isOurs(text);
  if (isThere) {
    if (isAsWritten(origin, text) && origin.original !== undefined) writeFileAtomic(file, origin.original);
    else edit(root, undefined);
    const left = readWorktreeText(root, CLAUDE_LOCAL, 'settings') ?? '';
    if (origin.created_file && /^\{\s*\}\s*$/.test(left)) {
      disk.rmSync(file, { force: true });
      if (origin.created_dir) removeEmptyFolders(root, [dirname(CLAUDE_LOCAL)]);
    }
  }
  if (!disk.existsSync(file)) removeExcluded(commonDir, [EXCLUDED]);
  disk.rmSync(record, { force: true });
  return isThere;
}

function recordFile(repo: Repo): string {
  const { recordFile: ofHooks } = settingsPlace(repo, 'claude-code');
  return join(
    dirname(ofHooks),
    repo.worktreeId === '' ? 'statusline.json' : `statusline@${repo.worktreeId}.json`,
  );
}

function edit(root: string, value: { readonly type: string; readonly command: string } | undefined): void {
  try {
    editSettingsFile(root, CLAUDE_LOCAL, [{ path: ['statusLine'], value }]);
  } catch (error) {
    if (!(error instanceof EntireError)) throw error;
    throw new EntireError('CONFIG_UNREADABLE', error.message, {
      hint: 'Correct the file, then run the command again. Nothing was changed in it.',
      cause: error,
    });
  }
}

const statusLineOf = (text: string): unknown => asObject(parseJson(text.replace(/^\uFEFF/, ''))).statusLine;

const isOurs = (text: string): boolean => asObject(statusLineOf(text)).command === STATUS_LINE_COMMAND;

/** What cannot be read says nothing here: the client does not read it, either. */
function read(file: string): string {
  try {
    return readUserText(file, 'home') ?? '';
  } catch {
    return '';
  }
}
