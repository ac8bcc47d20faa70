import { join } from 'node:path';
import { z } from 'zod';
import { describeError, EntireError } from '../base/errors.ts';
import { LOCAL_SETTINGS_FILE, type RefusedSettings, SETTINGS_FILE } from './enabled.ts';
import { readSettingsFile } from './settings-file.ts';

/** Strategies by the names that settings may hold; the first is the default. */
export const STRATEGIES = ['manual-commit', 'auto-commit'] as const;
export type StrategyName = (typeof STRATEGIES)[number];
export const DEFAULT_STRATEGY = STRATEGIES[0];

const flag = z.boolean().nullish();

/** One settings file, as far as we read it. */
const schema = z.looseObject({
  strategy: z.string().nullish(),
  enabled: flag,
  local_dev: flag,
  log_level: z.string().nullish(),
  strategy_options: z
    .looseObject({
      push_sessions: flag,
      summarize: z.looseObject({ enabled: flag }).nullish(),
      snapshots: z.looseObject({ enabled: flag }).nullish(),
      compaction: z.looseObject({ enabled: flag }).nullish(),
    })
    .nullish(),
  telemetry: flag,
  absolute_git_hook_path: flag,
  commit_linking: z.string().nullish(),
});

/** Keys of later releases: kept as they are. What stands neither here nor in the schema is kept, and reported. */
const LATER_KEYS = [
  'redaction',
  'external_agents',
  'summary_generation',
  'summary_timeout_seconds',
  'sign_checkpoint_commits',
  'vercel',
  'review',
  'git_hooks',
  'checkpoints',
];

/** Values of one file, or of both merged; a key that is missing or null is absent. */
export interface SettingsValues {
  readonly strategy?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly logLevel?: string | undefined;
  readonly pushSessions?: boolean | undefined;
  readonly summarize?: boolean | undefined;
  /** Contents of files are kept for undo. */
  readonly snapshots?: boolean | undefined;
  readonly telemetry?: boolean | undefined;
  readonly absoluteGitHookPath?: boolean | undefined;
  readonly commitLinking?: string | undefined;
}

/** What holds in a worktree: local over project over defaults, key by key. */
export interface Settings extends SettingsValues {
  readonly strategy: string;
  readonly enabled: boolean;
}

export interface LoadedSettings {
  readonly effective: Settings;
  /** `undefined` when the file does not exist. */
  readonly project: SettingsValues | undefined;
  readonly local: SettingsValues | undefined;
  /** Keys that no release knows, such as a misspelt one. */
  readonly unknownKeys: readonly { readonly file: string; readonly key: string }[];
}

/**
 * Reads both files below `root`. No file at all means the defaults.
 *
 * @throws {EntireError} `CONFIG_UNREADABLE` naming file, and line or key
 */
export const loadSettings = (root: string): LoadedSettings =>
  combine(readValues(root, SETTINGS_FILE), readValues(root, LOCAL_SETTINGS_FILE));

/** {@link loadSettings} for those who only tell: of what cannot be read nothing counts, and nothing is permitted. */
export function loadHeardSettings(
  root: string,
): LoadedSettings & { readonly refused: readonly RefusedSettings[] } {
  const refused: RefusedSettings[] = [];
  const [project, local] = [SETTINGS_FILE, LOCAL_SETTINGS_FILE].map((file) => {
    try {
      return readValues(root, file);
    } catch (error) {
      refused.push({ file: join(root, file), reason: describeError(error) });
      return undefined;
    }
  });
  const { effective, ...rest } = combine(project, local);
  const isWhole = refused.length === 0;
  return {
    ...rest,
    effective: isWhole ? effective : { ...effective, pushSessions: false, summarize: false },
    refused,
  };
}

type FileValues = NonNullable<ReturnType<typeof readValues>>;

function combine(project: FileValues | undefined, local: FileValues | undefined): LoadedSettings {
  const effective = merge(project?.values ?? {}, local?.values ?? {});
  const unknownKeys = [project, local].flatMap((file) => file?.unknownKeys ?? []);
  return { effective, project: project?.values, local: local?.values, unknownKeys };
}

function readValues(root: string, file: string) {
  const json = readSettingsFile(root, file);
  if (json === undefined) return undefined;
  const result = schema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new EntireError('CONFIG_UNREADABLE', `${file}: "${issue?.path.join('.')}" ${issue?.message}`, {
      hint: 'Correct the file and run the command again.',
    });
  }
  const known = new Set([...Object.keys(schema.shape), ...LATER_KEYS]);
  const unknownKeys = Object.keys(json).filter((key) => !known.has(key));
  return { values: toValues(result.data), unknownKeys: unknownKeys.map((key) => ({ file, key })) };
}

/** The codec of the file. Empty texts mean "not set", so that a local file cannot blank out a shared value. */
function toValues(json: z.infer<typeof schema>): SettingsValues {
  const values = {
    strategy: json.strategy || undefined,
    enabled: json.enabled ?? undefined,
    logLevel: json.log_level || undefined,
    pushSessions: json.strategy_options?.push_sessions ?? undefined,
    summarize: json.strategy_options?.summarize?.enabled ?? undefined,
    snapshots: json.strategy_options?.snapshots?.enabled ?? undefined,
    telemetry: json.telemetry ?? undefined,
    absoluteGitHookPath: json.absolute_git_hook_path ?? undefined,
    commitLinking: json.commit_linking || undefined,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const merge = (project: SettingsValues, local: SettingsValues): Settings => ({
  ...project,
  ...local,
  strategy: local.strategy ?? project.strategy ?? DEFAULT_STRATEGY,
  enabled: local.enabled ?? project.enabled ?? true,
});
