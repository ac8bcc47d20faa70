import { counted } from '../../base/text/text.ts';
import type { FoundLink, RelinkReport, Unproved } from '../../origin/relink/relink.ts';

export const FLAGS = {
  range:
    'Commits to look at, as for git log; one name is that commit alone. Default: all since the first checkpoint',
  dryRun: 'Say what would be linked, and write nothing',
  json: 'Print the report as JSON',
} as const;

export const noRange = (range: string): string => `no such commits: ${range}`;
export const isEmpty = (range: string): string =>
  `Nothing to link: there are no commits in ${range}, merges aside. A range goes from the older commit to the newer one.`;
export const isNoCommit = (word: string, kind: string): string =>
  `${word} is a ${kind}; \`entire relink\` takes commits`;
export const ledToHint = (word: string): string =>
  `\`entire why ${word}\` shows the commit that it led to; \`entire relink\` alone looks for its work in all commits.`;
export const RANGE_HINT = 'A range is written as for git: `entire relink main..HEAD`.';

export const NO_CHECKPOINTS =
  'There are no checkpoints here to compare with: `entire fetch` brings those of a remote.';

/** What proves a link, in words. */
export function tellProof({ proof, lines }: FoundLink): string {
  if (proof === 'commit') return 'made for this commit';
  if (proof === 'tree') return 'same tree, same parents';
  if (proof === 'patch') return 'same patch';
  if (proof === 'lines') return `${counted(lines, 'line')} of it`;
  return lines === 0 ? 'same contents' : `same contents, ${counted(lines, 'line')} of it`;
}

export const eitherOf = (ids: readonly string[]): string => `one of ${ids.join(', ')}: nothing tells which`;
/** What fits by chance, as far as anybody can tell. */
export const possible = (checkpoint: string, commit: string): string =>
  `${checkpoint}  fits, and is not linked: its contents are too short to prove it. If you know it: ${noteOf(checkpoint, commit)}`;

const noteOf = (checkpoint: string, commit: string): string =>
  `git notes --ref=entire append -m "Entire-Checkpoint: ${checkpoint}" ${commit}`;

/** Why a link stands that nothing proves. */
export const unproved = ({ checkpoint, place, reason }: Unproved): string =>
  `${checkpoint}  kept, by its ${place}: ${REASONS[reason]}`;

const REASONS: Readonly<Record<Unproved['reason'], string>> = {
  'not-here': 'that checkpoint is not here',
  'no-evidence': 'nothing is kept of its commit to compare with',
  'nothing-of-it': 'nothing in this one proves that it has its work',
};

export const CUT_OFF = 'the clone is shallow here: `git fetch --unshallow` brings what it is compared with';

/** The last line. */
export function summary({ commits, written, isDry }: RelinkReport): string {
  const found = commits.filter(({ found }) => found.some(({ isNew }) => isNew));
  const linked = commits.filter(({ found }) => found.length > 0 && found.every(({ isNew }) => !isNew)).length;
  const open = commits.filter((commit) => commit.found.length === 0 && !commit.isCutOff).length;
  const rest = open > 0 ? `, ${open} in which nothing proves work of a session` : '';
  const looked = `${counted(commits.length, 'commit')} looked at, ${linked} linked already${rest}`;
  if (found.length === 0) return `Nothing to link: ${looked}.`;
  if (isDry) return `${counted(found.length, 'commit')} would be linked; ${looked}.`;
  const kept = found.length - written;
  const left = kept > 0 ? `, ${kept} could not be` : '';
  return `${counted(written, 'commit')} linked${left}; ${looked}. The links are git notes (refs/notes/entire); no commit changed.`;
}
