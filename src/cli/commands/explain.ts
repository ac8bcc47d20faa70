import { EntireError } from '../../base/errors.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { readDetail, readStepDetail, readStepTranscript } from '../../history/detail.ts';
import { type Found, findAnything, findByCommit, findCheckpoint } from '../../history/find.ts';
import { readPoints } from '../../history/points.ts';
import { readLatestTranscript } from '../../history/raw.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand } from '../command.ts';
import { type DetailView, renderDetail, renderStepDetail } from '../explain-detail-view.ts';
import * as json from '../explain-json.ts';
import { groupPoints, renderList } from '../explain-list-view.ts';
import * as text from '../explain-messages.ts';
import { page } from '../pager.ts';
import { requireRepo } from '../repo.ts';
import { plain, say, warn } from '../terminal.ts';

const options = {
  session: { type: 'string', describe: text.FLAGS.session },
  commit: { type: 'string', describe: text.FLAGS.commit },
  checkpoint: { type: 'string', alias: 'c', describe: text.FLAGS.checkpoint },
  short: { type: 'boolean', alias: 's', describe: text.FLAGS.short },
  full: { type: 'boolean', describe: text.FLAGS.full },
  'raw-transcript': { type: 'boolean', describe: text.FLAGS.rawTranscript },
  generate: { type: 'boolean', describe: text.FLAGS.generate },
  force: { type: 'boolean', describe: text.FLAGS.force },
  'no-pager': { type: 'boolean', describe: text.FLAGS.noPager },
  'search-all': { type: 'boolean', describe: text.FLAGS.searchAll },
  json: { type: 'boolean', describe: text.FLAGS.json },
} as const;

interface Flags {
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

export const explainCommand = defineCommand({
  positionals: { target: { type: 'string', describe: text.TARGET } },
  options,
  completes: { target: 'commit', commit: 'commit' },

  async run(flags) {
    const repo = await requireRepo(text.REFUSAL);
    if (readActivation(repo).kind === 'disabled')
      return say(flags.json ? json.renderDisabled() : text.DISABLED_GUARD);
    refuseContradictions(flags);
    const branch = readBranch(repo);
    const found = find(branch, flags);
    if (found === undefined) return list(branch, flags);
    if (found.kind === 'unlinked') {
      const commit = found.commit.oid;
      return say(flags.json ? json.renderUnlinked(commit) : text.unlinked(commit.slice(0, 7)));
    }
    if (flags['raw-transcript']) return printRaw(branch, found);
    if (flags.generate) {
      const { generateSummary } = await import('../explain-generate.ts');
      await generateSummary(branch, found, flags.force ?? false);
      if (!flags.json) say(text.SUMMARY_SAVED);
      return detail(readBranch(repo), findCheckpoint(readBranch(repo), nameOf(found)), flags);
    }
    return detail(branch, found, flags);
  },
});

/** @throws {EntireError} `BAD_FLAGS` for flags that do not go together */
function refuseContradictions(flags: Flags): void {
  const refuse = (message: string): never => {
    throw new EntireError('BAD_FLAGS', message);
  };
  const targets = [flags.target, flags.session, flags.commit, flags.checkpoint].filter(Boolean);
  if (targets.length > 1) refuse(text.SEVERAL_TARGETS);
  const isOne = Boolean(flags.checkpoint || flags.target);
  if (flags.generate && !isOne) refuse(text.needs('generate', text.CHECKPOINT_FLAG));
  if (flags.force && !flags.generate) refuse(text.needs('force', '--generate'));
  if (flags['raw-transcript'] && !isOne) refuse(text.needs('raw-transcript', text.CHECKPOINT_FLAG));
  for (const group of [
    ['short', 'full', 'raw-transcript'],
    ['generate', 'raw-transcript'],
    ['json', 'raw-transcript'],
  ] as const) {
    const given = group.filter((name) => flags[name]);
    if (given.length > 1) refuse(text.exclusiveGroup(group, given));
  }
}

function find(
  branch: Branch,
  { target, commit, checkpoint }: Flags,
): ReturnType<typeof findAnything> | undefined {
  if (checkpoint) return findCheckpoint(branch, checkpoint);
  if (commit) return findByCommit(branch, commit);
  return target ? findAnything(branch, target) : undefined;
}

function list(branch: Branch, flags: Flags): Promise<void> | void {
  const session = flags.session || undefined;
  const { points, missing } = readPoints(branch, session);
  const groups = groupPoints(points);
  if (flags.json) return say(json.renderListJson(branch, groups, session, missing));
  if (missing.length > 0) warn(text.missingCheckpoints(missing.length));
  return page(renderList(branch, groups, session), flags['no-pager'] ?? false);
}

function detail(branch: Branch, found: Found, flags: Flags): Promise<void> | void {
  const searchAll = flags['search-all'] ?? false;
  const extent: DetailView['extent'] = flags.short ? 'short' : flags.full ? 'full' : 'default';
  const view = { extent, searchAll };
  if (found.kind === 'temporary') {
    const step = readStepDetail(branch, found.step, extent === 'full');
    if (flags.json) return say(json.renderStepJson(step, extent));
    return page(renderStepDetail(step, view), flags['no-pager'] ?? false);
  }
  const read = readDetail(branch, found.checkpoint, { full: extent === 'full', searchAll });
  if (flags.json) return say(json.renderDetailJson(read, extent));
  return page(renderDetail(read, view), flags['no-pager'] ?? false);
}

const nameOf = (found: Found): string =>
  found.kind === 'committed' ? found.checkpoint.id : found.step.commit.oid;

/** The stored bytes; what is odd about them goes to stderr. */
function printRaw(branch: Branch, found: Found): void {
  const transcript =
    found.kind === 'temporary'
      ? readStepTranscript(branch, found.step)
      : readLatestTranscript(branch.store, found.checkpoint);
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
