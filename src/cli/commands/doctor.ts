import { describeError } from '../../base/errors.ts';
import { openLog } from '../../base/log.ts';
import { examine } from '../../doctor/examine.ts';
import { openPatient, type Patient } from '../../doctor/patient.ts';
import { findStuck, type StuckSession } from '../../doctor/stuck.ts';
import { condenseStuck, discardStuck } from '../../doctor/treat-stuck.ts';
import { listStates } from '../../session/state-store.ts';
import { choose } from '../choose.ts';
import { defineCommand } from '../command.ts';
import * as text from '../doctor-messages.ts';
import {
  type DoctorReport,
  renderDoctorJson,
  renderFinding,
  renderSum,
  type StuckAction,
} from '../doctor-view.ts';
import { withProgress } from '../progress.ts';
import { requireRepo } from '../repo.ts';
import { renderOutcome, renderSelfTestJson, renderStep } from '../self-test-view.ts';
import { canAsk, plain, say, warn } from '../terminal.ts';

export const doctorCommand = defineCommand({
  options: {
    force: {
      type: 'boolean',
      alias: 'f',
      describe: 'Fix stuck sessions without asking: condense them where that is possible, else discard',
    },
    'self-test': {
      type: 'boolean',
      describe: 'Play a session with the hooks of this worktree, in a repository that is thrown away',
    },
    json: { type: 'boolean', describe: 'Print what was found as JSON' },
  },

  async run(flags) {
    const patient = openPatient(await requireRepo('doctor'));
    if (patient.activation.kind === 'enabled') openLog(patient.activation.root, patient.activation.logLevel);
    if (flags['self-test']) return selfTest(patient, flags.json ?? false);
    const print = flags.json ? () => {} : (line: string) => say(plain(line));
    const stuck = await treatAll(patient, {
      force: flags.force ?? false,
      ask: !flags.json && canAsk(),
      print,
    });
    const findings = await withProgress((progress) =>
      examine(patient, (name, done, total) => progress.step(`Looking at ${name}`, done, total)),
    );
    const report: DoctorReport = {
      stuck,
      findings: findings.map((finding) => ({ finding, repair: undefined })),
    };
    if (flags.json) say(renderDoctorJson(report));
    else printFindings(report);
    const isBad = findings.some(({ severity }) => severity === 'error');
    if (isBad || stuck.some(({ action }) => action === 'failed')) process.exitCode = 1;
  },
});

async function selfTest(patient: Patient, asJson: boolean): Promise<void> {
  const { runSelfTest } = await import('../../doctor/self-test/run.ts');
  const report = await runSelfTest(patient, (result) => asJson || say(plain(renderStep(result))));
  say(asJson ? renderSelfTestJson(report) : plain(renderOutcome(report)));
  if (report.steps.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
}

function printFindings({ findings }: DoctorReport): void {
  for (const { finding } of findings) say(`${plain(renderFinding(finding))}\n`);
  say(renderSum(findings.map(({ finding }) => finding)));
}

interface Manner {
  readonly force: boolean;
  readonly ask: boolean;
  readonly print: (line: string) => void;
}

/** Shows each stuck session and does what was chosen. Ctrl-C at a question leaves the rest as it is. */
async function treatAll(patient: Patient, manner: Manner): Promise<DoctorReport['stuck']> {
  const { print, force, ask } = manner;
  const stuck = findStuck(patient.git, listStates(patient.work.sessions).states);
  print(stuck.length === 0 ? text.NO_STUCK_SESSIONS : text.stuckSessions(stuck.length));
  const treated: { session: StuckSession; action: StuckAction }[] = [];
  let goOn = true;
  for (const session of stuck) {
    print(text.describeStuck(session));
    const mayAsk: boolean = ask && goOn;
    const wish: Wish | undefined = force ? byForce(session) : mayAsk ? await askFor(session) : 'none';
    goOn &&= wish !== undefined;
    treated.push({ session, action: await treat(patient, session, wish ?? 'none', print) });
  }
  if (stuck.length > 0 && !force && !ask) print(text.STUCK_HINT);
  return treated;
}

type Wish = keyof typeof text.CHOICES | 'none';

const byForce = ({ canCondense }: StuckSession): Wish => (canCondense ? 'condense' : 'discard');

const askFor = ({ state, canCondense }: StuckSession): Promise<Wish | undefined> =>
  choose({
    title: plain(text.fixQuestion(state.sessionId)),
    options: (['condense', 'discard', 'skip'] as const)
      .filter((value) => value !== 'condense' || canCondense)
      .map((value) => ({ value, label: text.CHOICES[value] })),
  });

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
  const [act, done, failed] =
    wish === 'condense'
      ? [condenseStuck, text.condensed, text.condenseFailed]
      : [discardStuck, text.discarded, text.discardFailed];
  try {
    await act(patient, session);
    print(done(sessionId));
    return wish === 'condense' ? 'condensed' : 'discarded';
  } catch (error) {
    warn(plain(failed(sessionId, describeError(error))));
    return 'failed';
  }
}
