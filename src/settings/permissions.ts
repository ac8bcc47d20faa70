import { basename, dirname } from 'node:path';
import { listNames, lstatIfExists } from '../base/file/disk.ts';
import { KEYS, type KeyName, nameOf, type PermissionName, valueAt } from './keys.ts';
import { type Layer, whereOf } from './layers.ts';

/** A value of ours in git's configuration. */
export interface GitValue {
  /** In lower case, as git prints it. */
  readonly key: string;
  readonly value: string;
  /** `clone`: set for this clone or this command; `machine`: for all repositories of the person. */
  readonly reach: 'machine' | 'clone';
  /** The person has written it: it comes from no file of the repository, nor from the environment. */
  readonly isOwn: boolean;
}

/** What git knows of settings. Asked only where it can change an answer. */
export interface Witness {
  /** The values of `entire.*`, weakest first. */
  gitValues(): readonly GitValue[];
  /** Whether git has the local settings file, or what it holds. */
  isLocalShared(): boolean;
  /** Whether a file lies in this repository, or leads into it. */
  isOfRepository(file: string): boolean;
}

/** All that settings are read from. */
export interface Sources {
  readonly layers: readonly Layer[];
  readonly witness: Witness;
}

/** Whether something may be done that is for the person at this clone to decide. */
export interface Permission {
  /** `undefined` where nobody who can has said anything. */
  readonly given: boolean | undefined;
  /** What decided it, as people know it. */
  readonly by: string | undefined;
  /** What says yes and is not heard. */
  readonly unheard: readonly string[];
}

/** One voice. */
export interface Said {
  readonly where: string;
  /** As it stands there. */
  readonly value: unknown;
  /** Anything but `true` is a no. */
  readonly yes: boolean;
  /** Whoever can write to the repository can write this: it can forbid, and not allow. */
  readonly shared: boolean;
}

/**
 * Decides what a key allows. The person's own word counts, the last one: the settings file for all repositories, git's
 * configuration for all of them, the untracked local file, this clone's configuration. A no of the repository's stands
 * above all of them, and so does a file that cannot be read: it may say no.
 */
export function readPermission(name: PermissionName, { layers, witness }: Sources): Permission {
  const broken = layers.find(({ problem }) => problem !== undefined);
  if (broken) return { given: false, by: `${whereOf(broken)}, which cannot be read`, unheard: [] };
  const early = decide(said(name, layers, [], () => false));
  // Nobody can undo a no of the repository's: git need not be asked for that.
  if (early.given === false && layers.some((layer) => layer.name === 'project' && isNo(name, layer)))
    return early;
  const values = witness.gitValues();
  const own = decide(said(name, layers, values, () => false));
  if (!own.given || !layers.some((layer) => layer.name !== 'project' && speaks(name, layer))) return own;
  return decide(said(name, layers, values, (layer) => isShared(layer, witness)));
}

/** All who say something of a permission, weakest first. */
export const listVoices = (name: PermissionName, { layers, witness }: Sources): Said[] =>
  said(name, layers, witness.gitValues(), (layer) => isShared(layer, witness));

/** What would allow something, and cannot: a key, and who says it. */
export interface Unheard {
  readonly key: string;
  readonly where: string;
}

/** All that the repository would allow; whether executables may speak for agents among it. */
export function listUnheard(sources: Sources): Unheard[] {
  const names = (Object.keys(KEYS) as KeyName[]).filter(isPermission);
  return names.flatMap((name) =>
    readPermission(name, sources).unheard.map((where) => ({ key: nameOf(KEYS[name]), where })),
  );
}

const isPermission = (name: KeyName): name is PermissionName => KEYS[name].heard === 'person';

const speaks = (name: PermissionName, { values }: Layer): boolean =>
  valueAt(values, KEYS[name]) !== undefined;
const isNo = (name: PermissionName, layer: Layer): boolean =>
  speaks(name, layer) && valueAt(layer.values, KEYS[name]) !== true;

function said(
  name: PermissionName,
  layers: readonly Layer[],
  gitValues: readonly GitValue[],
  isOthers: (layer: Layer) => boolean,
): Said[] {
  const key = KEYS[name];
  const ofLayer = (wanted: Layer['name']): Said[] =>
    layers
      .filter((layer) => layer.name === wanted && speaks(name, layer))
      .map((layer) => ({
        where: whereOf(layer),
        value: valueAt(layer.values, key),
        yes: !isNo(name, layer),
        shared: wanted === 'project' || isOthers(layer),
      }));
  const ofGit = (wanted: GitValue['reach']): Said[] =>
    gitValues
      .filter((entry) => entry.key === key.git.toLowerCase() && entry.reach === wanted)
      .map(({ value, isOwn }) => ({ where: `git's ${key.git}`, value, yes: isYes(value), shared: !isOwn }));
  return [
    ...ofLayer('user'),
    ...ofGit('machine'),
    ...ofLayer('project'),
    ...ofLayer('local'),
    ...ofGit('clone'),
  ];
}

/** As git reads it. */
const isYes = (value: string): boolean => /^(true|yes|on|1)$/i.test(value);

function decide(voices: readonly Said[]): Permission {
  const unheard = voices.filter(({ yes, shared }) => yes && shared).map(({ where }) => where);
  const last = voices.find(({ yes, shared }) => !yes && shared) ?? voices.findLast(({ shared }) => !shared);
  return { given: last?.yes, by: last?.where, unheard: last?.yes ? [] : unheard };
}

/**
 * Whether a file is the repository's and not the person's: git has the local one, or that only stands for another; the one for
 * all repositories lies in this one.
 */
export function isShared({ name, file }: Layer, witness: Witness): boolean {
  if (name === 'project') return true;
  return name === 'user' ? witness.isOfRepository(file) : !isPlain(file) || witness.isLocalShared();
}

/**
 * The file and its folder are themselves: a link could lead to something that git does track, and so could a name that the
 * file system takes for theirs, of which there are more than git folds (`ſettings.local.json` on APFS).
 */
function isPlain(file: string): boolean {
  const dir = dirname(file);
  return (
    listNames(dirname(dir)).includes(basename(dir)) &&
    listNames(dir).includes(basename(file)) &&
    lstatIfExists(dir)?.isDirectory() === true &&
    lstatIfExists(file)?.isFile() === true
  );
}

/**
 * Whether agents that are not built in may be asked. `shared`: the wish stands only where everybody who can write to the
 * repository can write it, and is not heard.
 */
export type ExternalAgentsWish = 'on' | 'off' | 'shared';

/** What the settings say: a repository must not be able to have anything started on the machine of whoever clones it. */
export function readExternalAgentsWish(sources: Sources): ExternalAgentsWish {
  const { given, unheard } = readPermission('externalAgents', sources);
  if (given) return 'on';
  return unheard.length > 0 ? 'shared' : 'off';
}
