import { join, relative, resolve } from 'node:path';
import { EntireError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { type RepoPath, toRepoPath } from '../base/repo-path.ts';
import { counted } from '../base/text.ts';
import { physicalFile, type Repo, writtenFile } from '../git/locate.ts';
import { type ForkedConversation, forkConversation } from '../restore/conversation.ts';
import { hiddenBehind } from '../restore/hidden.ts';
import { concludeRewind } from '../restore/rewind-more.ts';
import {
  isOver,
  isUnfinished,
  listStepped,
  readStepsNow,
  recover,
  type SteppedSession,
  stepBack,
} from '../restore/step-back.ts';
import { keepsContents } from '../settings/snapshots.ts';
import type { Conclude } from '../snapshot/operation.ts';
import type { SnapshotRecord } from '../snapshot/record.ts';
import type { UndoPlan } from '../snapshot/undo.ts';
import type { Work } from '../strategy/work.ts';
import type { Command } from './command.ts';
import { outsideWorktree } from './messages.ts';
import { withProgress } from './progress.ts';
import { requireRepo } from './repo.ts';
import { quoteWord, renderResumeCommand } from './restored-logs-view.ts';
import { findNamed } from './session-choice.ts';
import { ago } from './status-view.ts';
import { commandBack, hasSteps, readStepsIfSound } from './step-sessions.ts';
import { canAsk, choose, plain, say, warn } from './terminal.ts';
import * as text from './undo-messages.ts';
import {
  describeStep,
  readOutcomes,
  renderRecovered,
  renderRecoveredJson,
  renderSteppedBack,
  renderSteppedBackJson,
  renderSteps,
  renderStepsJson,
} from './undo-view.ts';

const options = {
  steps: { type: 'number', describe: text.FLAGS.steps },
  session: { type: 'string', describe: text.FLAGS.session },
  files: { type: 'string', array: true, describe: text.FLAGS.files },
  'dry-run': { type: 'boolean', describe: text.FLAGS.dryRun },
  force: { type: 'boolean', describe: text.FLAGS.force },
  'files-only': { type: 'boolean', describe: text.FLAGS.filesOnly },
  conversation: { type: 'boolean', describe: text.FLAGS.conversation },
  list: { type: 'boolean', describe: text.FLAGS.list },
  continue: { type: 'boolean', describe: text.FLAGS.continue },
  abort: { type: 'boolean', describe: text.FLAGS.abort },
  json: { type: 'boolean', describe: text.FLAGS.json },
} as const;

/** `entire undo` and `entire redo`: the same thing in two directions. */
export function stepBackCommand(direction: 'undo' | 'redo'): Command {
  return {
    options,
    completes: { files: 'file' },
    async run(given) {
      const flags = given as unknown as Flags;
      const repo = await requireRepo(direction);
      const { steps = 1, files, force, json, 'dry-run': dryRun } = flags;
      refuseContradictions(flags, steps, direction);
      const request = {
        direction,
        steps,
        paths: (files ?? []).flatMap((file) => toPaths(repo, file)),
        isForced: force ?? false,
      };
      const session = await chooseSession(repo, flags, direction).catch((error) => explainOff(repo, error));
      if (flags.continue || flags.abort)
        return finish(repo, session, flags.abort ? 'abort' : 'continue', json ?? false);
      if (flags.list) {
        const history = await readStepsNow(repo, session);
        const hidden = hiddenIn(repo, session, history.standing.at(-1)?.record);
        return say(json ? renderStepsJson(session, history) : plain(renderSteps(history, hidden)));
      }
      const isDryRun = dryRun ?? false;
      let forked: ForkedConversation | undefined;
      const onPlanned = ({ steps: turns }: UndoPlan): void => {
        const isAsked = flags.steps !== undefined || request.paths.length > 0 || direction === 'redo';
        if (!isAsked) refuseHidden(repo, session, turns[0]);
        if (flags.conversation) forked = forkConversation(repo, session, turns.at(-1) as SnapshotRecord);
      };
      const options = { isDryRun, conclude: takeBackMore, onPlanned };
      const result = await withProgress(({ step: onProgress }) =>
        stepBack(repo, session, { ...request, onProgress }, options),
      ).catch((error) => explainOff(repo, error));
      say(
        json
          ? renderSteppedBackJson(session, result, isDryRun, forked)
          : plain(
              renderSteppedBack(result, request, isDryRun, {
                hidden: direction === 'undo' ? hiddenIn(repo, session, result.plan.steps[0]) : undefined,
                commandBack: () => commandBack(repo, session, direction),
              }),
            ),
      );
      if (forked && !json) say(`\n${text.forked(renderResumeCommand(forked))}`);
      const left = readOutcomes(result).filter(({ outcome }) => outcome === 'left');
      if (left.length > 0 && !isDryRun)
        throw leftAsTheyWere(
          left.map((line) => ({
            ...line,
            path: relative(process.cwd(), join(repo.worktreeRoot, line.path)),
          })),
          direction,
        );
    },
  };
}

/** What the session did behind its last step, in words. */
function hiddenIn(repo: Repo, session: SessionId, last: SnapshotRecord | undefined): string | undefined {
  const hidden = last && hiddenBehind(repo, session, last);
  return hidden && text.HIDDEN[hidden];
}

/** Nobody takes back what was done earlier since what was done last is not kept. */
function refuseHidden(repo: Repo, session: SessionId, last: SnapshotRecord | undefined): void {
  const hidden = last && hiddenBehind(repo, session, last);
  if (hidden)
    throw new EntireError('NOTHING_TO_UNDO', text.LAST_IS_HIDDEN[hidden], {
      hint: text.undoBehindHidden(describeStep(last)),
    });
}

/** Where there is nothing because nothing is kept, it says so. */
function explainOff(repo: Repo, error: unknown): never {
  const isNothing = error instanceof EntireError && /^NOT(HING_TO_UNDO|_FOUND)$/.test(error.code);
  if (isNothing && !keepsContents(repo))
    throw new EntireError(error.code, error.message, { hint: text.OFF_HINT });
  throw error;
}

/** What a rewind changed beside files goes along. */
const takeBackMore = (work: Work): Conclude => concludeRewind(work, (sentence) => warn(sentence));

interface Flags {
  readonly steps?: number;
  readonly session?: string;
  readonly files?: readonly string[];
  readonly 'dry-run'?: boolean;
  readonly force?: boolean;
  readonly 'files-only'?: boolean;
  readonly conversation?: boolean;
  readonly list?: boolean;
  readonly continue?: boolean;
  readonly abort?: boolean;
  readonly json?: boolean;
}

function refuseContradictions(flags: Flags, steps: number, direction: 'undo' | 'redo'): void {
  const { continue: goOn, abort, list } = flags;
  if (flags['files-only'] && flags.conversation) throw new EntireError('BAD_FLAGS', text.EITHER_OR);
  if (flags.conversation && direction === 'redo') throw new EntireError('BAD_FLAGS', text.UNDO_ONLY);
  if (!Number.isSafeInteger(steps) || steps < 1) throw new EntireError('BAD_FLAGS', text.BAD_STEPS);
  if ([goOn, abort, list].filter(Boolean).length > 1) throw new EntireError('BAD_FLAGS', text.ONE_OF_THESE);
}

/** A link stands for itself, and for the file behind it, which is what an edit through it wrote. */
function toPaths(repo: Repo, file: string): RepoPath[] {
  const path = file === '' ? undefined : toRepoPath(repo.worktreeRoot, physicalFile(resolve(file)));
  if (path === undefined) throw new EntireError('NOT_FOUND', outsideWorktree(file));
  const behind = toRepoPath(repo.worktreeRoot, writtenFile(resolve(file)));
  return behind === undefined || behind === path ? [path] : [path, behind];
}

function leftAsTheyWere(
  left: readonly { readonly path: string; readonly isForceable: boolean }[],
  direction: 'undo' | 'redo',
): EntireError {
  const message = `${counted(left.length, 'file')} left as ${left.length === 1 ? 'it is' : 'they are'}.`;
  const names = left.flatMap(({ path, isForceable }) => (isForceable ? quoteWord(path) : []));
  if (names.length === 0)
    return new EntireError('UNDO_CONFLICT', message, {
      hint: 'The list says why of each. Put that right, and run the command again.',
    });
  return new EntireError('UNDO_CONFLICT', message, {
    hint:
      direction === 'undo'
        ? `\`entire undo --files ${names.join(' ')} --force\` takes the earlier version all the same; what is there now is kept.`
        : '`entire redo --force` takes the other version all the same; what is there now is kept.',
  });
}

/** The session that is meant: the one that is named, or the only one; else somebody is asked. */
async function chooseSession(repo: Repo, flags: Flags, direction: 'undo' | 'redo'): Promise<SessionId> {
  const known = listStepped(repo);
  if (flags.session !== undefined) {
    const ids = known.map(({ id }) => id);
    return findNamed(ids, flags.session, {
      unknown: text.unknownSession(flags.session),
      hint: text.NOTHING_HINT,
    });
  }
  const waiting = flags.continue || flags.abort ? known.filter(({ id }) => isUnfinished(repo, id)) : known;
  const able =
    waiting.length > 1 && !(flags.continue || flags.abort)
      ? waiting.filter(({ id }) => hasSteps(repo, id, flags.list ? 'undo' : direction, flags.force))
      : waiting;
  const [only] = able;
  if (!only)
    throw new EntireError(
      'NOTHING_TO_UNDO',
      flags.continue || flags.abort ? text.NOT_INTERRUPTED : text.nothing(direction),
      {
        hint: text.NOTHING_HINT,
      },
    );
  if (able.length === 1) return only.id;
  // The newest is first: what was done last is meant, where nobody else is at work.
  const others = able.slice(1);
  const isFinishing = flags.continue || flags.abort;
  if (!isFinishing && others.every((session) => isOver(repo, session))) {
    // The same call for the other one: who looks is not told how to change files.
    const look = `${flags.list ? ' --list' : ''}${flags['dry-run'] ? ' --dry-run' : ''}`;
    warn(text.otherIsOver(only.id, `entire ${direction}${look} --session ${others[0]?.id}`));
    return only.id;
  }
  const choices = able.map((session) => ({ value: session.id, label: describe(repo, session) }));
  if (!canAsk())
    throw new EntireError(
      'BAD_FLAGS',
      `${text.SEVERAL_SESSIONS}\n${choices.map(({ label }) => `  ${label}`).join('\n')}`,
      {
        hint: `Say which: entire ${direction} --session ${only.id}`,
      },
    );
  const chosen = await choose(text.WHICH_SESSION, choices);
  if (chosen === undefined) throw new EntireError('NOTHING_TO_UNDO', text.CANCELLED);
  return chosen;
}

function describe(repo: Repo, { id, lastMs }: SteppedSession): string {
  const last = readStepsIfSound(repo, id)?.standing.at(-1)?.record.subject;
  return `${id}  ${ago(new Date(lastMs).toISOString())}${last ? `  ${last}` : ''}`;
}

async function finish(
  repo: Repo,
  session: SessionId,
  how: 'continue' | 'abort',
  isJson: boolean,
): Promise<void> {
  const { left } = await withProgress(() => recover(repo, session, how, takeBackMore));
  say(isJson ? renderRecoveredJson(session, how, left) : plain(renderRecovered(how, left)));
  if (left.size > 0) throw new EntireError('UNDO_CONFLICT', `${counted(left.size, 'file')} left.`);
}
