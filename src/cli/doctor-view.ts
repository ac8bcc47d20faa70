import { counted } from '../base/text.ts';
import type { Finding, Severity } from '../doctor/finding.ts';
import type { StuckSession } from '../doctor/stuck.ts';
import { describeFinding } from './doctor-findings.ts';
import { stuckReason } from './doctor-messages.ts';
import { renderJson } from './json-output.ts';

/** What was done about a finding. */
export interface Repair {
  readonly done: boolean;
  /** What was done, or why nothing was. */
  readonly text: string;
}

/** Everything `entire doctor` found, and what became of it. */
export interface DoctorReport {
  readonly stuck: readonly { readonly session: StuckSession; readonly action: StuckAction }[];
  readonly findings: readonly { readonly finding: Finding; readonly repair: Repair | undefined }[];
}

export type StuckAction = 'none' | 'condensed' | 'discarded' | 'failed';

const SIGNS: Readonly<Record<Severity, string>> = { error: '✕', warning: '!', info: '○' };
/** So many items are listed; the rest is counted. */
const ITEMS_SHOWN = 10;
export const HEALTHY = '✓ No problems found.';

/** One finding for people. */
export function renderFinding(finding: Finding): string {
  const { title, meaning, hint } = describeFinding(finding);
  const more = finding.items.length - ITEMS_SHOWN;
  return [
    `${SIGNS[finding.severity]} ${title} [${finding.code}]`,
    ...finding.items.slice(0, ITEMS_SHOWN).map((item) => `    ${item}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
    `  ${meaning}`,
    ...hint.split('\n').map((line, index) => `  ${index === 0 ? '-> ' : '   '}${line}`),
  ].join('\n');
}

export const renderRepair = ({ done, text }: Repair): string =>
  `  ${done ? '✓ Fixed' : '✕ Not fixed'}: ${text}`;

/** What is left, in one line. */
export function renderSum(findings: readonly Finding[]): string {
  if (findings.length === 0) return HEALTHY;
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const [errors, warnings, notes] = [count('error'), count('warning'), count('info')];
  const parts = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(notes > 0 ? [counted(notes, 'note')] : []),
  ];
  const fixable = findings.filter(({ isFixable }) => isFixable).length;
  const offer = fixable > 0 ? ` \`entire doctor --fix\` can repair ${fixable} of them.` : '';
  return `${parts.join(', ')}.${offer}`;
}

/** The report for programs; documented in docs/json.md. */
export function renderDoctorJson({ stuck, findings }: DoctorReport): string {
  const left = findings.filter(({ repair }) => !repair?.done).map(({ finding }) => finding);
  return renderJson({
    healthy: left.every(({ severity }) => severity !== 'error'),
    stuck_sessions: stuck.map(({ session: { state, reason, shadow, canCondense }, action }) => ({
      session_id: state.sessionId,
      phase: state.phase,
      reason: reason.kind,
      explanation: stuckReason(reason),
      agent: state.agentType || null,
      last_interaction_time: state.lastInteractionTime ?? null,
      worktree_path: state.worktreePath || null,
      shadow_branch: shadow.exists ? shadow.name : null,
      checkpoint_count: state.checkpointCount,
      files_touched: state.filesTouched,
      can_condense: canCondense,
      action,
    })),
    findings: findings.map(({ finding, repair }) => {
      const { title, meaning, hint } = describeFinding(finding);
      const { code, severity, items, detail, isFixable } = finding;
      return {
        ...{ code, severity, title, meaning, hint, items, detail: detail ?? null, fixable: isFixable },
        repair: repair ? { done: repair.done, text: repair.text } : null,
      };
    }),
  });
}
