import { AGREED_REMOTE, KEYS, nameOf, PUSH_PLACES, SHOWN_PLACE, valueAt } from './keys.ts';
import { type LayerName, pick, whereOf } from './layers.ts';
import { isShared, type Permission, readPermission, type Sources } from './permissions.ts';

/** A repository for checkpoints alone, at a hosting service. */
export interface CheckpointRemote {
  readonly provider: string;
  /** `owner/name` */
  readonly repo: string;
}

/** What the settings say about pushing. */
export interface PushSettings {
  /** Whether the person at this clone lets checkpoints go along with pushes. */
  readonly permission: Permission;
  /** A place that the repository asks for, or no longer does, and that nobody here has agreed to: nothing leaves by itself. */
  readonly proposal: Proposal | undefined;
  /** URLs that a yes was given for, as git pushes to them, without credentials; none where it was given without any. */
  readonly shown: readonly string[];
  /** `checkpoint_remote`; `'invalid'` where something stands there that names no repository. */
  readonly checkpointRemote: CheckpointRemote | 'invalid' | undefined;
  /** `checkpoint_push_remote`: the one remote of git's that checkpoints may go to. */
  readonly pushRemote: string | undefined;
  /** `push_to`: where a remote keeps them. */
  readonly pushTo: PushTo;
  /** `push_timeout_seconds` */
  readonly timeoutMs: number | undefined;
}

/** A branch, or a ref that no clone fetches by itself. */
export type PushTo = (typeof PUSH_PLACES)[number];

/** Where the repository wants checkpoints to go, and what was agreed to, as text; empty for no place of its own. */
export interface Proposal {
  readonly wanted: string;
  readonly agreed: string;
}

/**
 * What of the settings decides whether checkpoints leave, and where to. Where the repository has a say in that (a committed
 * `checkpoint_remote`), it is held against what `enable` was told yes for.
 */
export function readPushSettings(sources: Sources): PushSettings {
  const permission = readPermission('pushSessions', sources);
  const separate = readPlace('checkpointRemote', sources);
  const named = readPlace('checkpointPushRemote', sources);
  const seconds = pick(sources.layers, KEYS.pushTimeout, isSeconds);
  return {
    permission,
    shown: readOwn(sources, SHOWN_PLACE),
    proposal: judgePlaces(separate, named, readOwn(sources, AGREED_REMOTE).at(-1) ?? ''),
    checkpointRemote: parseCheckpointRemote(separate?.value),
    // What is no name is a name that no remote has: checkpoints do not go elsewhere for it.
    pushRemote: named === undefined ? undefined : String(named.value),
    pushTo: pick(sources.layers, KEYS.pushTo, isPushTo) ?? PUSH_PLACES[0],
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
  };
}

const isPushTo = (value: unknown): value is PushTo => PUSH_PLACES.some((place) => place === value);
const isSeconds = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= 600;

/** What `enable` wrote down in this clone. */
const readOwn = ({ witness }: Sources, name: string): string[] =>
  witness.gitValues().flatMap(({ key, value, isOwn }) => (isOwn && key === name.toLowerCase() ? value : []));

/** A place that somebody names. */
export interface Place {
  /** As people know it. */
  readonly where: string;
  readonly value: unknown;
  /** The person here has named it, and nobody else could. */
  readonly isOwn: boolean;
}

type PlaceName = 'checkpointRemote' | 'checkpointPushRemote';

const readPlace = (name: PlaceName, sources: Sources): Place | undefined => listPlaces(name, sources).at(-1);

/** All who name a place, the last of which counts: the person for all repositories, the repository, the person here. */
export function listPlaces(name: PlaceName, { layers, witness }: Sources): Place[] {
  const key = KEYS[name];
  const ofLayer = (wanted: LayerName): Place[] =>
    layers
      .filter((layer) => layer.name === wanted && valueAt(layer.values, key) !== undefined)
      .map((layer) => ({
        where: whereOf(layer),
        value: valueAt(layer.values, key),
        isOwn: !isShared(layer, witness),
      }));
  const ofGit = (wanted: 'machine' | 'clone'): Place[] =>
    witness
      .gitValues()
      .filter((entry) => entry.key === key.git.toLowerCase() && entry.reach === wanted)
      .map(({ value, isOwn }) => ({ where: `git's ${key.git}`, value, isOwn }));
  return [
    ...ofLayer('user'),
    ...ofGit('machine'),
    ...ofLayer('project'),
    ...ofLayer('local'),
    ...ofGit('clone'),
  ];
}

/** A `checkpoint_remote` stands above the other key; only what decides is anything to agree to. */
function judgePlaces(
  separate: Place | undefined,
  named: Place | undefined,
  agreed: string,
): Proposal | undefined {
  const [key, place] = separate ? [KEYS.checkpointRemote, separate] : [KEYS.checkpointPushRemote, named];
  if (place?.isOwn) return undefined;
  const wanted = place ? `${nameOf(key).split('.').at(-1)} ${renderPlace(place.value)}` : '';
  return wanted === agreed ? undefined : { wanted, agreed };
}

/** The same text for all ways to write the same place. */
function renderPlace(value: unknown): string {
  const remote = parseCheckpointRemote(value);
  return remote === undefined || remote === 'invalid'
    ? JSON.stringify(value).slice(0, 200)
    : `${remote.provider}:${remote.repo}`;
}

/** `{"provider", "repo"}`, or the two with a colon between them. */
export function parseCheckpointRemote(value: unknown): CheckpointRemote | 'invalid' | undefined {
  if (value === undefined) return undefined;
  const [, fromText, repoText] = typeof value === 'string' ? (/^([a-z]+):(.+)$/.exec(value) ?? []) : [];
  const { provider = fromText, repo = repoText } = (typeof value === 'object' ? value : {}) as {
    provider?: unknown;
    repo?: unknown;
  };
  const isRepo = typeof repo === 'string' && /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)+$/.test(repo);
  return typeof provider === 'string' && isRepo ? { provider, repo } : 'invalid';
}
