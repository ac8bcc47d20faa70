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
    if [ "\${ENTIRE-}" = 0 ]; then :; elif command -v entire >/dev/null 2>&1; then entire hooks git prepare-commit-msg "$1" "$2" || true; fi
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
    _entire_input="$(cat; echo .)"
    if _entire_runs "$_entire_hook_dir/pre-push.pre-entire"; then
        printf %s "\${_entire_input%.}" | "$_entire_hook_dir/pre-push.pre-entire" "$@" || exit $?
    fi
    if _entire_runs "$_entire_hook_dir/pre-push.pre-entire.1"; then
        printf %s "\${_entire_input%.}" | ( . "$_entire_hook_dir/pre-push.pre-entire.1" )
    fi
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
    ]
  `);
  expect(renderShim('post-commit', [], ['/opt/my tools/entire'])).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Entire CLI hooks
    # Post-commit hook: condense session data if commit has Entire-Checkpoint trailer
    _entire_note() ( umask 077; _entire_log="$(git rev-parse --git-common-dir)/entire/verdicts.jsonl" && mkdir -p "\${_entire_log%/*}" && [ ! -h "$_entire_log" ] && { [ -f "$_entire_log" ] || [ ! -e "$_entire_log" ]; } && printf '{"at":"%s","commit":"%s","reason":"switched-off","sessions":[]}\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(git rev-parse HEAD)" >>"$_entire_log" )
    if [ "\${ENTIRE-}" = 0 ]; then _entire_note 2>/dev/null || :
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
