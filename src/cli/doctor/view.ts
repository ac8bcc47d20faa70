import { counted } from '../../base/text/text.ts';
import type { Finding, Severity } from '../../doctor/examine/finding.ts';
import type { StuckSession } from '../../doctor/examine/stuck.ts';
import type { Deed } from '../../doctor/fix/repair.ts';
import { renderJson } from '../ui/terminal.ts';
import { describeFinding } from './findings.ts';
import { stuckReason } from './text.ts';

/** What was done about a finding. */
export interface RepairOutcome {
  /** Nothing of it is left. */
  readonly done: boolean;
  /** Something was to be done, and could not. */
  readonly failed: boolean;
  readonly deeds: readonly Deed[];
}

/** Everything `entire doctor` found, and what became of it. */
export interface DoctorReport {
  readonly stuck: readonly { readonly session: StuckSession; readonly action: StuckAction }[];
  readonly findings: readonly { readonly finding: Finding; readonly repair: RepairOutcome | undefined }[];
}

export type StuckAction = 'none' | 'condensed' | 'discarded' | 'turn-ended' | 'failed';

const SIGNS: Readonly<Record<Severity, string>> = { error: '✕', warning: '!', info: '○' };
/** So many items are listed; the rest is counted. */
const ITEMS_SHOWN = 10;
const HEALTHY = '✓ No problems found';

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

/** What was done, for people. */
export function renderRepair({ done, deeds }: RepairOutcome): string {
  const lines = deeds.slice(0, ITEMS_SHOWN).map(({ item, outcome, text }) => {
    return `    ${outcome === 'done' ? '' : `${outcome}: `}${item === '' ? '' : `${item}: `}${text}`;
  });
  const more = deeds.length - ITEMS_SHOWN;
  return [done ? '  ✓ Fixed' : '  ✕ Not fixed', ...lines, ...(more > 0 ? [`    and ${more} more`] : [])].join(
    '\n',
  );
}

/** What is left, in one line. */
export function renderSum({ stuck, findings: all }: DoctorReport): string {
  const left = all.filter(({ repair }) => !repair?.done);
  const stuckLeft = stuck.filter(({ action }) => action === 'none' || action === 'failed').length;
  const findings = left.map(({ finding }) => finding);
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const [errors, warnings, notes] = [count('error'), count('warning'), count('info')];
  const parts = [
    ...(stuckLeft > 0 ? [counted(stuckLeft, 'stuck session')] : []),
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(notes > 0 ? [counted(notes, 'note')] : []),
  ];
  const fixable = left.filter(({ finding, repair }) => finding.isFixable && !repair).length;
  const offer = fixable > 0 ? ` \`entire doctor --fix\` can repair ${fixable} of them.` : '';
  if (errors + warnings + stuckLeft === 0) parts.unshift(HEALTHY);
  return `${parts.join(', ')}.${offer}`;
}

/** Nothing that loses work is left, and nothing that was to be done failed. */
export const isHealthy = ({ stuck, findings }: DoctorReport): boolean =>
  stuck.every(({ action }) => action !== 'failed') &&
  findings.every(({ finding, repair }) => !repair?.failed && (repair?.done || finding.severity !== 'error'));

/** The report for programs; documented in docs/json.md. */
export function renderDoctorJson({ stuck, findings }: DoctorReport): string {
  return renderJson({
    healthy: isHealthy({ stuck, findings }),
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
        repair: repair ? { done: repair.done, failed: repair.failed, deeds: repair.deeds } : null,
      };
    }),
  });
}

/** How findings are coloured. */
export const TONES: readonly RegExp[] = [
  /^(?<good>✓)/d,
  /^(?<warning>[✕✗!])/d,
  /^(?<open>○).*?(?:(?<quiet>\[[\w-]+\]))?$/d,
];
