import { LOG_LEVELS } from '../base/log.ts';
import { isObject, type JsonObject } from '../base/text/json.ts';

/** What a setting can bring about that is nobody's to decide but the person's at this clone. */
export type Power = 'data leaves' | 'costs money' | 'runs a program';

/**
 * Who may set a key:
 *
 * - `anyone`: each source over the one before, what the repository has committed included;
 * - `person`: only the person at this clone can say `true`; anything else that the repository has committed is a no for good;
 * - `agreed`: what the repository has committed is a proposal, and counts once it was agreed to here;
 * - `all`: what all sources say adds up;
 * - `nobody`: kept for other releases, without effect.
 */
export type Hearing = 'anyone' | 'person' | 'agreed' | 'all' | 'nobody';

/** What may stand under a key, as people type it. */
export type Takes =
  | { readonly kind: 'switch' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  /** `over`: more than that; `least`: what is less counts as that. */
  | {
      readonly kind: 'number';
      readonly unit: 'MiB' | 'seconds';
      readonly over?: number;
      readonly least?: number;
      readonly most?: number;
    }
  | { readonly kind: 'name' }
  /** A repository at one of these services: `github:owner/name`. */
  | { readonly kind: 'hosted'; readonly at: readonly string[] }
  /** Expressions by their labels. */
  | { readonly kind: 'expressions' };

/** One key of the settings. */
export interface Key {
  /** From the top of a settings file. */
  readonly path: readonly [string, ...string[]];
  /** What a settings file must hold there, or the commands refuse it; `any` is judged where it is used. */
  readonly type: 'boolean' | 'string' | 'any';
  readonly may: readonly Power[];
  readonly heard: Hearing;
  /** Its name in git's configuration; keys that every edit hook reads have none, for that hook starts no git. */
  readonly git?: string;
  /** The variable that stands above all files. */
  readonly variable?: string;
  /** Missing of what nobody hears, and of a section: the keys in it are what people set. */
  readonly takes?: Takes;
  /** What holds where nobody says anything. */
  readonly usual?: string | number | boolean;
  /** What it does, for people; empty where nothing is to be set. */
  readonly about: string;
}

/** A key that can do no more than change how this program works. */
export type HarmlessKey = Key & { readonly heard: 'anyone' };

const SWITCH = { kind: 'switch' } as const;

type Told = Pick<Key, 'takes' | 'usual' | 'about' | 'variable'>;

const harmless = (type: Key['type'], path: Key['path'], told: Told): HarmlessKey => ({
  ...{ path, type, may: [], ...told },
  heard: 'anyone',
});
const unused = (type: Key['type'], ...path: Key['path']): Key & { readonly heard: 'nobody' } => ({
  ...{ path, type, may: [], about: '' },
  heard: 'nobody',
});
/** A key of the section that files add to. It stands in the table for people: `redaction.ts` reads the section as a whole. */
const rule = (path: Key['path'], about: string, told: Omit<Told, 'about'> = {}): Key & { heard: 'all' } => ({
  ...{ path, type: 'any', may: [], takes: SWITCH, about, ...told },
  heard: 'all',
});

/** Strategies by the names that settings may hold; the first is the default. */
export const STRATEGIES = ['manual-commit', 'auto-commit'] as const;

/** Where checkpoints are on a remote; the first is the default, and what v0.4.4 knows. */
export const PUSH_PLACES = ['branch', 'ref'] as const;

/**
 * Every key there is. Settings are read through this table, whoever reads them: a key that lets data leave, costs money or
 * runs a program is heard from the person at this clone alone. `entire config` and the table in docs/settings.md come from it.
 */
export const KEYS = {
  enabled: harmless('boolean', ['enabled'], {
    ...{ takes: SWITCH, usual: true },
    about: 'Record what agents do in this worktree',
  }),
  strategy: harmless('string', ['strategy'], {
    ...{ takes: { kind: 'word', words: STRATEGIES }, usual: STRATEGIES[0] },
    about: 'Who makes commits: you, or Entire after each turn of an agent',
  }),
  logLevel: harmless('string', ['log_level'], {
    ...{ takes: { kind: 'word', words: LOG_LEVELS }, usual: 'info', variable: 'ENTIRE_LOG_LEVEL' },
    about: 'How much hooks write into .entire/logs/entire.log',
  }),
  absoluteGitHookPath: harmless('boolean', ['absolute_git_hook_path'], {
    ...{ takes: SWITCH, usual: false },
    about: 'Call entire by its absolute path in git hooks, for GUI clients with a short PATH',
  }),
  commitLinking: harmless('string', ['commit_linking'], {
    ...{ takes: { kind: 'word', words: ['always', 'prompt'] }, usual: 'always' },
    about: 'Link commits made with -m or -F without asking (always), or ask first (prompt)',
  }),
  snapshots: harmless('boolean', ['strategy_options', 'snapshots', 'enabled'], {
    ...{ takes: SWITCH, usual: true },
    about: 'Keep contents of files, so that `entire undo` can bring them back',
  }),
  snapshotBudget: harmless('any', ['strategy_options', 'snapshots', 'budget_mb'], {
    ...{ takes: { kind: 'number', unit: 'MiB', least: 64 }, usual: 1024 },
    about: 'How much may be kept for undo in a repository',
  }),
  compaction: harmless('boolean', ['strategy_options', 'compaction', 'enabled'], {
    ...{ takes: SWITCH, usual: true },
    about: 'Remind an agent of the files of its session after a compaction',
  }),
  pushTimeout: harmless('any', ['strategy_options', 'push_timeout_seconds'], {
    ...{ takes: { kind: 'number', unit: 'seconds', over: 0, most: 600 }, usual: 30 },
    about: 'How long your push waits for the checkpoint push',
  }),
  pushTo: harmless('any', ['strategy_options', 'push_to'], {
    ...{ takes: { kind: 'word', words: PUSH_PLACES }, usual: PUSH_PLACES[0] },
    about: 'Where a remote keeps checkpoints: on a branch, or at a ref that no clone fetches unasked',
  }),
  gitAiNotes: harmless('boolean', ['export', 'git_ai_notes'], {
    ...{ takes: SWITCH, usual: false },
    about: 'Write a note for git-ai (refs/notes/ai) with each commit',
  }),
  importGitAiNotes: harmless('boolean', ['import', 'git_ai_notes'], {
    ...{ takes: SWITCH, usual: false },
    about: 'Go by notes of git-ai where there is no record of Entire',
  }),
  redaction: { path: ['redaction'], type: 'any', may: [], heard: 'all', about: '' },
  redactPersonal: rule(['redaction', 'pii', 'enabled'], 'Redact personal data, too', { usual: false }),
  redactEmail: rule(
    ['redaction', 'pii', 'email'],
    'Email addresses; on by default when personal data is redacted',
  ),
  redactPhone: rule(
    ['redaction', 'pii', 'phone'],
    'Phone numbers; on by default when personal data is redacted',
  ),
  redactAddress: rule(['redaction', 'pii', 'address'], 'Postal addresses; off by default', { usual: false }),
  redactPatterns: rule(
    ['redaction', 'pii', 'custom_patterns'],
    'Your own regular expressions for personal data, by label',
    {
      takes: { kind: 'expressions' },
    },
  ),
  redactSecrets: rule(
    ['redaction', 'custom_redactions'],
    'Your own regular expressions for secrets, by label',
    {
      takes: { kind: 'expressions' },
    },
  ),
  pushSessions: {
    path: ['strategy_options', 'push_sessions'],
    type: 'boolean',
    may: ['data leaves'],
    heard: 'person',
    git: 'entire.pushSessions',
    takes: SWITCH,
    usual: false,
    about: 'Push checkpoints along with your own pushes',
  },
  checkpointRemote: {
    path: ['strategy_options', 'checkpoint_remote'],
    type: 'any',
    may: ['data leaves'],
    heard: 'agreed',
    git: 'entire.checkpointRemote',
    takes: { kind: 'hosted', at: ['github', 'gitlab'] },
    about: 'Repository that checkpoints go to, and nowhere else',
  },
  checkpointPushRemote: {
    path: ['strategy_options', 'checkpoint_push_remote'],
    type: 'any',
    may: ['data leaves'],
    heard: 'agreed',
    git: 'entire.checkpointPushRemote',
    takes: { kind: 'name' },
    about: "The one of git's remotes that checkpoints go to",
  },
  summarize: {
    path: ['strategy_options', 'summarize', 'enabled'],
    type: 'boolean',
    may: ['runs a program', 'costs money', 'data leaves'],
    heard: 'person',
    git: 'entire.summarize',
    takes: SWITCH,
    usual: false,
    about: 'Have checkpoints summarised by claude in the background',
  },
  externalAgents: {
    path: ['external_agents'],
    type: 'any',
    may: ['runs a program'],
    heard: 'person',
    git: 'entire.externalAgents',
    takes: SWITCH,
    usual: false,
    about: 'Let `entire-agent-*` programs on PATH add agents',
  },
  telemetry: unused('boolean', 'telemetry'),
  localDev: unused('boolean', 'local_dev'),
  summaryGeneration: unused('any', 'summary_generation'),
  summaryTimeout: unused('any', 'summary_timeout_seconds'),
  signCheckpointCommits: unused('any', 'sign_checkpoint_commits'),
  vercel: unused('any', 'vercel'),
  review: unused('any', 'review'),
  gitHooks: unused('any', 'git_hooks'),
  checkpoints: unused('any', 'checkpoints'),
} as const satisfies Readonly<Record<string, Key>>;

export type KeyName = keyof typeof KEYS;

/** Keys that only the person at this clone can switch on. */
export type PermissionName = {
  [name in KeyName]: (typeof KEYS)[name]['heard'] extends 'person' ? name : never;
}[KeyName];

/** What `enable` wrote down of the place that was agreed to; no settings file has it, for none could be believed. */
export const AGREED_REMOTE = 'entire.agreedRemote';

/** URLs that stood on the screen when somebody said yes, one value each: session logs go along to no other place. */
export const SHOWN_PLACE = 'entire.shownPlace';

/** As people write it: `strategy_options.push_sessions`. */
export const nameOf = ({ path }: Key): string => path.join('.');

/** What an object holds under a key; `null` is nothing. */
export function valueAt(values: JsonObject | undefined, { path }: Key): unknown {
  const value = path.reduce<unknown>((object, name) => (isObject(object) ? object[name] : undefined), values);
  return value ?? undefined;
}
