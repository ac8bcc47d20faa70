import { SESSION_VARIABLES } from '../../agents/names.ts';

/**
 * The part of the git hooks' scripts that keeps them from starting the program for a commit that could hold nothing of any session: see
 * `session/record/idle.ts`. Every doubt starts the program: a file that is missing or cannot be read, a shell that does not know `-nt`, an
 * agent's shell, a merge or a replay, a message that names a checkpoint.
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
/** What a commit's settings come from here. A folder shows what came into it, or went, however old that is. */
const SETTINGS = ['.entire', '.entire/settings.json', '.entire/settings.local.json'];
const USER_SETTINGS = ['$_entire_user', '$_entire_user/settings.json'];
/** Reasons that hold of the next commit as well, as long as nobody begins to work. */
const REASONS = 'no-session | no-overlap';
/** A message with such a line is looked at: it names a checkpoint, or says that the commit was made of others (`git/commit/moves.ts`). */
const TELLING = ['entire-checkpoint', '^Squashed commit of the following:', '^This reverts commit'];

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell expands it */

/** Finds the mark, in the main worktree or in a linked one, for which git sets `GIT_DIR`. */
const PLACE = [
  '_entire_place() { _entire_git="${GIT_DIR:-.git}"; _entire_common="$_entire_git"; _entire_name=@',
  'if [ -f "$_entire_git/commondir" ]; then _entire_common="$_entire_git/../.."; _entire_name="${_entire_git##*/}"; fi',
  '_entire_mark="$_entire_common/entire/idle/$_entire_name"; _entire_at="$_entire_common/entire-sessions"; }',
].join('; ');

const notNewerThanMark = (file: string): string => `! [ "${file}" -nt "$_entire_mark/mark" ]`;

const IDLE = [
  '_entire_idle() { _entire_place; [ -f "$_entire_mark/mark" ] && [ -f "$_entire_mark/head" ] && [ ! -h "$_entire_mark/head" ] && [ -d "$_entire_at" ]',
  '! [ "$_entire_at" -nt "$_entire_mark/mark" ] && ! [ "$_entire_mark/mark" -nt "$_entire_at" ]',
  // A shell that does not know the comparison answers no to all. The head was written when the mark was, which bears an older time.
  '[ "$_entire_mark/head" -nt "$_entire_mark/mark" ] && [ ! -e "$_entire_common/entire/paused.json" ]',
  `[ -z "${SESSION_VARIABLES.map((name) => `$\{${name}-}`).join('')}" ]`,
  '[ -z "${GIT_WORK_TREE-}" ] && _entire_user="${XDG_CONFIG_HOME:-${HOME-}/.config}/entire" && [ -d .entire ]',
  ...[...SETTINGS, ...USER_SETTINGS].map(notNewerThanMark),
  `${UNDER_WAY.map((name) => `[ ! -e "$_entire_git/${name}" ]`).join(' && ')}; } 2>/dev/null`,
].join(' && ');

/**
 * What the mark says of HEAD: the commit, how many more may be passed over, why it has no link, and in whose settings somebody looked.
 * It is data, whoever wrote it.
 */
const KNOWN = [
  '_entire_known() { read -r _entire_was _entire_left _entire_why _entire_whose <"$_entire_mark/head" && [ "$_entire_whose" = "$_entire_user" ]',
  'case "$_entire_left" in "" | 0* | *[!0-9]*) false ;; esac',
  `case "$_entire_why" in ${REASONS}) ;; *) false ;; esac; } 2>/dev/null`,
].join(' && ');

/**
 * HEAD is where it was when it was known to have no link, and neither a note nor a replacement gave it one since: what amends a commit
 * that has one keeps that. Notes may be packed with other refs.
 */
const HEAD = [
  '_entire_head() { _entire_known && [ ! -e "$_entire_common/refs/replace" ]',
  ...['refs/notes/entire', 'packed-refs'].map(
    (file) =>
      `{ [ ! -e "$_entire_common/${file}" ] || [ "$_entire_mark/head" -nt "$_entire_common/${file}" ]; }`,
  ),
  'IFS= read -r _entire_now <"$_entire_git/HEAD" && case "$_entire_now" in "ref: "*) IFS= read -r _entire_now <"$_entire_common/${_entire_now#ref: }" ;; esac',
  '[ "$_entire_now" = "$_entire_was" ]; } 2>/dev/null',
].join(' && ');

/** The file of the message tells nothing, nor does what stands in it and is no part of what will be the message. */
const PLAIN = `_entire_plain() { LC_ALL=C command -p grep -qi ${TELLING.map((line) => `-e '${line}'`).join(' ')} -- "$1"; [ $? -eq 1 ]; } 2>/dev/null`; // 2: it cannot be read

/**
 * Leaves the verdict of the commit that was made, and where HEAD is now, without the program. It is looked at once more, as a message may
 * have come by another way than those that were read: it must follow on the one that was known, and its message must tell nothing.
 */
const PASS = [
  `_entire_pass() { _entire_known && set -- $(command -p date -u +%Y-%m-%dT%H:%M:%SZ; git rev-list --no-walk --invert-grep -i ${TELLING.map((line) => `--grep='${line}'`).join(' ')} --format=%P HEAD --)`,
  // When, the word "commit", it, its parent.
  '[ $# -eq 4 ] && [ "$4" = "$_entire_was" ] && [ -f "$_entire_common/entire/verdicts.jsonl" ] && _entire_write "$_entire_common/entire" "$3" "$_entire_why" "$1"',
  `printf '%s %s %s %s\\n' "$3" "$((_entire_left - 1))" "$_entire_why" "$_entire_whose" >"$_entire_mark/head"; } 2>/dev/null`,
].join(' && ');

const CONDITION: Readonly<Record<string, string>> = {
  'prepare-commit-msg': [
    '_entire_idle && _entire_head && _entire_plain "$1" && case "$2" in "" | message | template) ;; *) false ;; esac',
    // Those that are missing come back before the commit (`hooks-folder.ts`).
    '[ -x "${0%/*}/commit-msg" ] && [ -x "${0%/*}/post-commit" ]',
  ].join(' && '),
  'commit-msg': '_entire_idle && _entire_head && _entire_plain "$1"',
  'post-commit': '_entire_idle && _entire_pass',
  'post-rewrite': '_entire_fold "$1"',
};

/** What a rebase amends on its way is part of what it tells when it is over. */
const FOLD =
  '_entire_fold() { [ "$1" = amend ] && { [ -d "${GIT_DIR:-.git}/rebase-merge" ] || [ -d "${GIT_DIR:-.git}/rebase-apply" ]; }; }';

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the shell expands it */

/** Lines that stand before the call of a hook. That of `post-commit` calls `_entire_write`, which leaves a verdict. */
export function idleFunctions(hook: string): string[] {
  if (hook === 'post-rewrite') return [FOLD];
  if (CONDITION[hook] === undefined) return [];
  return [PLACE, IDLE, KNOWN, ...(hook === 'post-commit' ? [PASS] : [HEAD, PLAIN])];
}

/** What is asked before the program is started: where it is true, there is nothing to do. `undefined` for a hook that always runs. */
export const idleCondition = (hook: string): string | undefined => CONDITION[hook];
