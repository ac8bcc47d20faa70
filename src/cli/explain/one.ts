import { EntireError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { checkpointDir } from '../../checkpoint/metadata-branch.ts';
import { agentFolder, readAgentTranscripts, readTranscript } from '../../checkpoint/read/texts.ts';
import { countLinesOfEach } from '../../git/commit/line-counts.ts';
import type { Repo } from '../../git/locate.ts';
import type { LogRow } from '../../git/log.ts';
import type { Git } from '../../git/run.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { readDetail, readStepDetail, readStepTranscript } from '../../history/detail.ts';
import { type Found, type findByCommit, findCheckpoint } from '../../history/find.ts';
import type { Step } from '../../history/temporary.ts';
import { readWhy } from '../../origin/why.ts';
import { workIn } from '../../strategy/work.ts';
import { paint, wantsColour } from '../ui/colour.ts';
import { withLinks } from '../ui/hyperlink.ts';
import { page } from '../ui/pager.ts';
import { readJudging, readSetUp } from '../ui/repo.ts';
import { fitted, plain, say, warn } from '../ui/terminal.ts';
import { terminalWidth } from '../ui/width.ts';
import { explain } from '../why/view.ts';
import { type DetailCounts, type DetailView, renderDetail, renderStepDetail } from './detail-view.ts';
import * as json from './json.ts';
import * as text from './text.ts';

/** What was given on the command line. */
export interface ExplainFlags {
  readonly target?: string | undefined;
  readonly session?: string | undefined;
  readonly commit?: string | undefined;
  readonly checkpoint?: string | undefined;
  readonly short?: boolean | undefined;
  readonly full?: boolean | undefined;
  readonly 'raw-transcript'?: boolean | undefined;
  readonly generate?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly 'no-pager'?: boolean | undefined;
  readonly 'search-all'?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** What {@link explainOne} is to explain. */
type Explained = Awaited<ReturnType<typeof findByCommit>>;

/** Explains a checkpoint, step or commit. @throws {EntireError} `SUMMARY_FAILED`, `NOT_FOUND` */
export async function explainOne(branch: Branch, found: Explained, flags: ExplainFlags): Promise<void> {
  if (found.kind === 'unlinked') {
    const commit = found.commit.oid;
    if (flags.json) return say(json.renderUnlinked(commit));
    const report = await readWhy(branch.repo, commit, () => readSetUp(branch.repo));
    return say(plain(text.unlinked(commit.slice(0, 7), explain(report))));
  }
  if (flags['raw-transcript']) return printRaw(branch, found);
  if (!flags.generate) return show(branch, found, flags);
  const { generateSummary } = await import('./generate.ts');
  const id = await generateSummary(branch, found, flags.force ?? false);
  if (!flags.json) say(text.SUMMARY_SAVED);
  const now = readBranch(branch.repo);
  return show(now, await findCheckpoint(now, id), flags);
}

async function show(branch: Branch, found: Found, flags: ExplainFlags): Promise<void> {
  const searchAll = flags['search-all'] ?? false;
  const extent: DetailView['extent'] = flags.short ? 'short' : flags.full ? 'full' : 'default';
  const readAgents =
    found.kind === 'temporary'
      ? agentsOf(branch, found.step)
      : agentsIn(branch.store.git, branch.store.tips, checkpointDir(found.checkpoint.id));
  const view = detailView(branch.repo, { extent, searchAll, readAgents });
  const noPager = flags['no-pager'] ?? false;
  if (found.kind === 'temporary') {
    const step = readStepDetail(branch, found.step, extent === 'full');
    return flags.json ? say(json.renderStepJson(step, extent)) : page(renderStepDetail(step, view), noPager);
  }
  const detail = await readDetail(branch, found.checkpoint, { full: extent === 'full', searchAll });
  const others = found.others ?? [];
  if (flags.json) return say(json.renderDetailJson(detail, extent, others));
  const { commit } = found;
  const leading = commit
    ? [commit, ...detail.commits.filter(({ oid }) => oid !== commit.oid)]
    : detail.commits;
  const commits = leading.map(({ oid }) => oid);
  const files = detail.sessions.flatMap(({ slot }) => slot.metadata.filesTouched);
  const one = commit ?? (leading.length === 1 ? leading[0] : undefined);
  const changes = one && countLinesOfEach(branch.git, [one.oid]).get(one.oid);
  const counts = { changes: changes ?? new Map(), ...(await countOwnLines(branch, one, leading)) };
  const inCommit = (names: readonly string[]) => names.filter((name) => counts.changes.has(name));
  const told = [renderDetail({ ...detail, commits: leading }, view, counts)];
  if (others.length > 0)
    told.push(
      '',
      text.alsoHas(others.map(({ id, filesTouched }) => ({ id, files: inCommit(filesTouched) }))),
    );
  const shown = fitted(told.join('\n'));
  return page(withLinks(branch.repo, shown, { commits, files }), noPager);
}

/**
 * Whose the lines of a commit are. What a checkpoint stores is an estimate: it stands where no commit is known, and for a merge, of which nothing
 * is counted.
 */
async function countOwnLines(
  branch: Branch,
  one: LogRow | undefined,
  leading: readonly LogRow[],
): Promise<Pick<DetailCounts, 'shares' | 'isElsewhere'>> {
  if (!one || one.parents.length > 1) return { isElsewhere: !one && leading.length > 0 };
  const { countCommitLines } = await import('../../origin/commit-shares.ts');
  const shares = await countCommitLines(workIn(branch.repo), one.oid, readJudging(branch.repo));
  return { isElsewhere: true, ...(shares && { shares }) };
}

/** How it is set on this terminal. */
export const detailView = (
  repo: Repo,
  wished: Pick<DetailView, 'extent' | 'searchAll' | 'readAgents'>,
): DetailView => ({
  ...wished,
  root: repo.worktreeRoot,
  width: terminalWidth(),
  paint: wantsColour(process.env, process.stdout.isTTY) ? paint : (_, plain) => plain,
});

/** Reads what the sub-agents of a step said and did. */
export const agentsOf = ({ git }: Branch, step: Step | undefined): DetailView['readAgents'] =>
  step?.metadataDir === undefined ? () => new Map() : agentsIn(git, [step.commit.oid], step.metadataDir);

function agentsIn(git: Git, trees: readonly ObjectId[], dir: string): DetailView['readAgents'] {
  return (calls) => {
    const folders = new Map(
      calls.filter((call) => /^[\w-]+$/.test(call)).map((call) => [agentFolder(dir, call), call]),
    );
    const found = readAgentTranscripts(git, trees, [...folders.keys()]);
    return new Map([...found].map(([folder, stored]) => [folders.get(folder) ?? '', stored]));
  };
}

/** The stored bytes; what is odd about them goes to stderr. */
function printRaw(branch: Branch, found: Found): void {
  const transcript =
    found.kind === 'temporary'
      ? readStepTranscript(branch, found.step)
      : readTranscript(branch.store, found.checkpoint.slots.at(-1) ?? { files: new Map() });
  if (transcript.bytes.length === 0) {
    const name = found.kind === 'committed' ? found.checkpoint.id : found.step.commit.oid.slice(0, 7);
    throw new EntireError('NOT_FOUND', text.noTranscript(name));
  }
  const sessions = found.kind === 'committed' ? found.checkpoint.slots : [];
  const latest = sessions.at(-1)?.metadata.sessionId ?? '';
  if (sessions.length > 1) warn(plain(text.otherTranscripts(latest, sessions.length)));
  for (const problem of transcript.problems) warn(`Warning: ${plain(problem)}`);
  process.stdout.write(transcript.bytes);
}
