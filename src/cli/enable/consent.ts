import type { Repo } from '../../git/locate.ts';
import { addOwnConfig, writeOwnConfig } from '../../git/own-config.ts';
import { hideCredentials } from '../../git/remote/remotes.ts';
import { gitFor } from '../../git/run.ts';
import { findTracked } from '../../git/worktree/tracked.ts';
import { type OpenSources, openSources } from '../../hooks/agent/sources.ts';
import { AGREED_REMOTE, KEYS, SHOWN_PLACE, valueAt } from '../../settings/keys.ts';
import { LOCAL_SETTINGS_FILE, readLayers, SETTINGS_FILE } from '../../settings/layers.ts';
import { type PushSettings, type PushTo, readPushSettings } from '../../settings/push.ts';
import { editSettingsFile } from '../../settings/settings-file.ts';
import { judgeConsent } from '../../sync/consent.ts';
import { STAYS_LOCAL } from '../messages.ts';
import * as text from '../push/leaving-text.ts';
import { type PushPlace, readPushPlace } from '../push/place.ts';
import { canAsk, confirm, plain, say, warn } from '../ui/terminal.ts';

/** What the person at this clone decides about session logs. */
export interface PushChoice {
  /** `undefined`: what was decided before stands. */
  readonly answer: boolean | undefined;
  /** Nobody was there to ask. */
  readonly isDefault: boolean;
  /** What the answer is about. */
  readonly settings: PushSettings;
}

/** Whether it has been decided, about the place that the repository asks for now, and that pushes go to. */
export function isDecided(repo: Repo): boolean {
  const sources = openSources(repo);
  return isFor(repo, sources, readPushSettings(sources));
}

function isFor(repo: Repo, sources: OpenSources, settings: PushSettings): boolean {
  const consent = judgeConsent(settings);
  if (consent !== 'yes') return consent === 'no'; // git is not asked where to
  return judgeConsent(settings, readPushPlace(repo, sources, settings).unseen) === 'yes';
}

/**
 * Takes the answer from a flag, or asks whoever sits at the terminal; `--agent` is for scripts, which are not asked. Where
 * nobody says anything the answer is no, whatever the repository says.
 */
export async function choosePush(
  repo: Repo,
  { push: flag, pushTo }: { readonly push: boolean | undefined; readonly pushTo: PushTo | undefined },
  isScript: boolean,
): Promise<PushChoice> {
  const sources = openSources(repo);
  const settings = readPushSettings(sources);
  const choice = (answer: boolean | undefined, isDefault = false) => ({ answer, isDefault, settings });
  if (flag !== undefined) return choice(flag);
  if (isFor(repo, sources, settings)) return choice(undefined);
  const place = namePlace(readPushPlace(repo, sources, settings));
  if (!isScript && canAsk())
    return choice(await confirm(text.pushQuestion(plain(place), pushTo ?? settings.pushTo)));
  // A yes for another place stays what it is, and is for that place.
  return choice(settings.permission.given === true ? undefined : false, true);
}

/** Where session logs would go, for people to say yes to. */
function namePlace({ to, urls }: PushPlace): string {
  if ('none' in to) return text.NO_PLACE[to.none];
  const [label, url] = [hideCredentials(to.label), urls.join(', ')];
  return label === url ? url : `${label} (${url})`;
}

/**
 * Writes the answer down where every worktree of this clone finds it, and beside the settings, where v0.4.4 does. A local file
 * that git has is left alone: it is not the person's.
 *
 * @param isForAll the person wants it said in the file that is shared: a no for everybody, or no such no any more
 * @throws {EntireError} `GIT_FAILED`
 */
export function savePush(repo: Repo, { answer, isDefault, settings }: PushChoice, isForAll: boolean): void {
  if (answer !== undefined) {
    const git = gitFor(repo);
    if (answer && settings.proposal)
      writeOwnConfig(git, AGREED_REMOTE, settings.proposal.wanted || undefined);
    writeOwnConfig(git, KEYS.pushSessions.git, String(answer));
    const sources = openSources(repo);
    if (answer) addOwnConfig(git, SHOWN_PLACE, readPushPlace(repo, sources, settings).urls);
    else writeOwnConfig(git, SHOWN_PLACE, undefined);
    const tracked = findTracked(git, [SETTINGS_FILE, LOCAL_SETTINGS_FILE]);
    if (isForAll || (answer && !tracked.has(SETTINGS_FILE))) sayForAll(repo, answer);
    if (tracked.has(LOCAL_SETTINGS_FILE)) warn(text.LOCAL_IS_SHARED);
    else write(repo, LOCAL_SETTINGS_FILE, answer);
  }
  const sources = openSources(repo);
  const now = readPushSettings(sources);
  const place = readPushPlace(repo, sources, now);
  const isYes = judgeConsent(now, place.unseen) === 'yes';
  if (answer && isYes) say(`\n${text.goesAlong(plain(namePlace(place)))}`);
  else if (answer) warn(`Warning: ${plain(text.staysFor(now, place.unseen))}`);
  else if (answer === undefined && isDefault) say(`\n${plain(text.staysFor(now, place.unseen))}`);
  else if (isDefault) say(`\n${STAYS_LOCAL}`);
}

/** A shared file can only forbid, so that a yes takes its no away. */
function sayForAll(repo: Repo, answer: boolean): void {
  const layer = readLayers(repo.worktreeRoot).find(({ name }) => name === 'project');
  const now = valueAt(layer?.values, KEYS.pushSessions);
  if (answer ? now === false : layer !== undefined) write(repo, SETTINGS_FILE, answer ? null : false);
}

const write = (repo: Repo, file: string, value: boolean | null): void => {
  editSettingsFile(repo.worktreeRoot, file, [{ path: KEYS.pushSessions.path, value }]);
};
