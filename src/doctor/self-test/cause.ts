import type { Finding, FindingCode } from '../examine/finding.ts';

/** What can make a step fail, the likeliest first. A finding that is not among them is no explanation. */
const NOTHING_RUNS: readonly FindingCode[] = [
  'switched-off',
  'not-set-up',
  'settings-unreadable',
  'disabled',
  'agent-settings-unreadable',
  'agent-hooks-switched-off',
  'agent-hooks-missing',
  'not-on-path',
  'path-program-broken',
  'agent-hooks-incomplete',
  'path-other-version',
  'check-failed',
];
const NO_GIT_HOOK: readonly FindingCode[] = [
  'hooks-folder-unusable',
  'hooks-folder-foreign',
  'git-hooks-missing',
  'git-hooks-overwritten',
  'git-hooks-not-executable',
  'git-hooks-outdated',
  ...NOTHING_RUNS,
];

/** Steps of the self-test, in order. */
export const STEPS = [
  'git-folder',
  'records',
  'scratch',
  'session-start',
  'prompt',
  'edit',
  'stop',
  'commit',
  'checkpoint',
  'git-hooks',
  'clean-up',
] as const;
export type StepName = (typeof STEPS)[number];

const CAUSES: Readonly<Record<StepName, readonly FindingCode[]>> = {
  'git-folder': ['not-writable', 'wrong-owner', 'disk-full'],
  records: ['state-unreadable', 'record-unreadable'],
  scratch: ['git-too-old', 'check-failed'],
  'session-start': NOTHING_RUNS,
  prompt: NOTHING_RUNS,
  edit: NOTHING_RUNS,
  stop: NOTHING_RUNS,
  commit: NO_GIT_HOOK,
  checkpoint: NO_GIT_HOOK,
  'git-hooks': NO_GIT_HOOK,
  'clean-up': [],
};

/** The finding that explains why a step failed; `undefined` where none does. */
export function findCause(step: StepName, findings: readonly Finding[]): Finding | undefined {
  for (const code of CAUSES[step]) {
    const finding = findings.find((candidate) => candidate.code === code);
    if (finding) return finding;
  }
  return undefined;
}

/** Findings that would make a step fail that only looks, and drives nothing. */
export const findObstacle = (step: StepName, findings: readonly Finding[]): Finding | undefined =>
  findCause(
    step,
    findings.filter(({ severity }) => severity === 'error'),
  );
