import { describeError } from '../../base/errors.ts';
import type { Finding, FindingCode } from '../examine/finding.ts';
import type { Patient } from '../patient.ts';
import { createMetadataBranch, dropOwnRefs, dropRefLocks, restoreRefs, settle } from './branches.ts';
import { reinstallAgentHooks, reinstallGitHooks } from './hooks.ts';
import {
  dropCrashReports,
  dropLocks,
  dropTemporary,
  giveClaimsBack,
  setRecordsAside,
  setStatesAside,
} from './records.ts';
import { type Deed, failed, type Repair } from './repair.ts';

const REPAIRS: Partial<Readonly<Record<FindingCode, Repair>>> = {
  'git-hooks-missing': reinstallGitHooks,
  'git-hooks-overwritten': reinstallGitHooks,
  'git-hooks-not-executable': reinstallGitHooks,
  'git-hooks-outdated': reinstallGitHooks,
  'agent-hooks-missing': reinstallAgentHooks,
  'agent-hooks-incomplete': reinstallAgentHooks,
  'agent-hooks-outdated': reinstallAgentHooks,
  'agent-hooks-doubled': reinstallAgentHooks,
  'agent-settings-obsolete': reinstallAgentHooks,
  'state-unreadable': setStatesAside,
  'record-unreadable': setRecordsAside,
  'claims-left': giveClaimsBack,
  'lock-left': dropLocks,
  'temporary-left': dropTemporary,
  'crash-report': dropCrashReports,
  'checkpoint-given-up': settle,
  'checkpoint-owed': settle,
  'ref-broken': restoreRefs,
  'metadata-branch-missing': createMetadataBranch,
  'ref-lock': dropRefLocks,
  'auto-commit-left': dropOwnRefs,
  'scrub-left': dropOwnRefs,
  'rewind-left': dropOwnRefs,
};

/** What became of one finding. */
export interface Treatment {
  readonly finding: Finding;
  /** Nothing of it is left. */
  readonly isFixed: boolean;
  /** Something was to be done, and could not. */
  readonly hasFailed: boolean;
  readonly deeds: readonly Deed[];
}

/**
 * Repairs what can be repaired without losing anything: what is stored nowhere else is never deleted. Each repair runs once,
 * for all findings that it is there for; one that fails keeps no other from being tried. Findings that are not fixable are
 * passed over.
 */
export async function repairAll(patient: Patient, findings: readonly Finding[]): Promise<Treatment[]> {
  const groups = new Map<Repair, Finding[]>();
  for (const finding of findings) {
    const repair = finding.isFixable ? REPAIRS[finding.code] : undefined;
    if (repair) groups.set(repair, [...(groups.get(repair) ?? []), finding]);
  }
  const treated: Treatment[] = [];
  for (const [repair, group] of groups) treated.push(...(await attempt(patient, group, repair)));
  return treated;
}

async function attempt(patient: Patient, group: readonly Finding[], repair: Repair): Promise<Treatment[]> {
  const items = [...new Set(group.flatMap((finding) => finding.items))];
  const deeds = await Promise.resolve()
    .then(() => repair(patient, items))
    .catch((error: unknown): Deed[] => [failed('', describeError(error))]);
  return group.map((finding) => {
    const own = deeds.filter(({ item }) => finding.items.includes(item) || !items.includes(item));
    const outcomes = new Set(own.map(({ outcome }) => outcome));
    return {
      finding,
      deeds: own,
      isFixed: !outcomes.has('left') && !outcomes.has('failed'),
      hasFailed: outcomes.has('failed'),
    };
  });
}
