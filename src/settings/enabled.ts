import { basename, dirname } from 'node:path';
import { log } from '../base/log.ts';
import { KEYS, valueAt } from './keys.ts';
import { isFlag, isText, pick, readLayers } from './layers.ts';
import { CAUTIOUS, MISSING_RULES } from './salvage.ts';

/** What hooks need to know of the settings, from three small reads and without a schema library. */
export type Activation =
  | {
      readonly kind: 'enabled';
      readonly root: string;
      readonly logLevel: string | undefined;
      /** Git hooks name the executable by its path, for programs that start git with a bare PATH. */
      readonly absoluteGitHookPath: boolean;
      /** `prompt`: a commit with a ready message is linked only after a question. */
      readonly commitLinking: string | undefined;
      /** Contents of files are kept, so that `entire undo` can bring them back. */
      readonly keepsContents: boolean;
      /** Each commit gets a note for git-ai. */
      readonly writesGitAiNotes: boolean;
      /** Of commits without a record of ours notes of git-ai count. */
      readonly believesGitAiNotes: boolean;
      /** What a session read is noted, so that the agent can be told of its files after a compaction. */
      readonly remindsOfFiles: boolean;
      /** The sections of that name, as they stand in the files: `settings/redaction.ts` reads them. */
      readonly redaction: readonly unknown[];
      /** As the settings name it; `undefined` when they do not. */
      readonly strategy: string | undefined;
      /** Where it is not empty nothing is permitted that some file has to permit. */
      readonly refused: readonly RefusedSettings[];
    }
  | {
      readonly kind: 'disabled';
      readonly root: string;
      readonly redaction: readonly unknown[];
      readonly refused: readonly RefusedSettings[];
    }
  | { readonly kind: 'not-set-up' };

/** A settings file that is not heard, and why. */
export interface RefusedSettings {
  /** Absolute. */
  readonly file: string;
  readonly reason: string;
  /** Rules of redaction that it may have are not applied, for nobody knows them. */
  readonly lacksRules: boolean;
}

/**
 * Says whether hooks may act in a worktree. `root` is where the settings were found.
 *
 * A linked worktree without settings of its own follows the main worktree: git hooks are shared by all of them,
 * and untracked settings do not travel with `git worktree add`. A file that cannot be read permits nothing, and stops no
 * recording: what another file refuses stays refused, and so does what its own text still seems to refuse, for a typo must not
 * switch on what somebody switched off.
 */
export function readActivation(repo: {
  worktreeRoot: string;
  gitDir: string;
  commonDir: string;
}): Activation {
  const here = readAt(repo.worktreeRoot);
  if (here.kind !== 'not-set-up' || repo.gitDir === repo.commonDir) return here;
  // Of a bare repository, or of one whose git folder lies elsewhere: what is around that folder is not theirs.
  if (basename(repo.commonDir) !== '.git') return here;
  return readAt(dirname(repo.commonDir));
}

function readAt(root: string): Activation {
  const layers = readLayers(root);
  // What a person wishes for all repositories sets none of them up.
  if (!layers.some(({ name }) => name !== 'user')) return { kind: 'not-set-up' };
  const refused = layers.flatMap(({ file, problem, lacksRules = false }) =>
    problem === undefined ? [] : { file, reason: problem, lacksRules },
  );
  const redaction = layers
    .map(({ values }) => valueAt(values, KEYS.redaction))
    .filter((section) => section !== undefined);
  // The rules of a file that is not heard may not be known: everything that rules of ours can find is replaced.
  if (refused.length > 0) redaction.push(CAUTIOUS);
  if (layers.some(({ lacksRules }) => lacksRules)) redaction.push(MISSING_RULES);
  if (!(pick(layers, KEYS.enabled, isFlag) ?? true)) return { kind: 'disabled', root, redaction, refused };
  return {
    ...{ kind: 'enabled', root, redaction, refused },
    logLevel: pick(layers, KEYS.logLevel, isText),
    absoluteGitHookPath: pick(layers, KEYS.absoluteGitHookPath, isFlag) ?? false,
    commitLinking: pick(layers, KEYS.commitLinking, isText),
    keepsContents: pick(layers, KEYS.snapshots, isFlag) ?? true,
    remindsOfFiles: pick(layers, KEYS.compaction, isFlag) ?? true,
    strategy: pick(layers, KEYS.strategy, isText),
    writesGitAiNotes: pick(layers, KEYS.gitAiNotes, isFlag) ?? false,
    believesGitAiNotes: pick(layers, KEYS.importGitAiNotes, isFlag) ?? false,
  };
}

/** Leaves in the log which settings are not heard; `entire status` and `entire doctor` look for themselves. */
export function noteRefused(activation: Activation): void {
  if (activation.kind === 'not-set-up') return;
  for (const { file, reason } of activation.refused)
    log('warn', 'settings are not read, and permit nothing', { file, error: reason });
}
