import { basename, isAbsolute, join } from 'node:path';
import { sessionOfShell } from '../../agents/names.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log, openLog } from '../../base/log.ts';
import { asObject, asText } from '../../base/text/json.ts';
import type { Repo } from '../../git/locate.ts';
import { locateSessionHome } from '../../hooks/session-home.ts';
import { glanceAt } from '../../session/record/glance.ts';
import { readNewest } from '../../session/record/newest.ts';
import { isPaused } from '../../session/record/pause.ts';
import { readActivation } from '../../settings/enabled.ts';
import type { Status } from './format.ts';

/** What a client tells of itself on stdin. */
export interface Told {
  readonly folder: string | undefined;
  readonly sessionId: SessionId | undefined;
  readonly model: string;
  /** It is Claude Code, whose hooks should be there. */
  readonly isClaude: boolean;
}

/**
 * What Claude Code, and those that took it over from there, tell a status line.
 *
 * @see https://code.claude.com/docs/en/statusline
 */
export function parseTold(payload: unknown): Told {
  const { session_id: id, workspace, cwd, model, output_style: style } = asObject(payload);
  const { project_dir: project, current_dir: current } = asObject(workspace);
  const { display_name: name, id: modelId } = asObject(model);
  return {
    folder: [project, current, cwd].map(asText).find((folder) => isAbsolute(folder)),
    sessionId: parseSessionId(id),
    model: asText(name) || asText(modelId),
    isClaude: style !== undefined,
  };
}

/**
 * What there is to say; `undefined` outside of repositories that are set up. Few files are read, none of which grows with the number of
 * sessions or commits, and no process is started.
 *
 * @throws the system error
 */
export function readStatus(told: Told | undefined, env: NodeJS.ProcessEnv): Status | undefined {
  const repo = locateSessionHome(told?.folder);
  const activation = repo && readActivation(repo);
  if (!repo || activation?.kind === 'not-set-up') return undefined;
  if (activation?.kind === 'enabled') openLog(activation.root, activation.logLevel);
  const id = told?.sessionId ?? parseSessionId(sessionOfShell(env)) ?? readNewest(repo);
  const session = id && glanceAt(repo.commonDir, id);
  const obstacle =
    activation?.kind === 'disabled'
      ? 'disabled'
      : isPaused(repo, id)
        ? 'paused'
        : !session && told?.isClaude && !hasClaudeHooks(repo, env)
          ? 'Claude Code hooks missing'
          : hasGitHooks(repo, env)
            ? undefined
            : 'git hooks missing';
  return {
    isRecording: obstacle === undefined,
    state: obstacle ?? 'recording',
    files: session?.files ?? 0,
    steps: session?.steps ?? 0,
    agentType: session?.agentType ?? '',
    sessionId: session?.sessionId ?? '',
    model: told?.model ?? '',
    branch: readBranch(repo),
    folder: basename(repo.worktreeRoot),
  };
}

/** The branch that HEAD is on, or the beginning of the commit; empty where the file does not tell (reftable). */
function readBranch({ gitDir }: Repo): string {
  const head = (readQuietly(join(gitDir, 'HEAD')) ?? '').trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (branch !== undefined) return branch === '.invalid' ? '' : branch;
  return /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 7) : '';
}

/** Where git's hooks may lie elsewhere, a status line does not look: to know takes a git process. */
function hasGitHooks({ commonDir, gitDir }: Repo, env: NodeJS.ProcessEnv): boolean {
  const calls = (hook: string): boolean =>
    readQuietly(join(commonDir, 'hooks', hook))?.includes(`hooks git ${hook}`) === true;
  if (calls('post-commit')) return true;
  if (env.GIT_CONFIG_COUNT || env.GIT_CONFIG_PARAMETERS || env.GIT_CONFIG_GLOBAL) return true;
  const home = env.HOME ?? '';
  const configs = [
    join(commonDir, 'config'),
    join(gitDir, 'config.worktree'),
    join(home, '.gitconfig'),
    join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config'),
    '/etc/gitconfig',
  ];
  return configs.some((file) => /hookspath|\[\s*include/i.test(readQuietly(file) ?? ''));
}

function hasClaudeHooks({ worktreeRoot }: Repo, env: NodeJS.ProcessEnv): boolean {
  const own = env.CLAUDE_CONFIG_DIR || join(env.HOME ?? '', '.claude');
  return [
    join(worktreeRoot, '.claude', 'settings.json'),
    join(worktreeRoot, '.claude', 'settings.local.json'),
    join(own, 'settings.json'),
  ].some((file) => /hooks claude-?code /.test(readQuietly(file) ?? ''));
}

function readQuietly(file: string): string | undefined {
  try {
    return readUserText(file, 'home');
  } catch (error) {
    log('debug', 'status line passed over a file', { file, error: String(error) });
    return undefined;
  }
}
