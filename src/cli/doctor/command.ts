import { EntireError } from '../../base/errors.ts';
import { openLog } from '../../base/log.ts';
import { examine } from '../../doctor/examine/examine.ts';
import type { Finding } from '../../doctor/examine/finding.ts';
import { repairAll } from '../../doctor/fix/fix.ts';
import { openPatient, type Patient } from '../../doctor/patient.ts';
import { defineCommand } from '../command.ts';
import { exclusive } from '../messages.ts';
import { type Progress, withProgress } from '../ui/progress.ts';
import { requireRepo } from '../ui/repo.ts';
import { canAsk, plain, say } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { renderOutcome, renderSelfTestJson, renderStep } from './self-test.ts';
import { treatStuck } from './stuck.ts';
import {
  type DoctorReport,
  isHealthy,
  renderDoctorJson,
  renderFinding,
  renderRepair,
  renderSum,
  TONES,
} from './view.ts';

export const doctorCommand = defineCommand({
  options: {
    fix: { type: 'boolean', describe: 'Repair what can be repaired without losing anything' },
    force: {
      type: 'boolean',
      alias: 'f',
      describe:
        'Fix stuck sessions without asking: store them as checkpoints where that is possible, else discard',
    },
    'self-test': {
      type: 'boolean',
      describe: 'Play a session with the hooks of this worktree, in a repository that is thrown away',
    },
    json: { type: 'boolean', describe: 'Print what was found as JSON' },
  },

  async run({ fix = false, force = false, json = false, 'self-test': isTest }) {
    const other = fix ? 'fix' : force ? 'force' : undefined;
    if (isTest && other) throw new EntireError('BAD_FLAGS', exclusive('self-test', other));
    const patient = openPatient(await requireRepo('doctor'));
    if (isTest) return selfTest(patient, json);
    // A mere look leaves no line in the log.
    if ((fix || force) && patient.activation.kind === 'enabled')
      openLog(patient.activation.root, patient.activation.logLevel, { component: 'doctor' });
    const print = json ? () => {} : (line: string) => say(plain(line));
    const stuck = await treatStuck(patient, { force, fix, ask: !json && !fix && canAsk(), print });
    const report = { stuck, findings: await withProgress((progress) => findAll(patient, fix, progress)) };
    if (json) say(renderDoctorJson(report));
    else printFindings(report);
    if (!isHealthy(report)) process.exitCode = 1;
  },
});

/** Examines, and with `fix` repairs and looks again: what is still found is not repaired. */
async function findAll(
  patient: Patient,
  fix: boolean,
  progress: Progress,
): Promise<DoctorReport['findings']> {
  const look = (): Promise<Finding[]> =>
    examine(openPatient(patient.repo), (name, done, total) =>
      progress.step(`Looking at ${name}`, done, total),
    );
  const before = await look();
  if (!fix) return before.map((finding) => ({ finding, repair: undefined }));
  progress.step('Repairing');
  const treated = await repairAll(patient, before);
  const after = await look();
  const isLeft = ({ code, items }: Finding): boolean =>
    after.some(
      (finding) =>
        finding.code === code && (items.length === 0 || finding.items.some((item) => items.includes(item))),
    );
  const known = before.flatMap((finding): DoctorReport['findings'] => {
    const treatment = treated.find((one) => one.finding === finding);
    // What another one's repair has put right needs none.
    if (!treatment)
      return after.some(({ code }) => code === finding.code) ? [{ finding, repair: undefined }] : [];
    const { deeds, hasFailed, isFixed } = treatment;
    // One that was repaired and is found again was not.
    const isBack = isFixed && isLeft(finding);
    return [{ finding, repair: { done: isFixed && !isBack, failed: hasFailed || isBack, deeds } }];
  });
  const fresh = after.filter(({ code }) => !before.some((finding) => finding.code === code));
  return [...known, ...fresh.map((finding) => ({ finding, repair: undefined }))];
}

async function selfTest(patient: Patient, asJson: boolean): Promise<void> {
  const { runSelfTest } = await import('../../doctor/self-test/run.ts');
  const report = await runSelfTest(patient, (result) => asJson || say(plain(renderStep(result))));
  say(asJson ? renderSelfTestJson(report) : plain(renderOutcome(report)));
  if (report.steps.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
}

function printFindings(report: DoctorReport): void {
  const { stuck, findings } = report;
  if (stuck.length === 0 && findings.length > 0) say();
  for (const { finding, repair } of findings) {
    say(tinted(plain(renderFinding(finding)), TONES));
    if (repair) say(plain(renderRepair(repair)));
    say();
  }
  say(tinted(renderSum(report), TONES));
}
