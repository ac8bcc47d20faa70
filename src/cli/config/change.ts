import { EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { openSources } from '../../hooks/agent/sources.ts';
import { type AskedKey, KEY_NAMES, KEY_WORDS } from '../../settings/config/find-key.ts';
import { type InForce, readInForce } from '../../settings/config/in-force.ts';
import { judgePlace, placeName, type SettingPlace } from '../../settings/config/places.ts';
import {
  describeTakes,
  parseTyped,
  renderSetting,
  type SettingValue,
} from '../../settings/config/typed-value.ts';
import { readActivation } from '../../settings/enabled.ts';
import { settingsRoot } from '../../settings/followed.ts';
import { nameOf } from '../../settings/keys.ts';
import { loadSettings } from '../../settings/settings.ts';
import { defineCommand, type FlagsOf } from '../command.ts';
import { exclusive } from '../messages.ts';
import { readLeaving } from '../push/leaving.ts';
import { sessionLogsLine } from '../push/leaving-text.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import { isLocalTracked, requireKey, requireReadable } from './setting.ts';
import * as text from './text.ts';
import { renderFrom, renderValue } from './view.ts';
import { changePlace, isSaidTwice, saysAlready, withSettingsLock } from './write.ts';

const places = {
  local: { type: 'boolean', describe: text.FLAGS.local },
  project: { type: 'boolean', describe: text.FLAGS.project },
  global: { type: 'boolean', describe: text.FLAGS.global },
} as const;

export const setCommand = defineCommand({
  positionals: {
    key: { type: 'string', demandOption: true, describe: text.FLAGS.key },
    value: { type: 'string', demandOption: true, describe: text.FLAGS.value },
  },
  options: places,
  completes: { key: KEY_NAMES },
  completesBehind: KEY_WORDS,
  examples: [
    'entire config set log_level debug',
    'entire config set strategy auto-commit --project',
    'entire config set entire.pushSessions false --global',
  ],
  async run({ key, value: typed, ...flags }) {
    const repo = await requireRepo('config');
    const asked = requireKey(key);
    const { takes } = asked.key;
    if (takes === undefined) throw new EntireError('BAD_FLAGS', text.REFUSED.unused(asked.spelling));
    const value = parseTyped(takes, typed, asked.path.length > asked.key.path.length);
    if (value === undefined)
      throw new EntireError('BAD_FLAGS', text.wrongValue(asked.spelling, typed, describeTakes(takes)));
    await change(repo, asked, value, flags);
  },
});

export const unsetCommand = defineCommand({
  positionals: { key: { type: 'string', demandOption: true, describe: text.FLAGS.key } },
  options: places,
  completes: { key: KEY_NAMES },
  examples: ['entire config unset log_level'],
  async run({ key, ...flags }) {
    const repo = await requireRepo('config');
    await change(repo, requireKey(key), undefined, flags);
  },
});

/** Sets a key in one place, or takes it away there, and says what holds then. */
async function change(
  repo: Repo,
  asked: AskedKey,
  value: SettingValue | undefined,
  flags: FlagsOf<typeof places>,
): Promise<void> {
  const chosen = choosePlace(flags);
  requireReadable(repo);
  const target = refuseDeaf(repo, asked, value, chosen);
  const place = chosen ?? 'local';
  const where = [
    placeName(target, place, process.env),
    ...(isSaidTwice(repo, target, place) ? [`git's ${target.key.git}`] : []),
  ].join(' and ');
  if (!target.isGits && place !== 'global' && readActivation(repo).kind === 'not-set-up')
    throw new EntireError('NOT_FOUND', text.NOT_SET_UP.message, { hint: text.NOT_SET_UP.hint });
  const followed = settingsRoot(repo);
  const told = renderSetting(asked.key.takes, value);
  const write = (): boolean => {
    if (saysAlready(repo, target, place, value)) return false;
    changePlace(repo, target, place, value);
    return true;
  };
  const isWritten = await withSettingsLock(repo, write, place);
  if (!isWritten)
    say(
      plain(
        value === undefined
          ? text.notSet(asked.spelling, where)
          : text.alreadySet(asked.spelling, told, where),
      ),
    );
  else if (value === undefined) say(plain(text.wasUnset(asked.spelling, where)));
  else say(plain(text.wasSet(asked.spelling, told, where)));
  if (settingsRoot(repo) !== followed) say(plain(text.adopted(followed)));
  tellResult(repo, asked, value);
}

function choosePlace({ local, project, global }: FlagsOf<typeof places>): SettingPlace | undefined {
  const chosen = Object.entries({ local, project, global }).flatMap(([name, isIt]) =>
    isIt ? (name as SettingPlace) : [],
  );
  const [first, second] = chosen;
  if (first && second) throw new EntireError('BAD_FLAGS', exclusive(first, second));
  return first;
}

/**
 * The key as it is to be written. Where nobody says where, and the local file is not heard, it goes into git's configuration.
 *
 * @throws {EntireError} `BAD_FLAGS` where it would not be heard
 */
function refuseDeaf(
  repo: Repo,
  asked: AskedKey,
  value: SettingValue | undefined,
  chosen: SettingPlace | undefined,
): AskedKey {
  const around = {
    ...{ root: repo.worktreeRoot, sources: openSources(repo), env: process.env },
    isLocalTracked: () => isLocalTracked(repo),
  };
  const isUnset = value === undefined;
  const refusal = judgePlace(asked, value, chosen ?? 'local', around);
  if (refusal === undefined || (isUnset && refusal !== 'not-shared')) return asked;
  if (chosen === undefined && asked.key.git !== undefined && refusal === 'shared-local')
    return { ...asked, spelling: asked.key.git, isGits: true };
  const isHeard = asked.key.heard !== 'nobody';
  throw new EntireError('BAD_FLAGS', text.REFUSED[refusal](asked.spelling), {
    ...(isHeard && { hint: text.heardFrom(nameOf(asked.key), asked.key.git) }),
  });
}

/** What holds now: plainly where it is something else than was asked for. */
function tellResult(repo: Repo, asked: AskedKey, value: SettingValue | undefined): void {
  try {
    loadSettings(settingsRoot(repo));
  } catch (error) {
    if (!(error instanceof EntireError)) throw error;
    return warn(plain(`Warning: ${error.message}`)); // another key of a file holds what no setting is
  }
  const now = readInForce(asked.name, openSources(repo));
  const [held, from] = [renderValue(now), renderFrom(now)];
  const isProposal = now.set.at(-1)?.deaf === 'proposal'; // the line about session logs says it
  if (value === undefined && asked.key.takes) say(plain(text.inForce(held, from)));
  else if (value !== undefined && !isProposal && !isInForce(now, asked, value))
    warn(plain(text.stillInForce(held, from)));
  if (asked.key.may.includes('data leaves') && asked.name !== 'summarize')
    say(plain(`  ${sessionLogsLine(readLeaving(repo))}`));
}

function isInForce({ key, value: held }: InForce, { path }: AskedKey, value: SettingValue): boolean {
  const label = path[key.path.length];
  const now = label === undefined ? held : (held as Record<string, unknown> | undefined)?.[label];
  return renderSetting(key.takes, now) === renderSetting(key.takes, value);
}
