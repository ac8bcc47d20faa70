import { expect, test } from 'vitest';
import { classifyScript, dependsOnName, GIT_HOOKS, renderCommand, renderShim } from './shims.ts';

const chained = (name: string, sourced = false) => ({ name, sourced });

test('prepare-commit-msg runs what was there first and hands its failure on', () => {
  expect(renderShim('prepare-commit-msg', [chained('prepare-commit-msg.pre-entire')])).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Entire CLI hooks
    _entire_hook_dir="$(dirname "$0")"
    case "$0" in prepare-commit-msg | */prepare-commit-msg) _entire_caller= ;; *) _entire_caller="$_entire_hook_dir/prepare-commit-msg" ;; esac
    if [ -n "$_entire_caller" ] && grep -q 'Entire CLI hooks' "$_entire_caller" 2>/dev/null; then exit 0; fi
    _entire_runs() { [ -x "$1" ] && { [ -z "$_entire_caller" ] || ! cmp -s "$_entire_caller" "$1"; }; }
    # Chain: run pre-existing hook
    if _entire_runs "$_entire_hook_dir/prepare-commit-msg.pre-entire"; then
        "$_entire_hook_dir/prepare-commit-msg.pre-entire" "$@" || exit $?
    fi
    _entire_place() { _entire_git="\${GIT_DIR:-.git}"; _entire_common="$_entire_git"; _entire_name=@; if [ -f "$_entire_git/commondir" ]; then _entire_common="$_entire_git/../.."; _entire_name="\${_entire_git##*/}"; fi; _entire_mark="$_entire_common/entire/idle/$_entire_name"; _entire_at="$_entire_common/entire-sessions"; }
    _entire_idle() { _entire_place; [ -f "$_entire_mark/mark" ] && [ -f "$_entire_mark/head" ] && [ ! -h "$_entire_mark/head" ] && [ -d "$_entire_at" ] && ! [ "$_entire_at" -nt "$_entire_mark/mark" ] && ! [ "$_entire_mark/mark" -nt "$_entire_at" ] && [ "$_entire_mark/head" -nt "$_entire_mark/mark" ] && [ ! -e "$_entire_common/entire/paused.json" ] && [ -z "\${CLAUDE_CODE_SESSION_ID-}\${CODEX_SESSION_ID-}\${CODEX_THREAD_ID-}\${COPILOT_AGENT_SESSION_ID-}\${QWEN_CODE_SESSION_ID-}" ] && [ -z "\${GIT_WORK_TREE-}" ] && _entire_user="\${XDG_CONFIG_HOME:-\${HOME-}/.config}/entire" && [ -d .entire ] && ! [ ".entire" -nt "$_entire_mark/mark" ] && ! [ ".entire/settings.json" -nt "$_entire_mark/mark" ] && ! [ ".entire/settings.local.json" -nt "$_entire_mark/mark" ] && ! [ "$_entire_user" -nt "$_entire_mark/mark" ] && ! [ "$_entire_user/settings.json" -nt "$_entire_mark/mark" ] && [ ! -e "$_entire_git/MERGE_MSG" ] && [ ! -e "$_entire_git/SQUASH_MSG" ] && [ ! -e "$_entire_git/MERGE_HEAD" ] && [ ! -e "$_entire_git/CHERRY_PICK_HEAD" ] && [ ! -e "$_entire_git/REVERT_HEAD" ] && [ ! -e "$_entire_git/rebase-merge" ] && [ ! -e "$_entire_git/rebase-apply" ] && [ ! -e "$_entire_git/sequencer" ]; } 2>/dev/null
    _entire_known() { read -r _entire_was _entire_left _entire_why _entire_whose <"$_entire_mark/head" && [ "$_entire_whose" = "$_entire_user" ] && case "$_entire_left" in "" | 0* | *[!0-9]*) false ;; esac && case "$_entire_why" in no-session | no-overlap) ;; *) false ;; esac; } 2>/dev/null
    _entire_head() { _entire_known && [ ! -e "$_entire_common/refs/replace" ] && { [ ! -e "$_entire_common/refs/notes/entire" ] || [ "$_entire_mark/head" -nt "$_entire_common/refs/notes/entire" ]; } && { [ ! -e "$_entire_common/packed-refs" ] || [ "$_entire_mark/head" -nt "$_entire_common/packed-refs" ]; } && IFS= read -r _entire_now <"$_entire_git/HEAD" && case "$_entire_now" in "ref: "*) IFS= read -r _entire_now <"$_entire_common/\${_entire_now#ref: }" ;; esac && [ "$_entire_now" = "$_entire_was" ]; } 2>/dev/null
    _entire_plain() { LC_ALL=C command -p grep -qi -e 'entire-checkpoint' -e '^Squashed commit of the following:' -e '^This reverts commit' -- "$1"; [ $? -eq 1 ]; } 2>/dev/null
    if [ "\${ENTIRE-}" = 0 ]; then :; elif _entire_idle && _entire_head && _entire_plain "$1" && case "$2" in "" | message | template) ;; *) false ;; esac && [ -x "\${0%/*}/commit-msg" ] && [ -x "\${0%/*}/post-commit" ]; then :; elif command -v entire >/dev/null 2>&1; then entire hooks git prepare-commit-msg "$1" "$2" || true; fi
    "
  `);
});

test('pre-push keeps stdin for what was there', () => {
  expect(renderShim('pre-push', [chained('pre-push.pre-entire')])).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Entire CLI hooks
    # Pre-push hook: push session logs alongside user's push
    # $1 is the remote name (e.g., "origin")
    _entire_hook_dir="$(dirname "$0")"
    case "$0" in pre-push | */pre-push) _entire_caller= ;; *) _entire_caller="$_entire_hook_dir/pre-push" ;; esac
    if [ -n "$_entire_caller" ] && grep -q 'Entire CLI hooks' "$_entire_caller" 2>/dev/null; then exit 0; fi
    _entire_runs() { [ -x "$1" ] && { [ -z "$_entire_caller" ] || ! cmp -s "$_entire_caller" "$1"; }; }
    if [ "\${ENTIRE-}" = 0 ]; then :; elif command -v entire >/dev/null 2>&1; then entire hooks git pre-push "$1" </dev/null || true; fi
    # Chain: run pre-existing hook
    if _entire_runs "$_entire_hook_dir/pre-push.pre-entire"; then
        "$_entire_hook_dir/pre-push.pre-entire" "$@"
    fi
    "
  `);
});

