import { describeError } from '../../base/errors.ts';
import type { Finding, FindingCode } from '../finding.ts';
import type { Patient } from '../patient.ts';
import { createMetadataBranch, dropRefLocks, dropScrubbed, dropStagedCommits, settle } from './branches.ts';
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
  'agent-deny-rule': reinstallAgentHooks,
  'state-unreadable': setStatesAside,
  'record-unreadable': setRecordsAside,
  'claims-left': giveClaimsBack,
  'lock-left': dropLocks,
  'temporary-left': dropTemporary,
  'crash-report': dropCrashReports,
  'checkpoint-given-up': settle,
  'checkpoint-owed': settle,
  'metadata-branch-missing': createMetadataBranch,
  'ref-lock': dropRefLocks,
  'auto-commit-left': dropStagedCommits,
  'scrub-left': dropScrubbed,
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
 * Repairs what can be repaired without losing anything: what is stored nowhere else is never deleted. One that fails
 * keeps no other from being tried. Findings that are not fixable are passed over.
 */
export async function repairAll(patient: Patient, findings: readonly Finding[]): Promise<Treatment[]> {
  const treated: Treatment[] = [];
  for (const finding of findings) {
    const repair = finding.isFixable ? REPAIRS[finding.code] : undefined;
    if (repair) treated.push({ finding, ...(await attempt(patient, finding, repair)) });
  }
  return treated;
}

async function attempt(
  patient: Patient,
  finding: Finding,
  repair: Repair,
): Promise<Omit<Treatment, 'finding'>> {
  const deeds = await Promise.resolve()
    .then(() => repair(patient, finding))
    .catch((error: unknown): Deed[] => [failed('', describeError(error))]);
  const outcomes = new Set(deeds.map(({ outcome }) => outcome));
  return {
    deeds,
    isFixed: !outcomes.has('left') && !outcomes.has('failed'),
    hasFailed: outcomes.has('failed'),
  };
}
