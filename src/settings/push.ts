import { LOCAL_SETTINGS_FILE, readSettingsObject, SETTINGS_FILE } from './enabled.ts';

/** A repository for checkpoints alone, at a hosting service. */
export interface CheckpointRemote {
  readonly provider: string;
  /** `owner/name` */
  readonly repo: string;
}

/** What the settings say about pushing (`strategy_options`), local over project. */
export interface PushSettings {
  /** `push_sessions`: `false` where it is anything but `true`, `undefined` where nobody has decided. */
  readonly pushSessions: boolean | undefined;
  /** `checkpoint_remote`; `'invalid'` where something stands there that names no repository. */
  readonly checkpointRemote: CheckpointRemote | 'invalid' | undefined;
  /** `checkpoint_push_remote`: the one remote of git's that checkpoints may go to. */
  readonly pushRemote: string | undefined;
  /** `push_timeout_seconds` */
  readonly timeoutMs: number | undefined;
}

/**
 * Reads both files without a schema library: every push of the user's comes by here.
 *
 * @throws {EntireError} `CONFIG_UNREADABLE`
 */
export function readPushSettings(root: string): PushSettings {
  const merged: Record<string, unknown> = {};
  for (const name of [SETTINGS_FILE, LOCAL_SETTINGS_FILE]) {
    const options = readSettingsObject(root, name)?.strategy_options;
    if (typeof options !== 'object' || options === null) continue;
    for (const [key, value] of Object.entries(options)) if (value !== null) merged[key] = value;
  }
  const seconds = merged.push_timeout_seconds;
  return {
    // Whatever else stands there, `"false"` for one, is no permission.
    pushSessions: merged.push_sessions === undefined ? undefined : merged.push_sessions === true,
    checkpointRemote: parseCheckpointRemote(merged.checkpoint_remote),
    // What is no name is a name that no remote has: checkpoints do not go elsewhere for it.
    pushRemote:
      merged.checkpoint_push_remote === undefined ? undefined : String(merged.checkpoint_push_remote),
    timeoutMs: typeof seconds === 'number' && seconds > 0 && seconds <= 600 ? seconds * 1000 : undefined,
  };
}

/** `{"provider", "repo"}`, or the two with a colon between them. */
function parseCheckpointRemote(value: unknown): CheckpointRemote | 'invalid' | undefined {
  if (value === undefined) return undefined;
  const [, fromText, repoText] = typeof value === 'string' ? (/^([a-z]+):(.+)$/.exec(value) ?? []) : [];
  const { provider = fromText, repo = repoText } = (typeof value === 'object' ? value : {}) as {
    provider?: unknown;
    repo?: unknown;
  };
  const isRepo = typeof repo === 'string' && /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)+$/.test(repo);
  return typeof provider === 'string' && isRepo ? { provider, repo } : 'invalid';
}