test('several hooks get the same stdin', () => {
  expect(
    renderShim('pre-push', [chained('pre-push.pre-entire'), chained('pre-push.pre-entire.1', true)]),
  ).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Entire CLI hooks
    # Pre-push hook: push session logs alongside user's push
    # $1 is the remote name (e.g., "origin")
    _entire_hook_dir="$(dirname "$0")"
    case "$0" in pre-push | */pre-push) _entire_caller= ;; *) _entire_caller="$_entire_hook_dir/pre-push" ;; esac
    if [ -n "$_entire_caller" ] && grep -q 'Entire CLI hooks' "$_entire_caller" 2>/dev/null; then exit 0; fi
    _entire_runs() { [ -x "$1" ] && { [ -z "$_entire_caller" ] || ! cmp -s "$_entire_caller" "$1"; }; }
    if [ "\${ENTIRE-}" = 0 ]; then :; elif command -v entire >/dev/null 2>&1; then entire hooks git pre-push "$1" </dev/null || true; fi
    # Chain: run pre-existing hook
    _entire_input="$(cat 2>/dev/null; echo .)"
    if _entire_runs "$_entire_hook_dir/pre-push.pre-entire"; then
        printf %s "\${_entire_input%.}" | "$_entire_hook_dir/pre-push.pre-entire" "$@" || exit $?
    fi
    if _entire_runs "$_entire_hook_dir/pre-push.pre-entire.1"; then
        printf %s "\${_entire_input%.}" | ( . "$_entire_hook_dir/pre-push.pre-entire.1" )
    fi
    "
  `);
});

test('post-rewrite reads the list itself, and hands it on', () => {
  expect(renderShim('post-rewrite', [chained('post-rewrite.pre-entire')])).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Entire CLI hooks
    # Post-rewrite hook: links go along with commits that are amended or rebased
    # $1 is "amend" or "rebase", stdin the list of commits: the old and the new one in each line
    _entire_hook_dir="$(dirname "$0")"
    case "$0" in post-rewrite | */post-rewrite) _entire_caller= ;; *) _entire_caller="$_entire_hook_dir/post-rewrite" ;; esac
    if [ -n "$_entire_caller" ] && grep -q 'Entire CLI hooks' "$_entire_caller" 2>/dev/null; then exit 0; fi
    _entire_runs() { [ -x "$1" ] && { [ -z "$_entire_caller" ] || ! cmp -s "$_entire_caller" "$1"; }; }
    _entire_input="$(cat 2>/dev/null; echo .)"
    _entire_fold() { [ "$1" = amend ] && { [ -d "\${GIT_DIR:-.git}/rebase-merge" ] || [ -d "\${GIT_DIR:-.git}/rebase-apply" ]; }; }
    if [ "\${ENTIRE-}" = 0 ]; then :; elif _entire_fold "$1"; then :; elif command -v entire >/dev/null 2>&1; then printf %s "\${_entire_input%.}" 2>/dev/null | entire hooks git post-rewrite "$1" >/dev/null 2>/dev/null || true; fi
    # Chain: run pre-existing hook
    if _entire_runs "$_entire_hook_dir/post-rewrite.pre-entire"; then
        printf %s "\${_entire_input%.}" | "$_entire_hook_dir/post-rewrite.pre-entire" "$@"
    fi
    "
  `);
  expect(renderShim('post-rewrite', [], ['/opt/entire'])).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Entire CLI hooks
    # Post-rewrite hook: links go along with commits that are amended or rebased
    # $1 is "amend" or "rebase", stdin the list of commits: the old and the new one in each line
    _entire_input="$(cat 2>/dev/null; echo .)"
    _entire_fold() { [ "$1" = amend ] && { [ -d "\${GIT_DIR:-.git}/rebase-merge" ] || [ -d "\${GIT_DIR:-.git}/rebase-apply" ]; }; }
    if [ "\${ENTIRE-}" = 0 ]; then :
    elif _entire_fold "$1"; then :
    elif [ -e '/opt/entire' ]; then printf %s "\${_entire_input%.}" 2>/dev/null | '/opt/entire' hooks git post-rewrite "$1" >/dev/null 2>/dev/null || true
    elif command -v entire >/dev/null 2>&1; then printf %s "\${_entire_input%.}" 2>/dev/null | entire hooks git post-rewrite "$1" >/dev/null 2>/dev/null || true; fi
    "
  `);
});

test('post-merge is told whether a merge only made the files ready', () => {
  expect(renderShim('post-merge', [])).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Entire CLI hooks
    # Post-merge hook: links go along with commits that others have rewritten
    if [ "\${ENTIRE-}" = 0 ]; then :; elif command -v entire >/dev/null 2>&1; then entire hooks git post-merge "$1" >/dev/null 2>/dev/null || true; fi
    "
  `);
});

