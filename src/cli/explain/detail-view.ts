import { localDay, renderLocal } from '../../base/clock.ts';
import type { StoredMetadata } from '../../checkpoint/read/metadata.ts';
import type { Summary } from '../../checkpoint/summary.ts';
import { type OutlineTurn, turnsIn } from '../../conversation/export/outline.ts';
import { modelsIn, readConversation } from '../../conversation/read-conversation.ts';
import type { LineCounts } from '../../git/commit/line-counts.ts';
import type { LogRow } from '../../git/log.ts';
import type { CheckpointDetail, SessionDetail, ShownTranscript, StepDetail } from '../../history/detail.ts';
import type { CommitShares } from '../../origin/commit-shares.ts';
import { linesOf, sumOf } from '../../origin/line-shares.ts';
import type { Tone } from '../ui/colour.ts';
import { oneLine } from '../ui/terminal.ts';
import {
  type HeadRow,
  renderAgent,
  renderAttribution,
  renderFiles,
  renderHead,
  renderTokens,
} from './head.ts';
import { placesOf } from './places.ts';
import { actsIn, callsOfAgents, quotePrompt, renderStory, type StoryView } from './story.ts';
import * as text from './text.ts';

/** How much of a checkpoint is shown, and how. */
export interface DetailView {
  readonly extent: 'short' | 'default' | 'full';
  readonly searchAll: boolean;
  /** Top of the worktree. */
  readonly root: string;
  /** Columns of the terminal. */
  readonly width: number | undefined;
  readonly paint: (tone: Tone, text: string) => string;
  /** Reads the transcripts of the sub-agents that worked for some calls; of those that are known. */
  readonly readAgents: (calls: readonly string[]) => ReadonlyMap<string, string>;
}

/** What was counted of the commit. */
export interface DetailCounts {
  /** Lines that came and went, by file. */
  readonly changes: ReadonlyMap<string, LineCounts>;
  /** Whose its lines are, where they were counted. */
  readonly shares?: CommitShares;
  /** There is one commit, or several, of which what was stored need not be true. */
  readonly isElsewhere: boolean;
}

/** One checkpoint for people: what it is, then what was said and done; several sessions one after the other. */
export function renderDetail(detail: CheckpointDetail, view: DetailView, counts: DetailCounts): string {
  const { checkpoint, sessions, author, commits, problems } = detail;
  const { paint, extent } = view;
  const [only] = sessions.length === 1 ? sessions : [];
  const told = sessions.map((session) => tellTranscript(session.transcript));
  const created = only ? renderLocal(only.slot.metadata.createdAt) || text.UNKNOWN_TIME : '';
  const by = author === undefined ? '' : oneLine(author);
  const rows: HeadRow[] = [
    ...(commits.length === 0 && problems.length > 0 ? [] : commitRows(commits, view)),
    ['Checkpoint', paint('id', checkpoint.id)],
    ...(only
      ? sessionRows(only, told[0]?.models ?? [], view)
      : [['Sessions', `${sessions.length}`] as const]),
    only ? ['Date', [created, by && `by ${by}`].filter(Boolean).join(', ')] : ['Author', by],
    ...(only ? costRows(only, counts) : []),
  ];
  const shown = renderHead(rows);
  for (const [at, session] of sessions.entries()) {
    const { models = [], turns = [] } = told[at] ?? {};
    if (!only)
      shown.push(
        '',
        ...renderHead([
          ...sessionRows(session, models, view),
          dateRow(session),
          ...costRows(session, counts),
        ]),
      );
    shown.push(...renderBody(session, turns, view, counts.changes));
  }
  if (problems.length > 0)
    shown.push('', paint('warning', 'Problems:'), ...problems.map((problem) => `  - ${oneLine(problem)}`));
  // What is odd about it may be that the commit has none of its work.
  const [commit] = problems.length > 0 ? [] : commits;
  const more = text.moreOfCheckpoint(checkpoint.id, commit?.oid.slice(0, 7), extent === 'full');
  return (more === undefined ? shown : [...shown, '', paint('quiet', more)]).join('\n');
}

