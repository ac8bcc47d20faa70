import { join } from 'node:path';
import { allSetups } from '../../agents/setups.ts';
import { EntireError } from '../../base/errors.ts';
import { disk, makeTemporaryFolder, temporaryFolder } from '../../base/file/disk.ts';
import { readWorktreeText } from '../../base/file/small-file.ts';
import { isObject } from '../../base/text/json.ts';
import { locateRepo, type Repo } from '../../git/locate.ts';
import { readConfig } from '../../git/ref/refs.ts';
import { type Git, gitAt, gitFor, runGit } from '../../git/run.ts';
import { locateHooksFolder } from '../../hooks/git/hooks-folder.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE } from '../../settings/layers.ts';
import { listEntries } from '../clean/listing.ts';
import type { Patient } from '../patient.ts';
import { commitInScratch, PREFIX } from './scratch-git.ts';

/** A throw-away repository that stands for the examined one. */
export interface Scratch {
  /** All of it lies in here. */
  readonly dir: string;
  readonly repo: Repo;
  /** Runs the user's git hooks, as the user's git does. */
  readonly git: Git;
}

/**
 * Makes a repository of its own in the system's folder for temporary files: of the same format, with the settings of
 * the examined worktree and of its agents, and with `core.hooksPath` set to the very folder that git takes the
 * examined repository's hooks from. It shares no object, ref, index or record with it, so that nothing that is done here
 * can be seen there.
 */
export function makeScratch(patient: Patient): Scratch {
  sweep();
  const dir = makeTemporaryFolder(PREFIX);
  try {
    return fill(dir, patient);
  } catch (error) {
    removeScratch({ dir });
    throw error;
  }
}

/** So old is nothing that runs. */
const LEFT_MS = 24 * 60 * 60 * 1000;

/** Removes what a killed test of this user left. */
function sweep(): void {
  for (const { path, name, isFolder, ageMs } of listEntries(temporaryFolder())) {
    const isOurs = isFolder && name.startsWith(PREFIX) && ageMs > LEFT_MS;
    if (isOurs && disk.statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.())
      removeScratch({ dir: path });
  }
}

function fill(dir: string, patient: Patient): Scratch {
  const root = join(dir, 'repository');
  disk.mkdirSync(root);
  const outside = gitAt(root);
  runGit(outside, ['init', '--quiet', '--template=', ...formatOf(patient.git)]);
  for (const [key, value] of configuration(patient)) runGit(outside, ['config', key, value]);
  copySettings(patient, root);
  const repo = locateRepo(root, {});
  if (!repo) throw new EntireError('GIT_FAILED', `git made no repository in ${root}`);
  const git = gitFor(repo);
  commitInScratch(git, ['.'], ['--allow-empty', '-m', 'Begin the self-test'], { noHooks: true });
  return { dir, repo, git };
}

/** Objects and refs are kept as they are in the examined repository. */
function formatOf(git: Git): string[] {
  const config = readConfig(git, '^extensions\\.(objectformat|refstorage)$');
  const objects = config.get('extensions.objectformat');
  const refs = config.get('extensions.refstorage');
  return [...(objects ? [`--object-format=${objects}`] : []), ...(refs ? [`--ref-format=${refs}`] : [])];
}

/** The hooks are the user's. Nobody is asked for a passphrase, and nothing is started that outlives the test. */
const configuration = ({ repo }: Patient): readonly (readonly [string, string])[] => [
  ['core.hooksPath', locateHooksFolder(repo).dir],
  ['user.name', 'Entire self-test'],
  ['user.email', 'self-test@entire.invalid'],
  ['commit.gpgSign', 'false'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** As they stand, whatever they say; but nothing leaves this machine, and no model is asked for a summary. */
function copySettings({ repo, activation }: Patient, root: string): void {
  const from = 'root' in activation ? activation.root : repo.worktreeRoot;
  disk.mkdirSync(join(root, '.entire'));
  copyText(from, root, SETTINGS_FILE);
  const local = readWorktreeText(from, LOCAL_SETTINGS_FILE, 'settings');
  if (activation.kind !== 'not-set-up') disk.writeFileSync(join(root, LOCAL_SETTINGS_FILE), quietly(local));
  for (const { settings } of allSetups()) {
    disk.mkdirSync(join(root, settings.file, '..'), { recursive: true });
    copyText(repo.worktreeRoot, root, settings.file);
  }
}

function copyText(from: string, to: string, name: string): void {
  const text = readWorktreeText(from, name, 'settings');
  if (text !== undefined) disk.writeFileSync(join(to, name), text);
}

function quietly(local: string | undefined): string {
  try {
    const values: unknown = JSON.parse(local ?? '{}');
    if (!isObject(values)) return local ?? '{}';
    const options = isObject(values.strategy_options) ? values.strategy_options : {};
    const quiet = { ...options, push_sessions: false, summarize: { enabled: false } };
    return JSON.stringify({ ...values, strategy_options: quiet });
  } catch {
    return local ?? '{}'; // hooks are to stumble over it here as they do there
  }
}

/** Takes everything away. @throws the system error */
export function removeScratch({ dir }: Pick<Scratch, 'dir'>): void {
  disk.rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
}
