import type { RelinkedCommit, RelinkReport } from '../../origin/relink/relink.ts';
import { renderJson } from '../ui/terminal.ts';
import { cutTo } from '../ui/width.ts';
import * as text from './text.ts';

/** What was found, commit by commit; one of which nothing is to be said is left out, unless it was asked for alone. */
export function renderRelink(
  report: RelinkReport,
  range: string | undefined,
  width: number | undefined,
): string {
  if (range !== undefined && report.hasCheckpoints && report.commits.length === 0) return text.isEmpty(range);
  const isTold = (commit: RelinkedCommit): boolean => report.commits.length === 1 || isOpen(commit);
  const told = report.commits.filter(isTold).map((commit) => renderCommit(commit, width));
  const blocks = [...told, report.hasCheckpoints ? text.summary(report) : text.NO_CHECKPOINTS];
  return blocks.join('\n');
}

const isOpen = ({ found, unproved, tied, possible, isCutOff }: RelinkedCommit): boolean =>
  isCutOff ||
  tied.length > 0 ||
  possible.length > 0 ||
  unproved.length > 0 ||
  found.some(({ isNew }) => isNew);

function renderCommit(commit: RelinkedCommit, width: number | undefined): string {
  const { found, unproved, tied, possible, isCutOff } = commit;
  const lines = [
    ...found.map(
      (link) => `${link.checkpoint}  ${text.tellProof(link)}${link.isNew ? '' : ' (linked already)'}`,
    ),
    ...(tied.length > 0 ? [text.eitherOf(tied)] : []),
    ...possible.map((id) => text.possible(id, commit.commit.slice(0, 7))),
    ...unproved.map(text.unproved),
    ...(isCutOff ? [text.CUT_OFF] : []),
  ];
  const whole = `${commit.commit.slice(0, 7)} ${commit.subject}`;
  const head = width ? cutTo(whole, width) : whole;
  return [head, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** The same for programs: all commits that were looked at. */
export const renderRelinkJson = ({ commits, written, isDry }: RelinkReport): string =>
  renderJson({
    dry_run: isDry,
    written,
    commits: commits.map(({ commit, subject, found, unproved, tied, possible, isCutOff }) => ({
      commit,
      subject,
      checkpoints: found.map(({ checkpoint, proof, lines, isNew }) => ({
        checkpoint,
        proof,
        lines,
        new: isNew,
      })),
      unproved,
      tied,
      possible,
      cut_off: isCutOff,
    })),
  });
