import { describeError } from '../../base/errors.ts';
import { findStuck, type StuckSession } from '../../doctor/examine/stuck.ts';
import { condenseStuck, discardStuck } from '../../doctor/examine/treat-stuck.ts';
import { endStuckTurn } from '../../doctor/fix/end-turn.ts';
import type { Patient } from '../../doctor/patient.ts';
import { describeStep } from '../reset/text.ts';
import { withProgress } from '../ui/progress.ts';
import { choose, plain, warn } from '../ui/terminal.ts';
import * as text from './text.ts';
import type { DoctorReport, StuckAction } from './view.ts';

/** How stuck sessions are treated. */
interface Manner {
  readonly force: boolean;
  /** End turns that never ended, and leave the rest. */
  readonly fix: boolean;
  readonly ask: boolean;
  readonly print: (line: string) => void;
}

/** Shows each stuck session and does what was chosen. Ctrl-C at a question leaves the rest as it is. */
export async function treatStuck(patient: Patient, manner: Manner): Promise<DoctorReport['stuck']> {
  const { print, force, fix, ask } = manner;
  const stuck = findStuck(patient, patient.states().states);
  print(stuck.length === 0 ? text.NO_STUCK_SESSIONS : text.stuckSessions(stuck.length));
  const treated: { session: StuckSession; action: StuckAction }[] = [];
  let goOn = true;
  for (const session of stuck) {
    print(text.describeStuck(session));
    const mayAsk: boolean = ask && goOn;
    const wish: Wish | undefined = force
      ? byForce(session)
      : fix
        ? byFix(session)
        : mayAsk
          ? await askFor(session)
          : 'none';
    goOn &&= wish !== undefined;
    treated.push({ session, action: await treat(patient, session, wish ?? 'none', print) });
  }
  if (stuck.length > 0 && !force && !ask) print(text.STUCK_HINT);
  return treated;
}

type Wish = keyof typeof text.CHOICES | 'end' | 'none';

const byForce = ({ canCondense }: StuckSession): Wish => (canCondense ? 'condense' : 'discard');

/** One that is over has no turn to end; its steps wait for a decision. */
const byFix = ({ reason }: StuckSession): Wish => (reason.kind === 'uncondensed' ? 'none' : 'end');

const askFor = ({ state, canCondense }: StuckSession): Promise<Wish | undefined> =>
  choose(
    plain(text.fixQuestion(state.sessionId)),
    (['condense', 'discard', 'skip'] as const)
      .filter((value) => value !== 'condense' || canCondense)
      .map((value) => ({ value, label: text.CHOICES[value] })),
  );

async function treat(
  patient: Patient,
  session: StuckSession,
  wish: Wish,
  print: (line: string) => void,
): Promise<StuckAction> {
  const { sessionId } = session.state;
  if (wish === 'none') {
    print('');
    return 'none';
  }
  if (wish === 'skip') {
    print(text.SKIPPED);
    return 'none';
  }
  const { act, action, failed, done } = TREATMENTS[wish];
  try {
    const result = await withProgress(async (progress) => {
      progress.step(text.treating(wish, sessionId));
      return await act(patient, session);
    });
    print(result === false ? text.LEFT : done(sessionId));
    if (typeof result === 'object') print(plain(describeStep(result)));
    return result === false ? 'none' : action;
  } catch (error) {
    warn(plain(failed(sessionId, describeError(error))));
    return 'failed';
  }
}

const TREATMENTS = {
  condense: { act: condenseStuck, action: 'condensed', done: text.condensed, failed: text.condenseFailed },
  discard: { act: discardStuck, action: 'discarded', done: text.discarded, failed: text.discardFailed },
  end: { act: endStuckTurn, action: 'turn-ended', done: text.turnEnded, failed: text.turnNotEnded },
} as const;
