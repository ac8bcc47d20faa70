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
}

/** A key that can do no more than change how this program works. */
export type HarmlessKey = Key & { readonly heard: 'anyone' };

const harmless = (type: Key['type'], ...path: Key['path']): HarmlessKey => ({
  ...{ path, type, may: [] },
  heard: 'anyone',
});
const unused = (type: Key['type'], ...path: Key['path']): Key & { readonly heard: 'nobody' } => ({
  ...{ path, type, may: [] },
  heard: 'nobody',
});

/**
 * Every key there is. Settings are read through this table, whoever reads them: a key that lets data leave, costs money or
 * runs a program is heard from the person at this clone alone.
 */
export const KEYS = {
  enabled: harmless('boolean', 'enabled'),
  strategy: harmless('string', 'strategy'),
  logLevel: harmless('string', 'log_level'),
  absoluteGitHookPath: harmless('boolean', 'absolute_git_hook_path'),
  commitLinking: harmless('string', 'commit_linking'),
  snapshots: harmless('boolean', 'strategy_options', 'snapshots', 'enabled'),
  snapshotBudget: harmless('any', 'strategy_options', 'snapshots', 'budget_mb'),
  compaction: harmless('boolean', 'strategy_options', 'compaction', 'enabled'),
  pushTimeout: harmless('any', 'strategy_options', 'push_timeout_seconds'),
  redaction: { path: ['redaction'], type: 'any', may: [], heard: 'all' },
  pushSessions: {
    path: ['strategy_options', 'push_sessions'],
    type: 'boolean',
    may: ['data leaves'],
    heard: 'person',
    git: 'entire.pushSessions',
  },
  checkpointRemote: {
    path: ['strategy_options', 'checkpoint_remote'],
    type: 'any',
    may: ['data leaves'],
    heard: 'agreed',
    git: 'entire.checkpointRemote',
  },
  checkpointPushRemote: {
    path: ['strategy_options', 'checkpoint_push_remote'],
    type: 'any',
    may: ['data leaves'],
    heard: 'agreed',
    git: 'entire.checkpointPushRemote',
  },
  summarize: {
    path: ['strategy_options', 'summarize', 'enabled'],
    type: 'boolean',
    may: ['runs a program', 'costs money', 'data leaves'],
    heard: 'person',
    git: 'entire.summarize',
  },
  externalAgents: {
    path: ['external_agents'],
    type: 'any',
    may: ['runs a program'],
    heard: 'person',
    git: 'entire.externalAgents',
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
