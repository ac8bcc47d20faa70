import { LOG_LEVELS, parseLogLevel } from '../../base/log.ts';
import { isObject, type JsonObject } from '../../base/text/json.ts';
import { KEYS, type Key, type KeyName, valueAt } from '../keys.ts';
import { isFlag, isText, type Layer, whereOf } from '../layers.ts';
import { listVoices, readPermission, type Sources } from '../permissions.ts';
import { listPlaces, readPushSettings } from '../push.ts';
import { parseRedaction } from '../redaction.ts';
import { isTaken, renderSetting } from './typed-value.ts';

/** Why what is set somewhere does not count there. */
export type Deaf =
  /** Only the person at this clone can allow it. */
  | 'shared'
  /** It is nothing that the key takes. */
  | 'wrong'
  /** The repository proposes it, and nobody here has agreed. */
  | 'proposal'
  /** No release of this line reads the key. */
  | 'unused';

/** A place where a key is set. */
export interface SetThere {
  /** As people know it. */
  readonly where: string;
  readonly value: unknown;
  readonly deaf: Deaf | undefined;
}

/** What holds of a key, and who says so. */
export interface InForce {
  readonly name: KeyName;
  readonly key: Key;
  /** `undefined` for none. */
  readonly value: unknown;
  /** Empty where it is what holds when nobody says anything. */
  readonly from: readonly string[];
  /** Weakest first. */
  readonly set: readonly SetThere[];
}

/** Where `enabled` comes from in a repository without settings. */
export const NOT_SET_UP = 'not set up';

/** What holds of a key here: the same answer as those get who use it. */
export function readInForce(name: KeyName, sources: Sources, env: NodeJS.ProcessEnv = process.env): InForce {
  const key: Key = KEYS[name];
  switch (name) {
    case 'pushSessions':
    case 'summarize':
    case 'externalAgents': {
      const { given, by } = readPermission(name, sources);
      const set = listVoices(name, sources).map(({ where, value, yes, shared }) => ({
        ...{ where, value },
        deaf: yes && shared ? ('shared' as const) : undefined,
      }));
      return { name, key, value: given ?? key.usual, from: by === undefined ? [] : [by], set };
    }
    case 'checkpointRemote':
    case 'checkpointPushRemote':
      return readPlaceInForce(name, sources);
    case 'enabled':
      // What a person wishes for all repositories sets none of them up.
      if (!sources.layers.some((layer) => layer.name !== 'user'))
        return { ...ofAnyone(name, sources.layers, env), value: false, from: [NOT_SET_UP] };
      return ofAnyone(name, sources.layers, env);
    default:
      if (key.heard === 'all') return ofRules(name, sources.layers);
      if (key.heard === 'nobody')
        return { name, key, value: undefined, from: [], set: setIn(sources.layers, key, () => 'unused') };
      return ofAnyone(name, sources.layers, env);
  }
}

const setIn = (
  layers: readonly Layer[],
  key: Key,
  judge: (value: unknown) => Deaf | undefined = () => undefined,
): SetThere[] =>
  layers.flatMap((layer) => {
    const value = valueAt(layer.values, key);
    return value === undefined ? [] : { where: whereOf(layer), value, deaf: judge(value) };
  });

/** The last value that the reader of the key takes for one. */
function ofAnyone(name: KeyName, layers: readonly Layer[], env: NodeJS.ProcessEnv): InForce {
  const key: Key = KEYS[name];
  const { takes, usual } = key;
  const isHeard = (value: unknown): boolean => {
    if (takes?.kind === 'word') return isText(value);
    if (takes?.kind === 'number')
      return Number.isFinite(value) && (takes.least !== undefined || isTaken(takes, value));
    return isFlag(value);
  };
  const toValue = (value: unknown): unknown => {
    if (takes?.kind === 'number') return Math.max(takes.least ?? 0, value as number);
    if (takes?.kind !== 'word') return value;
    const word = takes.words === LOG_LEVELS ? parseLogLevel(value as string) : value;
    return takes.words.find((one) => one === word);
  };
  const judge = (value: unknown): Deaf | undefined =>
    isHeard(value) && toValue(value) !== undefined ? undefined : 'wrong';
  const set = setIn(layers, key, judge);
  const variable = key.variable === undefined ? undefined : env[key.variable];
  if (variable) set.push({ where: key.variable ?? '', value: variable, deaf: judge(variable) });
  // A variable that says nothing is passed over; a word that no release knows keeps those before it from being heard.
  const last = set.findLast(({ where, value, deaf }) => isHeard(value) && (where !== key.variable || !deaf));
  const value = last && toValue(last.value);
  return value === undefined
    ? { name, key, value: usual, from: [], set }
    : { name, key, value, from: last ? [last.where] : [], set };
}

function readPlaceInForce(name: 'checkpointRemote' | 'checkpointPushRemote', sources: Sources): InForce {
  const key: Key = KEYS[name];
  const places = listPlaces(name, sources);
  const last = places.at(-1);
  const isOpen = last !== undefined && !last.isOwn && readPushSettings(sources).proposal !== undefined;
  const set = places.map((place): SetThere => {
    const isWrong = key.takes !== undefined && !isTaken(key.takes, place.value);
    const deaf = isWrong ? 'wrong' : place === last && isOpen ? 'proposal' : undefined;
    return { where: place.where, value: place.value, deaf };
  });
  if (last === undefined || set.at(-1)?.deaf) return { name, key, value: undefined, from: [], set };
  return { name, key, value: renderSetting(key.takes, last.value), from: [last.where], set };
}

/** What all files say adds up. */
function ofRules(name: KeyName, layers: readonly Layer[]): InForce {
  const key: Key = KEYS[name];
  const isWrong = (value: unknown): boolean => key.takes !== undefined && !isTaken(key.takes, value);
  const set = setIn(layers, key, (value) => (isWrong(value) ? 'wrong' : undefined));
  const heard = set.filter(({ deaf }) => deaf === undefined);
  if (key.takes?.kind === 'expressions') {
    const value = Object.assign({}, ...heard.map((one) => one.value as JsonObject)) as JsonObject;
    const isNone = Object.keys(value).length === 0;
    return {
      name,
      key,
      value: isNone ? undefined : value,
      from: isNone ? [] : heard.map(({ where }) => where),
      set,
    };
  }
  const sections = layers.map(({ values }) => valueAt(values, KEYS.redaction));
  const rules = parseRedaction(sections);
  const isOn = sections.some(
    (section) => isObject(section) && isObject(section.pii) && section.pii.enabled === true,
  );
  const value =
    { redactEmail: rules.email, redactPhone: rules.phone, redactAddress: rules.address }[name as string] ??
    isOn;
  return {
    name,
    key,
    value,
    from: heard.filter((one) => one.value === value).map(({ where }) => where),
    set,
  };
}
