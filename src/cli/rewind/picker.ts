import { describeError, EntireError } from '../../base/errors.ts';
import { parseSessionId } from '../../base/ids.ts';
import { gitFor } from '../../git/run.ts';
import type { Branch } from '../../history/branch.ts';
import type { RewindPoint, StepPoint } from '../../restore/points.ts';
import { previewStep } from '../../restore/rewind/rewind.ts';
import { changesOfRewind } from '../../restore/would-change.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { showPreviews } from '../diff/show.ts';
import { interact } from '../ui/interact.ts';
import { oneLine, warn } from '../ui/terminal.ts';
import {
  BEGIN,
  groupPoints,
  type PickerState,
  type Pressed,
  pointAt,
  press,
  type SessionFacts,
} from './picker-state.ts';
import { layOut, renderPicker, type Seen } from './picker-view.ts';
import { lookAtPoint } from './point-preview.ts';
import { previewResetBranch } from './reset.ts';
import { renderWhole } from './to.ts';
import { renderDryRun } from './view.ts';

/** A point is looked at when the cursor has rested on it for so long. */
const REST_MS = 120;

/** Lets somebody choose a point at a terminal, who sees what each comes to; `undefined` when they would rather not. */
export async function pickPoint(
  branch: Branch,
  points: readonly RewindPoint[],
  isSessionOnly: boolean,
): Promise<RewindPoint | undefined> {
  const groups = groupPoints(points, (point) => sessionOf(branch, point));
  const seen = new Map<string, Seen>(); // to look takes long: what is known stays known behind a diff
  let state: PickerState = BEGIN;
  for (;;) {
    let eyes: Eyes | undefined;
    const pressed = await interact<Exclude<Pressed, { kind: 'state' }>>((redraw) => {
      const open = openEyes(branch, isSessionOnly, seen, redraw);
      eyes = open;
      return {
        draw(room) {
          const point = pointAt(groups, state);
          return renderPicker(groups, state, point && open.at(point), room);
        },
        press(key, room) {
          const next = press(groups, state, key, layOut(room, points.length + groups.length).list);
          if (next.kind !== 'state') return { answer: next };
          state = next.state;
          return undefined;
        },
      };
    });
    await eyes?.close();
    if (!pressed || pressed.kind === 'cancel') return undefined;
    if (pressed.kind === 'choose') return pressed.point;
    state = pressed.state;
    await showDiff(branch, pressed.point, isSessionOnly);
  }
}

/** Its agent, and its first prompt: a step knows the prompts since the last commit. */
function sessionOf({ repo }: Branch, point: RewindPoint): SessionFacts {
  const id = parseSessionId(point.sessionId);
  const state = id && readStateIfReadable(sessionsDir(repo.commonDir), id);
  const stored = point.kind === 'commit' ? point.checkpoint.slots.at(-1)?.metadata.agent : undefined;
  return {
    agent: oneLine(state?.agentType || stored || ''),
    prompt: oneLine(state?.firstPrompt || point.sessionPrompt),
  };
}

interface Eyes {
  /** What is known of a point; looks at it where nothing is, once the cursor rests there. */
  at(point: RewindPoint): Seen;
  /** Looks at nothing more. Resolves when nothing is looked at any longer. */
  close(): Promise<void>;
}

/** Each point is looked at once, one after the other, and only where the cursor still is. */
function openEyes(branch: Branch, isSessionOnly: boolean, seen: Map<string, Seen>, redraw: () => void): Eyes {
  let under: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async (point: RewindPoint): Promise<void> => {
    if (under !== point.id || seen.has(point.id)) return;
    // Who chooses it is told the same, and what to do.
    const failed = (error: unknown): string => oneLine(describeError(error));
    const found = await lookAtPoint(branch, point, isSessionOnly).catch(failed);
    seen.set(point.id, found);
    if (under === point.id) redraw();
  };
  return {
    at(point) {
      if (under !== point.id) {
        under = point.id;
        clearTimeout(timer);
        const start = (): void => {
          looking = looking.then(() => look(point));
        };
        if (!seen.has(point.id)) timer = setTimeout(start, REST_MS);
      }
      return seen.get(point.id);
    },
    async close() {
      clearTimeout(timer);
      under = undefined;
      await looking;
    },
  };
}

/** What `rewind --to <point> --diff` shows; of a commit, what moving the branch there would change. */
async function showDiff(branch: Branch, point: RewindPoint, isSessionOnly: boolean): Promise<void> {
  const { LESS } = process.env;
  // Git lets less end at once where all fits on the screen: the list would push it away.
  process.env.LESS = LESS ?? 'R';
  try {
    if (point.kind === 'step') await showStepDiff(branch, point, isSessionOnly);
    else await previewResetBranch({ ...branch, git: gitFor(branch.repo) }, point, true);
  } catch (error) {
    if (!(error instanceof EntireError)) throw error;
    warn(oneLine(error.message));
  } finally {
    if (LESS === undefined) delete process.env.LESS;
  }
  process.exitCode = 0; // a pager that was stopped ends nothing
}

/** With all that is said of it in the pager, and nothing above the list. */
async function showStepDiff(branch: Branch, point: StepPoint, isSessionOnly: boolean): Promise<void> {
  const preview = await previewStep(branch, point, { isSessionOnly });
  const message = `${renderWhole(branch, point, preview)}\n${renderDryRun(preview)}`.trim();
  const changes = changesOfRewind(branch.repo, preview);
  await showPreviews(branch.repo, [{ session: preview.sessionId, message, changes }]);
}