function commitRows(commits: readonly LogRow[], { searchAll, paint }: DetailView): HeadRow[] {
  if (commits.length === 0) return [['Commit', searchAll ? text.NO_COMMITS_AT_ALL : text.NO_COMMITS_FOUND]];
  return commits.map(({ oid, committedAt, subject }) => [
    'Commit',
    `${paint('id', oid.slice(0, 7))} ${localDay(committedAt)} ${oneLine(subject)}`,
  ]);
}

const sessionRows = (
  { slot: { metadata } }: SessionDetail,
  models: readonly string[],
  { paint }: DetailView,
): HeadRow[] => [
  ['Session', paint('id', oneLine(metadata.sessionId) || text.UNKNOWN_SESSION)],
  ['Agent', paint('agent', renderAgent(metadata.agent, models))],
];

const dateRow = ({ slot: { metadata } }: SessionDetail): HeadRow => [
  'Date',
  renderLocal(metadata.createdAt) || text.UNKNOWN_TIME,
];

function costRows({ slot: { metadata }, turns }: SessionDetail, counts: DetailCounts): HeadRow[] {
  const tokens = renderTokens(metadata.tokenUsage, metadata.agent);
  return [
    ['Tokens', tokens && turns ? text.ofSessionSoFar(tokens) : tokens],
    ['Lines', renderLines(metadata, counts)],
  ];
}

function renderLines({ sessionId, other }: StoredMetadata, counts: DetailCounts): string | undefined {
  const { shares, isElsewhere } = counts;
  const all = shares && sumOf(shares.added);
  if (shares && all) return text.ownLines(linesOf(shares, sessionId), all);
  return isElsewhere ? undefined : renderAttribution(other.initial_attribution);
}

interface Told {
  readonly turns: readonly OutlineTurn[];
  readonly models: readonly string[];
}

/** What a part of a transcript tells. */
export function tellTranscript({ agent, text: stored }: Pick<ShownTranscript, 'agent' | 'text'>): Told {
  const messages = readConversation(agent, stored);
  return { turns: turnsIn(messages), models: modelsIn(messages) };
}

function renderBody(
  session: SessionDetail,
  turns: readonly OutlineTurn[],
  view: DetailView,
  lines: ReadonlyMap<string, LineCounts>,
): string[] {
  const { summary, prompts, transcript, slot, forgotten } = session;
  const files = slot.metadata.filesTouched;
  const left = view.extent === 'full' ? new Set<OutlineTurn>() : leftOut(session, turns);
  const story = { ...storyView({ turns, agent: transcript.agent }, files, view), left };
  const summed = summary ? ['', ...renderOutcome(summary)] : [];
  const none = forgotten ? ['', text.forgottenPrompt(forgotten)] : [];
  if (view.extent === 'short') return [...summed, ...(prompts.length > 0 ? quoteAll(prompts, story) : none)];
  const listed = files.length === 0 ? [] : ['', ...renderFiles(files, lines, story)];
  const more = summary ? renderSummary(summary) : [];
  const told = renderTold(transcript, { turns, prompts, none }, story);
  return [...listed, ...summed, ...more, ...told];
}

/** Those of the turns that have no part in the checkpoint; none where the transcript is not cut into the same turns. */
function leftOut({ turns: told }: SessionDetail, turns: readonly OutlineTurn[]): Set<OutlineTurn> {
  const asked = turns.filter(({ number }) => number > 0);
  return new Set(asked.length === told?.length ? asked.filter((_, at) => !told[at]?.isOwn) : []);
}

