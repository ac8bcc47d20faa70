import { SESSION_VARIABLES } from '../../agents/names.ts';

/**
 * The part of the git hooks' scripts that keeps them from starting the program for a commit that could hold nothing of any session: see
 * `session/record/idle.ts`. No process is started for it before the commit is made. Every doubt starts the program: a file that is
 * missing or cannot be read, a shell that does not know `-nt`, an agent's shell, a merge or a replay, a message that names a checkpoint.
 *
 * POSIX shell; each line holds a name that begins with `_entire_`, by which `shims.ts` knows it for ours.
 */

/** A merge, a replay, a revert: a clean one leaves nothing but the message that it will have. */
const UNDER_WAY = [
  'MERGE_MSG',
  'SQUASH_MSG',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
];
/** A shell reads a file letter by letter: a message of more lines is left to the program. */
const MOST_LINES = 300;
const SETTINGS = ['.entire/settings.json', '.entire/settings.local.json'];

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell expands it */

/** Finds the mark, in the main worktree or in a linked one, for which git sets `GIT_DIR`. */
const PLACE = [
  '_entire_place() { _entire_git="${GIT_DIR:-.git}"; _entire_common="$_entire_git"; _entire_name=@',
  'if [ -f "$_entire_git/commondir" ]; then _entire_common="$_entire_git/../.."; _entire_name="${_entire_git##*/}"; fi',
  '_entire_mark="$_entire_common/entire/idle/$_entire_name"; _entire_at="$_entire_common/entire-sessions"; }',
].join('; ');

const IDLE = [
  '_entire_idle() { _entire_place; [ -f "$_entire_mark/mark" ] && [ -f "$_entire_mark/head" ] && [ -d "$_entire_at" ]',
  '! [ "$_entire_at" -nt "$_entire_mark/mark" ] && ! [ "$_entire_mark/mark" -nt "$_entire_at" ]',
  // A shell that does not know the comparison answers no to all. The head was written when the mark was, which bears an older time.
  '[ "$_entire_mark/head" -nt "$_entire_mark/mark" ] && [ ! -e "$_entire_common/entire/paused.json" ]',
  `[ -z "${SESSION_VARIABLES.map((name) => `$\{${name}-}`).join('')}" ]`,
  ...SETTINGS.map((file) => `! [ ${file} -nt "$_entire_mark/mark" ]`),
  `${UNDER_WAY.map((name) => `[ ! -e "$_entire_git/${name}" ]`).join(' && ')}; } 2>/dev/null`,
].join(' && ');

/** HEAD is where it was when it was known to have no link: what amends a commit that has one keeps that. */
const HEAD = [
  '_entire_head() { IFS= read -r _entire_now <"$_entire_git/HEAD" && case "$_entire_now" in "ref: "*) IFS= read -r _entire_now <"$_entire_common/${_entire_now#ref: }" ;; esac',
  'read -r _entire_was _entire_left _entire_why <"$_entire_mark/head" && [ "$_entire_now" = "$_entire_was" ] && [ "$_entire_left" -gt 0 ]; } 2>/dev/null',
].join(' && ');

/** No line of the message names a checkpoint. What stands below git's scissors is no part of it. */
const PLAIN = [
  `_entire_plain() { _entire_lines=${MOST_LINES}; while IFS= read -r _entire_line || [ -n "$_entire_line" ]; do case "$_entire_line" in`,
  '*[Ee]ntire-[Cc]heckpoint*) return 1 ;; *"--- >8 ---"*) return 0 ;; esac; _entire_lines=$((_entire_lines - 1));',
  '[ "$_entire_lines" -gt 0 ] || return 1; done <"$1"; } 2>/dev/null',
].join(' ');

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the shell expands it */

const CONDITION: Readonly<Record<string, string>> = {
  'prepare-commit-msg':
    '_entire_idle && _entire_head && _entire_plain "$1" && case "$2" in "" | message | template) : ;; *) false ;; esac',
  'commit-msg': '_entire_idle && _entire_head && _entire_plain "$1"',
  'post-commit': `_entire_idle && _entire_note "" "$_entire_mark/head" 2>/dev/null`,
};

/** Lines that stand before the call of a hook. */
export const idleFunctions = (hook: string): string[] =>
  CONDITION[hook] === undefined ? [] : hook === 'post-commit' ? [PLACE, IDLE] : [PLACE, IDLE, HEAD, PLAIN];

/** What is asked before the program is started: where it is true, there is nothing to do. `undefined` for a hook that always runs. */
export const idleCondition = (hook: string): string | undefined => CONDITION[hook];
