/** One hook that we install: when the client runs it, and which of our verbs it runs. */
export interface HookSlot {
  readonly event: string;
  readonly matcher: string;
  readonly verb: string;
}

/** Every hook of a complete installation, in the order they are written. */
export const HOOKS: readonly HookSlot[] = [
  { event: 'PostToolUse', matcher: 'Task', verb: 'post-task' },
  { event: 'PostToolUse', matcher: 'TodoWrite', verb: 'post-todo' },
  { event: 'PostToolUse', matcher: 'Write', verb: 'post-file-edit' },
  { event: 'PostToolUse', matcher: 'Edit', verb: 'post-file-edit' },
  { event: 'PostToolUse', matcher: 'NotebookEdit', verb: 'post-file-edit' },
  { event: 'PostToolUse', matcher: 'MultiEdit', verb: 'post-file-edit' },
  { event: 'PostToolUse', matcher: 'Bash', verb: 'post-file-edit' },
  { event: 'PreCompact', matcher: '', verb: 'pre-compact' },
  { event: 'PreToolUse', matcher: 'Task', verb: 'pre-task' },
  { event: 'SessionEnd', matcher: '', verb: 'session-end' },
  { event: 'SessionStart', matcher: '', verb: 'session-start' },
  { event: 'Stop', matcher: '', verb: 'stop' },
  { event: 'SubagentStop', matcher: '', verb: 'subagent-stop' },
  { event: 'UserPromptSubmit', matcher: '', verb: 'user-prompt-submit' },
];

/** The command of a hook. `|| true`: a machine without `entire` is not bothered. */
export const hookCommand = (verb: string): string => `entire hooks claude-code ${verb} || true`;

export type OwnCommand =
  /** Runs one of our hook verbs and nothing else, whichever release wrote it. */
  | { readonly kind: 'hook'; readonly verb: string }
  /** Runs one of our hook verbs, with something of the user's own behind it. */
  | { readonly kind: 'extended'; readonly verb: string }
  /** Begins like ours, but is no hook of this agent, such as `entire status`. */
  | { readonly kind: 'other' };

const LAUNCHER = /^(?:entire|go run "?\$\{CLAUDE_PROJECT_DIR\}"?\/cmd\/entire\/main\.go)(?=\s)/;
const ABSOLUTE = /^(?:'[^']*[/\\]entire(?:\.exe)?'|"[^"]*[/\\]entire(?:\.exe)?"|\/\S*\/entire)(?=\s+hooks )/;
const VERB = /^\s+(?:hooks (?:claude-code|claudecode) |rewind claude-hook --)([a-z-]+)\s*(.*)$/s;
/** Later releases' form, which says something where the program is missing. */
const WRAPPED = /^sh -c '.*\bexec entire hooks claude-code ([a-z-]+)'\s*$/s;

/** Reads a command from the settings file; `undefined` for one that is not ours. */
export function parseHookCommand(command: unknown): OwnCommand | undefined {
  if (typeof command !== 'string') return undefined;
  const wrapped = WRAPPED.exec(command);
  if (wrapped?.[1]) return { kind: 'hook', verb: wrapped[1] };
  const launcher = LAUNCHER.exec(command) ?? ABSOLUTE.exec(command);
  if (!launcher) return undefined;
  const [, verb, rest] = VERB.exec(command.slice(launcher[0].length)) ?? [];
  if (verb === undefined) return { kind: 'other' };
  return { kind: rest === '' || rest === '|| true' ? 'hook' : 'extended', verb };
}
