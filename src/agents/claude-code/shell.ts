import { asText, isObject, type JsonObject } from '../../base/text/json.ts';
import type { WatchedFolder } from '../shared/transcript/transcript.ts';

/** A command of the client's shell, and how the client told its end. */
export interface ShellCommand {
  readonly input: JsonObject;
  /** What the client says of it beside the answer; of a command that failed a text, in a sub-agent nothing. */
  readonly result: unknown;
  /** Of the client, as the row of the answer names it. */
  readonly version: string;
}

/** What the client reports of the changes that a command made; `undefined` where it reports none. */
export const reportIn = (result: unknown): JsonObject | undefined =>
  isObject(result) && isObject(result.bashEditDiff) ? result.bashEditDiff : undefined;

/** The first version that is known to report what commands changed in the repository that the session began in. */
const REPORTING = [2, 1, 330] as const;

/** A single `&`: behind such a command something may be at work that it started. `&&`, `2>&1` and `&>` start nothing. */
const STARTS_MORE = /(?<![&>])&(?![&>])|\b(?:nohup|setsid|disown|tmux|screen)\b/;

/** Whether something of a command may be at work when it was answered. */
export const goesOnBehind = (input: JsonObject, result: JsonObject): boolean =>
  input.run_in_background === true ||
  result.backgroundTaskId !== undefined ||
  STARTS_MORE.test(asText(input.command));

/**
 * Whether it is on record what a command changed in the repository of its client. The client compares before and after one that succeeds in
 * the main conversation, and reports nothing where nothing changed; it says nothing of one that failed, goes on behind its answer, or ran in
 * a sub-agent. At what git ignores, and at other repositories, it does not look.
 *
 * @param isReporting another command of the session reported a change, whatever the version says
 */
export function isAccounted({ input, result, version }: ShellCommand, isReporting: boolean): boolean {
  if (!isObject(result) || result.interrupted === true || goesOnBehind(input, result)) return false;
  return isReporting || reportsChanges(version);
}

/** Where the client has made a worktree for a session, it looks at that alone. */
const OWN_WORKTREE = /^.*[/\\]\.claude[/\\]worktrees[/\\][^/\\]+/;

/** What the client looks at while commands run in a folder. */
export function watchedFrom(cwd: string): WatchedFolder {
  const [root] = OWN_WORKTREE.exec(cwd) ?? [];
  return root === undefined ? { folder: cwd, isRoot: false } : { folder: root, isRoot: true };
}

/** Later versions of the same generation are taken to do what that one does. */
function reportsChanges(version: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (!parts || parts[0] !== REPORTING[0]) return false;
  const at = REPORTING.findIndex((number, index) => parts[index] !== number);
  return at === -1 || (parts[at] ?? 0) > (REPORTING[at] ?? 0);
}

/** Programs that write nothing but what they print, whatever they are given. */
const READERS: ReadonlySet<string> = new Set(
  '[ cat cd cmp cut date diff dirname echo egrep exit false fgrep grep head ls nl printf ps pwd sleep stat tail test tr wc which'.split(
    ' ',
  ),
);
const GIT_READERS =
  /^git (?:blame|describe|diff|log|ls-files|merge-base|rev-list|rev-parse|show|status)(?= |$)/;
/** Where output goes that nobody keeps. */
const NOWHERE = /(?:\d|&)?>\s*\/dev\/null|\d>&\d/g;
/** What makes words of a command more than words. */
const MORE_THAN_WORDS = /[`$<>(){}\\]|--output/;

/** Whether it is plain from the words of a command that it only reads; such a one often fails, as a search that finds nothing. */
export function onlyReads({ input }: ShellCommand): boolean {
  const plain = asText(input.command).replaceAll(NOWHERE, ' ');
  if (plain.trim() === '' || MORE_THAN_WORDS.test(plain)) return false;
  return plain
    .split(/&&|\|\||[;|&\n]/)
    .map((part) => part.trim())
    .every((part) => part === '' || READERS.has(part.split(/\s/)[0] ?? '') || GIT_READERS.test(part));
}

const WORD = `(?:"[^"]*"|'[^']*'|[^\\s;&|"'])+`;
/** Git with its own options, what it is told to do, and the rest of that command. */
const GIT = new RegExp(
  `(?<![\\w.-])git(?:\\.exe)?(?:\\s+(?:-[cC]\\s+${WORD}|-(?![cC]\\s)${WORD}))*\\s+([a-z][a-z-]*)(?![\\w./=-])([^;&|\\n]*)`,
  'g',
);
const BRINGING: ReadonlySet<string> = new Set(
  'am apply checkout checkout-index cherry-pick merge merge-file mv pull read-tree rebase revert sparse-checkout submodule subtree switch'.split(
    ' ',
  ),
);
/** What these print is somebody's file, or a part of it. */
const PRINTING: ReadonlySet<string> = new Set(['archive', 'cat-file', 'diff', 'show']);
/** A new branch where HEAD is: all files stay as they are. */
const NEW_BRANCH = new RegExp(`^(?:\\s+(?:-q|--quiet))*\\s+(?:-[bBcC]|--create)\\s+${WORD}[\\s"')]*$`);

/** Whether git puts into files what it has from elsewhere; where that is not plain from the words of a command, it may. */
export function bringsByGit(command: string): boolean {
  return [...command.replaceAll('\\\n', ' ').matchAll(GIT)].some(([, verb = '', rest = '']) => {
    if (verb === 'stash') return !/^\s+(?:clear|create|drop|list|show|store)\b/.test(rest);
    if (verb === 'reset') return /\s--(?:hard|keep|merge)\b/.test(rest);
    if (verb === 'restore') return !/\s(?:-S|--staged)\b/.test(rest) || /\s(?:-W|--worktree)\b/.test(rest);
    if (PRINTING.has(verb)) return /(?<!\d)>(?!\s*(?:\/dev\/null|&))/.test(rest);
    return BRINGING.has(verb) && !NEW_BRANCH.test(rest);
  });
}
