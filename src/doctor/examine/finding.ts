/** How much a finding matters. */
export type Severity = 'error' | 'warning' | 'info';

/** What can be found, and how much it matters: `error` means that work of an agent is lost to the record, or will be. */
export const SEVERITIES = {
  'not-set-up': 'warning',
  disabled: 'warning',
  'switched-off': 'warning',
  paused: 'info',
  'paused-for-long': 'warning',
  'paused-unreadable': 'error',
  'settings-unreadable': 'error',
  'settings-unknown-key': 'warning',
  'settings-not-heard': 'info',
  'checkpoint-remote-not-agreed': 'warning',
  'strategy-unknown': 'warning',
  'redaction-rule-unusable': 'warning',
  'git-too-old': 'error',
  'git-hooks-missing': 'error',
  'git-hooks-overwritten': 'error',
  'git-hooks-not-executable': 'error',
  'git-hooks-outdated': 'warning',
  'hooks-folder-foreign': 'error',
  'hooks-folder-unusable': 'error',
  'hook-manager': 'info',
  'agent-hooks-missing': 'error',
  'agent-hooks-incomplete': 'error',
  'agent-hooks-switched-off': 'error',
  'agent-hooks-waiting': 'warning',
  'agent-hooks-outdated': 'info',
  'agent-hooks-doubled': 'warning',
  'agent-settings-obsolete': 'info',
  'agent-settings-unreadable': 'error',
  'external-agents-refused': 'warning',
  'external-agent-unusable': 'warning',
  'not-on-path': 'error',
  'path-program-broken': 'error',
  'path-other-version': 'warning',
  'short-path': 'info',
  'not-writable': 'error',
  'wrong-owner': 'error',
  'disk-full': 'error',
  'state-unreadable': 'error',
  'record-unreadable': 'warning',
  'set-aside': 'info',
  'undo-unfinished': 'warning',
  'claims-left': 'info',
  'lock-left': 'info',
  'temporary-left': 'info',
  'crash-report': 'info',
  'git-lock': 'warning',
  'checkpoint-given-up': 'error',
  'checkpoint-owed': 'info',
  'checkpoint-owed-elsewhere': 'warning',
  'branch-name-taken': 'error',
  'ref-broken': 'error',
  'metadata-branch-missing': 'warning',
  'ref-lock': 'info',
  'shadow-branch-unowned': 'info',
  'auto-commit-left': 'info',
  'scrub-left': 'info',
  'rewind-left': 'info',
  'push-unknown': 'info',
  'trailer-dangling': 'warning',
  'checkpoint-not-merged': 'warning',
  'checkpoint-elsewhere': 'info',
  'no-sign-of-life': 'error',
  'commits-unseen': 'warning',
  'hook-failures': 'warning',
  'check-failed': 'error',
} as const satisfies Record<string, Severity>;

export type FindingCode = keyof typeof SEVERITIES;

/** One thing that is not as it should be. The sentences are the command's. */
export interface Finding {
  /** Stable: programs may act on it. */
  readonly code: FindingCode;
  readonly severity: Severity;
  /** What it is about: files, hooks, ids. As they are on disk: whoever prints them sanitises them. */
  readonly items: readonly string[];
  /** What is known beyond the code, such as a reason; part of a sentence. */
  readonly detail: string | undefined;
  /** `--fix` knows what to do about it. */
  readonly isFixable: boolean;
}

/** A {@link Finding}; not to be repaired by us unless it says so. */
export function found(
  code: FindingCode,
  items: readonly string[] = [],
  { detail, isFixable = false }: { readonly detail?: string | undefined; readonly isFixable?: boolean } = {},
): Finding {
  return { code, severity: SEVERITIES[code], items, detail, isFixable };
}

/** A {@link Finding} on items, if there are any. */
export const foundSome = (
  code: FindingCode,
  items: readonly string[],
  more?: Parameters<typeof found>[2],
): Finding[] => (items.length === 0 ? [] : [found(code, items, more)]);