test('every line is guarded', () => {
  expect(GIT_HOOKS.map(renderCommand)).toMatchInlineSnapshot(`
    [
      "if command -v entire >/dev/null 2>&1; then entire hooks git prepare-commit-msg "$1" "$2" || true; fi",
      "if command -v entire >/dev/null 2>&1; then entire hooks git commit-msg "$1" || true; fi",
      "if command -v entire >/dev/null 2>&1; then entire hooks git post-commit || true; fi",
      "if command -v entire >/dev/null 2>&1; then entire hooks git pre-push "$1" </dev/null || true; fi",
      "if command -v entire >/dev/null 2>&1; then entire hooks git post-rewrite "$1" >/dev/null 2>/dev/null || true; fi",
      "if command -v entire >/dev/null 2>&1; then entire hooks git post-merge "$1" >/dev/null 2>/dev/null || true; fi",
    ]
  `);
  expect(renderShim('post-commit', [], ['/opt/my tools/entire'])).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Entire CLI hooks
    # Post-commit hook: condense session data if commit has Entire-Checkpoint trailer
    _entire_write() { _entire_log="$1/verdicts.jsonl"; { [ -d "$1" ] || mkdir -p "$1"; } && [ ! -h "$_entire_log" ] && { [ -f "$_entire_log" ] || [ ! -e "$_entire_log" ]; } && printf '{"at":"%s","commit":"%s","reason":"%s","sessions":[]}\\n' "$4" "$2" "$3" >>"$_entire_log"; }
    _entire_off() ( umask 077; _entire_dir="$(git rev-parse --git-common-dir)" && _entire_oid="$(git rev-parse HEAD)" && _entire_write "$_entire_dir/entire" "$_entire_oid" switched-off "$(date -u +%Y-%m-%dT%H:%M:%SZ)" )
    _entire_place() { _entire_git="\${GIT_DIR:-.git}"; _entire_common="$_entire_git"; _entire_name=@; if [ -f "$_entire_git/commondir" ]; then _entire_common="$_entire_git/../.."; _entire_name="\${_entire_git##*/}"; fi; _entire_mark="$_entire_common/entire/idle/$_entire_name"; _entire_at="$_entire_common/entire-sessions"; }
    _entire_idle() { _entire_place; [ -f "$_entire_mark/mark" ] && [ -f "$_entire_mark/head" ] && [ ! -h "$_entire_mark/head" ] && [ -d "$_entire_at" ] && ! [ "$_entire_at" -nt "$_entire_mark/mark" ] && ! [ "$_entire_mark/mark" -nt "$_entire_at" ] && [ "$_entire_mark/head" -nt "$_entire_mark/mark" ] && [ ! -e "$_entire_common/entire/paused.json" ] && [ -z "\${CLAUDE_CODE_SESSION_ID-}\${CODEX_SESSION_ID-}\${CODEX_THREAD_ID-}\${COPILOT_AGENT_SESSION_ID-}\${QWEN_CODE_SESSION_ID-}" ] && [ -z "\${GIT_WORK_TREE-}" ] && _entire_user="\${XDG_CONFIG_HOME:-\${HOME-}/.config}/entire" && [ -d .entire ] && ! [ ".entire" -nt "$_entire_mark/mark" ] && ! [ ".entire/settings.json" -nt "$_entire_mark/mark" ] && ! [ ".entire/settings.local.json" -nt "$_entire_mark/mark" ] && ! [ "$_entire_user" -nt "$_entire_mark/mark" ] && ! [ "$_entire_user/settings.json" -nt "$_entire_mark/mark" ] && [ ! -e "$_entire_git/MERGE_MSG" ] && [ ! -e "$_entire_git/SQUASH_MSG" ] && [ ! -e "$_entire_git/MERGE_HEAD" ] && [ ! -e "$_entire_git/CHERRY_PICK_HEAD" ] && [ ! -e "$_entire_git/REVERT_HEAD" ] && [ ! -e "$_entire_git/rebase-merge" ] && [ ! -e "$_entire_git/rebase-apply" ] && [ ! -e "$_entire_git/sequencer" ]; } 2>/dev/null
    _entire_known() { read -r _entire_was _entire_left _entire_why _entire_whose <"$_entire_mark/head" && [ "$_entire_whose" = "$_entire_user" ] && case "$_entire_left" in "" | 0* | *[!0-9]*) false ;; esac && case "$_entire_why" in no-session | no-overlap) ;; *) false ;; esac; } 2>/dev/null
    _entire_pass() { _entire_known && set -- $(command -p date -u +%Y-%m-%dT%H:%M:%SZ; git rev-list --no-walk --invert-grep -i --grep='entire-checkpoint' --grep='^Squashed commit of the following:' --grep='^This reverts commit' --format=%P HEAD --) && [ $# -eq 4 ] && [ "$4" = "$_entire_was" ] && [ -f "$_entire_common/entire/verdicts.jsonl" ] && _entire_write "$_entire_common/entire" "$3" "$_entire_why" "$1" && printf '%s %s %s %s\\n' "$3" "$((_entire_left - 1))" "$_entire_why" "$_entire_whose" >"$_entire_mark/head"; } 2>/dev/null
    if [ "\${ENTIRE-}" = 0 ]; then _entire_off 2>/dev/null || :
    elif _entire_idle && _entire_pass; then :
    elif [ -e '/opt/my tools/entire' ]; then '/opt/my tools/entire' hooks git post-commit || true
    elif command -v entire >/dev/null 2>&1; then entire hooks git post-commit || true; fi
    "
  `);
});

test('what we write is ours, whatever is chained and however it is started', () => {
  for (const hook of GIT_HOOKS) {
    for (const launcher of [undefined, ["/it's/entire"], ['/usr/bin/node', '/lib/entire.mjs']]) {
      const chain = [chained(`${hook}.pre-entire`), chained(`${hook}.pre-entire.1`, true)];
      expect(classifyScript(hook, renderShim(hook, chain, launcher))).toBe('ours');
      expect(classifyScript(hook, renderShim(hook, [], launcher))).toBe('ours');
    }
  }
});

test.each([
  ['entire hooks git post-commit 2>/dev/null || true', 'ours'],
  ['go run ./cmd/entire/main.go hooks git post-commit 2>/dev/null || true', 'ours'],
  [
    'if command -v entire >/dev/null 2>&1; then\n  entire hooks git post-commit || true\nelse\n  :\nfi',
    'ours',
  ],
  ['entire hooks git post-commit && notify-send done', 'extended'],
  ['entire hooks git post-commit || true\nmake', 'extended'],
  ['make', 'foreign'],
])('%j after the marker is %s', (line, kind) => {
  expect(classifyScript('post-commit', `#!/bin/sh\n# Entire CLI hooks\n${line}\n`)).toBe(kind);
});

test('scripts that look at their own name are recognised', () => {
  expect(dependsOnName('#!/usr/bin/env sh\n. "$(dirname "$0")/h"')).toBe(true); // Husky 9
  expect(dependsOnName('#!/bin/sh\n. "$(dirname "$0")/_/husky.sh"\nnpm test')).toBe(true);
  expect(dependsOnName('#!/bin/sh\nexec run-hooks "$(basename "$0")" "$@"')).toBe(true);
  expect(dependsOnName('#!/bin/sh\ncd "$(dirname "$0")"')).toBe(false);
  expect(dependsOnName('#!/usr/bin/env ruby\nFile.basename($0)')).toBe(false);
});