/** How a story of these turns is set. @param files that are known to have been written */
export function storyView(
  { turns, agent }: { readonly turns: readonly OutlineTurn[]; readonly agent: string },
  files: readonly string[],
  { width, paint, extent, root, readAgents }: DetailView,
): StoryView {
  const transcripts = extent === 'short' ? [] : readAgents(callsOfAgents(turns));
  const agents = new Map(
    [...transcripts].map(([call, stored]) => [call, tellTranscript({ agent, text: stored }).turns]),
  );
  const all = [...turns, ...[...agents.values()].flat()];
  return {
    ...{ width, paint, agents, isWhole: extent === 'full', left: new Set() },
    places: placesOf(root, actsIn(all), files),
  };
}

const quoteAll = (prompts: readonly string[], view: StoryView): string[] =>
  prompts.flatMap((prompt) => ['', ...quotePrompt(prompt, view)]);

/** What was said and done; where no transcript tells it, what was asked for. */
function renderTold(
  { kind }: ShownTranscript,
  known: {
    readonly turns: readonly OutlineTurn[];
    readonly prompts: readonly string[];
    readonly none?: readonly string[];
  },
  view: StoryView,
): string[] {
  const { turns, prompts, none = [] } = known;
  const story = kind === 'read' ? renderStory(turns, view) : [];
  if (story.length > 0) {
    // Where its own part of the session asks for nothing, an older prompt led to it.
    const isAsked = turns.some(({ number }) => number > 0);
    return [...(isAsked ? none : prompts.length > 0 ? quoteAll(prompts, view) : none), '', ...story];
  }
  const note =
    kind === 'unreadable' ? text.UNREADABLE_TRANSCRIPT : prompts.length > 0 ? '' : text.NO_TRANSCRIPT;
  return [...(prompts.length > 0 ? quoteAll(prompts, view) : none), ...(note === '' ? [] : ['', note])];
}

const renderOutcome = ({ intent, outcome }: Summary): string[] => [
  ...(intent ? [`Intent: ${oneLine(intent)}`] : []),
  ...(outcome ? [`Outcome: ${oneLine(outcome)}`] : []),
];

function renderSummary({ learnings, friction, openItems }: Summary): string[] {
  const list = (title: string, items: readonly string[], indent: string): string[] =>
    items.length === 0 ? [] : [title, ...items.map((item) => `${indent}- ${oneLine(item)}`)];
  const code = learnings.code.map(({ path, line, endLine, finding }) => {
    const lines = line === undefined ? '' : `:${line}${endLine === undefined ? '' : `-${endLine}`}`;
    return `${path}${lines}: ${finding}`;
  });
  const learned = [
    ...list('  Repository:', learnings.repo, '    '),
    ...list('  Code:', code, '    '),
    ...list('  Workflow:', learnings.workflow, '    '),
  ];
  const sections = [
    learned.length > 0 ? ['Learnings:', ...learned] : [],
    list('Friction:', friction, '  '),
    list('Open Items:', openItems, '  '),
  ];
  return sections.filter((section) => section.length > 0).flatMap((section) => ['', ...section]);
}

/** One step that no commit has yet, for people. */
export function renderStepDetail(detail: StepDetail, view: DetailView): string {
  const { step, prompts, transcript, problems } = detail;
  const { paint } = view;
  const name = step.commit.oid.slice(0, 7);
  const { turns, models } = tellTranscript(transcript);
  const shown = renderHead([
    ['Step', `${paint('id', name)} ${paint('open', '[uncommitted]')}`],
    ['Session', paint('id', oneLine(step.sessionId) || text.UNKNOWN_SESSION)],
    ['Agent', paint('agent', renderAgent(transcript.agent, models))],
    ['Date', renderLocal(step.commit.committedAt) || text.UNKNOWN_TIME],
  ]);
  const story = storyView({ turns, agent: transcript.agent }, [], view);
  if (view.extent === 'short') shown.push(...quoteAll(prompts, story));
  else shown.push(...renderTold(transcript, { turns, prompts }, story));
  if (problems.length > 0)
    shown.push('', paint('warning', 'Problems:'), ...problems.map((problem) => `  - ${oneLine(problem)}`));
  return [...shown, ...(view.extent === 'full' ? [] : ['', paint('quiet', text.moreOfStep(name))])].join(
    '\n',
  );
}
