import { idleCondition, idleFunctions } from './idle-script.ts';

/** The git hooks we need, and how their scripts look. Texts only: nothing here touches a disk. */
export const GIT_HOOKS = [
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-push',
  'post-rewrite',
  'post-merge',
] as const;
export type GitHook = (typeof GIT_HOOKS)[number];

/** Those that see to it that links go along when commits are made again. Commits are linked without them. */
export const FOLLOWING_HOOKS: readonly GitHook[] = ['post-rewrite', 'post-merge'];

/** Stands in every hook script of ours, of every release. */
const MARKER = 'Entire CLI hooks';

/** What is a script's own. */
interface Parts {
  readonly comments: readonly string[];
  readonly args: string;
  /** We read what git says on stdin: it is kept, for what is chained. */
  readonly reads?: true;
}

/** Comment lines and arguments of the base scripts. An older version knows nothing of the last two, and would say so. */
const PARTS: Record<GitHook, Parts> = {
  'prepare-commit-msg': { comments: [], args: ' "$1" "$2"' },
  'commit-msg': {
    comments: ['# Commit-msg hook: strip trailer if no user content (allows aborting empty commits)'],
    args: ' "$1"',
  },
  'post-commit': {
    comments: ['# Post-commit hook: condense session data if commit has Entire-Checkpoint trailer'],
    args: '',
  },
  'pre-push': {
    comments: [
      "# Pre-push hook: push session logs alongside user's push",
      '# $1 is the remote name (e.g., "origin")',
    ],
    args: ' "$1" </dev/null', // the list of refs on stdin belongs to the chained hook
  },
  'post-rewrite': {
    comments: [
      '# Post-rewrite hook: links go along with commits that are amended or rebased',
      '# $1 is "amend" or "rebase", stdin the list of commits: the old and the new one in each line',
    ],
    args: ' "$1" >/dev/null 2>/dev/null',
    reads: true,
  },
  'post-merge': {
    comments: ['# Post-merge hook: links go along with commits that others have rewritten'],
    args: ' "$1" >/dev/null 2>/dev/null',
  },
};

/** A hook that stood in our place before us and goes on running. */
export interface ChainedHook {
  /** File name beside our script. */
  readonly name: string;
  /**
   * Run in a subshell of our script instead of as a program, so that it sees the name it was written for in `$0`.
   * Husky and other dispatchers choose what to run by that name.
   */
  readonly sourced: boolean;
  /** A script of pre-commit, which refuses to be run by the hook that it runs itself. */
  readonly isPreCommit?: boolean;
}

/** Program and arguments that start `entire`; undefined for whatever `entire` is on PATH. */
export type Launcher = readonly string[] | undefined;

/** Our script for `hook`: the chained hooks decide its exit status, we never do. */
export function renderShim(hook: GitHook, chained: readonly ChainedHook[], launcher?: Launcher): string {
  const { comments } = PARTS[hook];
  const own = renderCall(hook, launcher);
  const chain = renderChain(hook, chained);
  // A hook that was here first may rewrite the message: our trailer comes after it.
  const body = hook === 'prepare-commit-msg' ? [...chain, ...own] : [...own, ...chain];
  const lines = chain.length > 0 ? [...renderCaller(hook), ...body] : body;
  return `${['#!/bin/sh', `# ${MARKER}`, ...comments, ...lines].join('\n')}\n`;
}

/**
 * Another tool may have moved our script aside, to call it from its own: that one must not be called back, and where
 * ours stands in its place again there is nothing left to do.
 */
function renderCaller(hook: GitHook): string[] {
  return [
    '_entire_hook_dir="$(dirname "$0")"',
    `case "$0" in ${hook} | */${hook}) _entire_caller= ;; *) _entire_caller="$_entire_hook_dir/${hook}" ;; esac`,
    `if [ -n "$_entire_caller" ] && grep -q '${MARKER}' "$_entire_caller" 2>/dev/null; then exit 0; fi`,
    '_entire_runs() { [ -x "$1" ] && { [ -z "$_entire_caller" ] || ! cmp -s "$_entire_caller" "$1"; }; }',
  ];
}

/** The command line of `hook` as it stands in our script; for people who have to paste it somewhere. */
export const renderCommand = (hook: GitHook): string => `if command -v entire ${callIf('entire', hook, '')}`;

const callIf = (command: string, hook: GitHook, pipe: string): string =>
  `>/dev/null 2>&1; then ${pipe}${command} hooks git ${hook}${PARTS[hook].args} || true; fi`;

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell expands it */

/** Only one program can read stdin: for several it is kept, with its last newline, and given to each. */
const KEEP_INPUT = '_entire_input="$(cat 2>/dev/null; echo .)"';
const GIVE_INPUT = 'printf %s "${_entire_input%.}" | ';

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the shell expands it */

/** The lines of our script that call us, unless they are not to; what a script must hold to be up to date. */
export function renderCall(hook: GitHook, launcher?: Launcher): string[] {
  // The program is not started then: nothing that stands in the repository is looked at. A commit made so is noted.
  const note = hook === 'post-commit' ? '_entire_off 2>/dev/null || :' : ':';
  const off = `if [ "$\{ENTIRE-}" = 0 ]; then ${note}`;
  const { args, reads } = PARTS[hook];
  const pipe = reads ? GIVE_INPUT.replace('|', '2>/dev/null |') : ''; // where we are gone before it is all said
  const before = [
    ...(reads ? [KEEP_INPUT] : []),
    ...(hook === 'post-commit' ? [WRITE, SWITCHED_OFF] : []),
    ...idleFunctions(hook),
  ];
  const idle = idleCondition(hook);
  const skip = idle === undefined ? [] : [`elif ${idle}; then :`];
  const found = `elif command -v entire ${callIf('entire', hook, pipe)}`;
  if (launcher === undefined) return [...before, [off, ...skip, found].join('; ')];
  const present = launcher.map((part) => `[ -e ${quote(part)} ]`).join(' && ');
  const command = launcher.map(quote).join(' ');
  return [
    ...before,
    off,
    ...skip,
    `elif ${present}; then ${pipe}${command} hooks git ${hook}${args} || true`,
    found,
  ];
}

