import { AGENTS } from '../../../src/agents/names.ts';
import { GIT_HOOKS } from '../../../src/hooks/git/shims.ts';
import { payload } from '../agent/payloads.ts';
import { SESSION, type Stage } from './stage.ts';

/** Something that the user, git or an agent runs. */
export interface Act {
  readonly name: string;
  readonly kind: 'hook' | 'command' | 'git';
  /** `entire`, or git itself with our hooks. */
  readonly program: 'entire' | 'git';
  args(stage: Stage): readonly string[];
  input?(stage: Stage): string;
  /** Leaves the repository as it was. */
  readonly onlyLooks?: true;
}

const MESSAGE = '.git/COMMIT_EDITMSG';

const CLAUDE: Readonly<Record<string, readonly [captured: string, more?: object]>> = {
  'session-start': ['SessionStart-startup'],
  'user-prompt-submit': ['UserPromptSubmit'],
  'post-file-edit': ['PostToolUse-Write-create'],
  'post-file-read': ['PostToolUse-Read'],
  'pre-task': ['PreToolUse-Agent', { tool_use_id: 'toolu_02task' }],
  'post-task': ['PostToolUse-Agent-completed', { tool_use_id: 'toolu_01task' }],
  'post-todo': ['PostToolUse-TodoWrite'],
  'pre-compact': ['PreCompact-manual'],
  'subagent-stop': ['SubagentStop'],
  stop: ['Stop'],
  'session-end': ['SessionEnd-other'],
};

const claudeHooks = Object.entries(CLAUDE).map(
  ([verb, [captured, more]]): Act => ({
    name: `claude-code ${verb}`,
    kind: 'hook',
    program: 'entire',
    args: () => ['hooks', 'claude-code', verb],
    input: ({ repo, root, transcript }) =>
      JSON.stringify({
        ...payload(captured, repo.places),
        ...{ session_id: SESSION, transcript_path: transcript, cwd: root, ...more },
      }),
  }),
);

/** Of the other agents the hook that each of them has: it reads the same files, through the same functions. */
const otherHooks = Object.keys(AGENTS)
  .filter((agent) => agent !== 'claude-code')
  .flatMap((agent) =>
    ['session-start', 'post-file-edit'].map(
      (verb): Act => ({
        name: `${agent} ${verb}`,
        kind: 'hook',
        program: 'entire',
        args: () => ['hooks', agent, verb],
        input: ({ root, transcript }) =>
          JSON.stringify({
            ...{ session_id: 's-other', sessionId: 's-other', cwd: root, transcript_path: transcript },
            ...{ tool_name: 'write', tool_input: { file_path: 'a.txt', path: 'a.txt' } },
          }),
      }),
    ),
  );

const gitHooks = GIT_HOOKS.map(
  (hook): Act => ({
    name: `git ${hook}`,
    kind: 'hook',
    program: 'entire',
    args: () => [
      ...['hooks', 'git', hook],
      ...{
        'prepare-commit-msg': [MESSAGE, 'message'],
        'commit-msg': [MESSAGE],
        'pre-push': ['origin'],
        'post-commit': [],
        'post-rewrite': ['rebase'],
        'post-merge': ['0'],
      }[hook],
    ],
  }),
);

const gits: readonly Act[] = [
  { name: 'git commit', kind: 'git', program: 'git', args: () => ['commit', '--quiet', '-m', 'Add c'] },
  { name: 'git push', kind: 'git', program: 'git', args: () => ['push', '--quiet', 'origin', 'main'] },
];

/** Each command with arguments that ask nothing. */
export const COMMAND_LINES: readonly (readonly [line: string, looks?: 'looks'])[] = [
  ['agent list', 'looks'],
  ['agent add gemini'],
  ['agent remove claude-code'],
  ['blame a.txt', 'looks'],
  ['blame a.txt --incremental', 'looks'],
  ['clean', 'looks'],
  ['clean --force'],
  ['completion bash', 'looks'],
  ['config list', 'looks'],
  ['config get entire.pushSessions', 'looks'],
  ['config set log_level debug'],
  ['config unset log_level --project'],
  ['context presets', 'looks'],
  ['context show core', 'looks'],
  ['context build core'],
  ['context build --session SESSION --stdout', 'looks'],
  ['curl-bash-post-install', 'looks'],
  ['diff', 'looks'],
  ['diff SESSION --json', 'looks'],
  ['diff CHECKPOINT', 'looks'],
  ['disable'],
  ['disable --project'],
  ['disable --uninstall --force'],
  ['doctor', 'looks'],
  ['doctor --fix'],
  ['doctor --force'],
  ['du', 'looks'],
  ['enable --agent claude-code'],
  ['enable --force --local'],
  ['enable --statusline'],
  ['explain', 'looks'],
  ['explain CHECKPOINT --json', 'looks'],
  ['export --format json', 'looks'],
  ['export --format git-ai --write-notes'],
  ['fetch origin'],
  ['files', 'looks'],
  ['forget SESSION --yes'],
  ['gc --dry-run', 'looks'],
  ['gc'],
  ['help', 'looks'],
  ['import --help', 'looks'],
  ['log', 'looks'],
  ['log --session SESSION --json', 'looks'],
  ['pause'],
  ['pause --end'],
  ['push --preview', 'looks'],
  ['push --log', 'looks'],
  ['push origin --yes'],
  ['redo'],
  ['relink --dry-run', 'looks'],
  ['relink'],
  ['resume --dry-run', 'looks'],
  ['resume --force'],
  ['reset --force'],
  ['rewind --list', 'looks'],
  ['search a.txt'],
  ['search --all --json a.txt'],
  ['scrub --dry-run', 'looks'],
  ['scrub'],
  ['session list --all-clis --json', 'looks'],
  ['session show SESSION --no-pager', 'looks'],
  ['session stats', 'looks'],
  ['session export SESSION', 'looks'],
  ['session import EXPORT'],
  ['session delete SESSION'],
  ['stats', 'looks'],
  ['stats HEAD --json', 'looks'],
  ['status', 'looks'],
  ['statusline', 'looks'],
  ['status --json', 'looks'],
  ['undo --list', 'looks'],
  ['undo'],
  ['undo --continue'],
  ['undo --abort'],
  ['verify', 'looks'],
  ['version', 'looks'],
  ['why', 'looks'],
  ['worktree list', 'looks'],
  ['worktree list --rebuild'],
  ['worktree create fresh'],
  ['worktree remove side --force'],
];

const commands = COMMAND_LINES.map(
  ([line, looks]): Act => ({
    name: `entire ${line}`,
    kind: 'command',
    program: 'entire',
    args: ({ checkpoint, exported }) =>
      line.split(' ').map((word) => ({ SESSION, CHECKPOINT: checkpoint, EXPORT: exported })[word] ?? word),
    ...(looks ? { onlyLooks: true } : {}),
  }),
);

export const ACTS: readonly Act[] = [...claudeHooks, ...otherHooks, ...gitHooks, ...gits, ...commands];
