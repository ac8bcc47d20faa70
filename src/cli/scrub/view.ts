import { counted } from '../../base/text/text.ts';
import { METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import type { ScrubReport } from '../../strategy/scrub/scrub.ts';
import { renderJson } from '../ui/terminal.ts';

const DONE = {
  nothing: 'nothing to change at its tip',
  commit: 'a new commit',
  rewritten: 'all commits rewritten',
} as const;

/** The report in words: what changed, by which rules, and what is out of reach. */
export function renderScrub(report: ScrubReport): string {
  const rules = Object.entries(report.counts).sort(([, a], [, b]) => b - a);
  const changed = report.branches.filter(({ done, olderCommits }) => done !== 'nothing' || olderCommits);
  return [
    `Checked ${counted(report.looked, 'stored text')}: ${report.found} ${report.dryRun ? (report.found === 1 ? 'needs' : 'need') : 'needed'} redaction.`,
    ...rules.map(([rule, count]) => `  ${rule}: ${count}`),
    ...changed.map(({ name, done }) => `  ${name}: ${DONE[done]}`),
    ...(report.caches > 0
      ? [
          `  ${counted(report.caches, 'transcript cache')} ${report.dryRun ? 'would be ' : ''}deleted: the next hook makes ${report.caches === 1 ? 'it' : 'them'} again`,
        ]
      : []),
    ...(report.states > 0
      ? [`  ${counted(report.states, 'session state')} ${report.dryRun ? 'would change' : 'changed'}`]
      : []),
    ...(report.tasks > 0
      ? [`  ${counted(report.tasks, 'record')} of sub-agents ${report.dryRun ? 'would change' : 'changed'}`]
      : []),
    ...(report.steps > 0
      ? [`  ${counted(report.steps, 'record')} for undo ${report.dryRun ? 'would change' : 'changed'}`]
      : []),
    ...(report.logs > 0
      ? [`  ${counted(report.logs, 'log file')} ${report.dryRun ? 'would be ' : ''}redacted`]
      : []),
    '',
    'Out of reach:',
    ...outOfReach(report).map((line) => `  - ${line}`),
  ].join('\n');
}

/** Two histories that share no commit are united, and the older one has the longer texts. */
const COMES_BACK =
  ': the next push or fetch would bring its old text back, so replace it first, with `git push --force`';

/** What keeps the old text whatever the command did. */
export function outOfReach({ branches, remotes, found, missing, unreadable }: ScrubReport): string[] {
  const older = branches.filter(({ olderCommits }) => olderCommits);
  const isRewritten = branches.some(
    ({ name, done }) => `refs/heads/${name}` === METADATA_REF && done === 'rewritten',
  );
  return [
    ...older.map(
      ({ name }) => `older commits of ${name} keep the old text: \`entire scrub --rewrite\` rewrites them`,
    ),
    ...(missing > 0 ? [`${counted(missing, 'object')} that this repository lacks`] : []),
    ...(unreadable > 0
      ? [`${counted(unreadable, 'session state')} that nobody can read: \`entire verify\` names them`]
      : []),
    ...remotes.map((remote) => `the branch on the remote ${remote}${isRewritten ? COMES_BACK : ''}`),
    'other clones, and whoever fetched the branches',
    ...(found > 0
      ? ['reflogs and unreachable objects, until `git reflog expire` and `git gc --prune` remove them']
      : []),
    "transcripts as their agents write them, which are not redacted: the agents' own, what a restored one replaced, and the working copies in .entire/metadata and .entire/tmp",
    'what ~/.entire keeps for all repositories: runs, imported sessions, sessions with messages, titles',
    'files of your worktree on step branches and in what undo keeps, and commits and exports of your own',
  ];
}

/** The report for programs. */
export const renderScrubJson = (report: ScrubReport): string =>
  renderJson({
    dry_run: report.dryRun,
    texts: report.looked,
    found: report.found,
    rules: report.counts,
    branches: report.branches.map(({ name, done, olderCommits }) => ({
      name,
      done,
      older_commits: olderCommits,
    })),
    caches: report.caches,
    states: report.states,
    tasks: report.tasks,
    steps: report.steps,
    logs: report.logs,
    out_of_reach: outOfReach(report),
  });