/**
 * Leaves the verdict of a commit for which the program is not started (see `session/record/verdicts.ts`), where nothing but a file stands in
 * its place: without one the commit would be linked afterwards. `$1`: our folder. `$2`: the commit. `$3`: the reason. `$4`: when it was made.
 */
const WRITE = [
  '_entire_write() { _entire_log="$1/verdicts.jsonl"; { [ -d "$1" ] || mkdir -p "$1"; }',
  '[ ! -h "$_entire_log" ] && { [ -f "$_entire_log" ] || [ ! -e "$_entire_log" ]; }',
  `printf '{"at":"%s","commit":"%s","reason":"%s","sessions":[]}\\n' "$4" "$2" "$3" >>"$_entire_log"; }`,
].join(' && ');

/** Each path is read whole, for a folder may have a name of two lines. */
const SWITCHED_OFF = [
  '_entire_off() ( umask 077; _entire_dir="$(git rev-parse --git-common-dir)" && _entire_oid="$(git rev-parse HEAD)"',
  '_entire_write "$_entire_dir/entire" "$_entire_oid" switched-off "$(date -u +%Y-%m-%dT%H:%M:%SZ)" )',
].join(' && ');

function renderChain(hook: GitHook, chained: readonly ChainedHook[]): string[] {
  if (chained.length === 0) return [];
  const lines = ['# Chain: run pre-existing hook'];
  const isKept = PARTS[hook].reads === true;
  const isShared = isKept || (hook === 'pre-push' && chained.length > 1);
  if (isShared && !isKept) lines.push(KEEP_INPUT);
  const pipe = isShared ? GIVE_INPUT : '';
  chained.forEach(({ name, sourced, isPreCommit }, index) => {
    const path = `"$_entire_hook_dir/${name}"`;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell expands it
    const guard = isPreCommit ? ' && [ -z "${PRE_COMMIT_RUNNING_LEGACY-}" ]' : '';
    const call = sourced ? `( . ${path} )` : `${path} "$@"`;
    const last = index === chained.length - 1 && hook !== 'prepare-commit-msg';
    lines.push(
      `if _entire_runs ${path}${guard}; then`,
      `    ${pipe}${call}${last ? '' : ' || exit $?'}`,
      'fi',
    );
  });
  return lines;
}

/** POSIX single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export type ScriptKind =
  /** Written by us, this or another release, and nobody else. */
  | 'ours'
  /** Ours with lines that somebody added. */
  | 'extended'
  | 'foreign';

/** Whose a hook script is. */
export function classifyScript(hook: GitHook, text: string): ScriptKind {
  if (!text.includes(MARKER)) return 'foreign';
  const known = text.split(/\r?\n/).every((line) => isKnownLine(hook, line.trim()));
  if (known) return 'ours';
  // Without a call of ours the marker is only a mention.
  return text.includes(`hooks git ${hook}`) ? 'extended' : 'foreign';
}

function isKnownLine(hook: GitHook, line: string): boolean {
  if (/^(?:#!\/bin\/sh|fi|else|:|esac|)$/.test(line) || /^# (?:Entire CLI hooks|Chain: run)/.test(line))
    return true;
  if (PARTS[hook].comments.includes(line) || line.includes('_entire_')) return true;
  if (/^if \[ "\$\{ENTIRE-\}" = 0 \]; then :$/.test(line)) return true;
  if (/^if command -v \S+ >\/dev\/null 2>&1; then$/.test(line)) return true;
  const call =
    /^(?:(?:el)?if .+; then )?(?:'.+'|"[^"]+"|entire|\/\S+|go run \S+main\.go) hooks git ([a-z-]+)(?: "\$[12]")*(?: [<2>]+\/dev\/null)*(?: \|\| (?:true|exit 1))?(?:; fi)?$/;
  return call.exec(line)?.[1] === hook;
}

/** Programs that write hook scripts of their own, by a line that every version of theirs has. */
const GENERATORS = {
  'pre-commit': /^# File generated by pre-commit: https:\/\/pre-commit\.com$/m,
  Lefthook: /^call_lefthook run /m,
} as const;
export type Generator = keyof typeof GENERATORS;

/** The hook manager that wrote a script, whole and by itself. */
export function findGenerator(text: string): Generator | undefined {
  return (Object.keys(GENERATORS) as Generator[]).find((name) => GENERATORS[name].test(text));
}

/** Whether a shell script chooses what it does by its own name, and so must not run under another one. */
export function dependsOnName(text: string): boolean {
  const shebang = /^#!\s*(?:\/usr\/bin\/env\s+|(?:\/usr)?\/bin\/)(?:sh|dash)\s*$/m.exec(text);
  if (shebang?.index !== 0) return false;
  return /basename\b.*\$\{?0|\$\{0##|dirname\b.*\$\{?0.*\/(?:h|_\/husky\.sh)\b/.test(text);
}
