import { renderEntries } from '../../agents/shared/transcript/transcript.ts';
import { localDay, renderLocal } from '../../base/clock.ts';
import { sanitizeForTerminal, showPath } from '../../base/text/text.ts';
import type { Summary } from '../../checkpoint/summary.ts';
import type { LogRow } from '../../git/log.ts';
import type { CheckpointDetail, SessionDetail, ShownTranscript, StepDetail } from '../../history/detail.ts';
import { type TokenUsage, totalTokens } from '../../session/state.ts';
import { oneLine } from '../ui/terminal.ts';
import { cutTo } from '../ui/width.ts';
import {
  forgottenPrompt,
  moreFiles,
  NO_COMMITS_AT_ALL,
  NO_COMMITS_FOUND,
  NO_TRANSCRIPT,
  NOT_AVAILABLE,
  NOT_GENERATED,
  UNKNOWN_SESSION,
  UNKNOWN_TIME,
  UNREADABLE_TRANSCRIPT,
} from './text.ts';

/** How much of a checkpoint is shown. */
export interface DetailView {
  readonly extent: 'short' | 'default' | 'full';
  readonly searchAll: boolean;
}

/** Columns of an intent that is a prompt, which may be long. */
const INTENT_WIDTH = 80;

/** One checkpoint for people. With one session it looks as it always did; several come one after the other. */
export function renderDetail(detail: CheckpointDetail, view: DetailView): string {
  const { checkpoint, sessions, author, commits, problems } = detail;
  const [only] = sessions.length === 1 ? sessions : [];
  const lines = [`Checkpoint: ${checkpoint.id}`];
  if (only) lines.push(...renderHead(only));
  else lines.push(`Sessions: ${sessions.length}`);
  if (author !== undefined) lines.push(`Author: ${oneLine(author)}`);
  const usage = only ? only.slot.metadata.tokenUsage : checkpoint.tokenUsage;
  lines.push(...renderTokens(usage), '', ...renderCommits(commits, view.searchAll));
  if (only) lines.push('', ...renderBody(only, view));
  else for (const session of sessions) lines.push('', ...renderSession(session, view));
  if (problems.length > 0)
    lines.push('', 'Problems:', ...problems.map((problem) => `  - ${oneLine(problem)}`));
  return lines.join('\n');
}

function renderSession(session: SessionDetail, view: DetailView): string[] {
  return [
    ...renderHead(session),
    ...renderTokens(session.slot.metadata.tokenUsage),
    '',
    ...renderBody(session, view),
  ];
}

const renderHead = ({ slot: { metadata } }: SessionDetail): string[] => [
  `Session: ${oneLine(metadata.sessionId) || UNKNOWN_SESSION}`,
  `Created: ${renderLocal(metadata.createdAt) || UNKNOWN_TIME}`,
];

const renderTokens = (usage: TokenUsage | undefined): string[] =>
  usage ? [`Tokens: ${totalTokens(usage)}`] : [];

function renderCommits(commits: readonly LogRow[], searchAll: boolean): string[] {
  if (commits.length === 0) return [`Commits: ${searchAll ? NO_COMMITS_AT_ALL : NO_COMMITS_FOUND}`];
  const rows = commits.map(
    ({ oid, committedAt, subject }) => `  ${oid.slice(0, 7)} ${localDay(committedAt)} ${oneLine(subject)}`,
  );
  return [`Commits: (${commits.length})`, ...rows];
}

function renderBody(session: SessionDetail, { extent }: DetailView): string[] {
  const { summary, prompts, transcript, slot, forgotten } = session;
  const none = forgotten ? forgottenPrompt(forgotten) : NOT_GENERATED;
  const intent = summary?.intent || cutTo(oneLine(prompts[0] ?? ''), INTENT_WIDTH) || none;
  const lines = [`Intent: ${oneLine(intent)}`, `Outcome: ${oneLine(summary?.outcome || NOT_GENERATED)}`];
  if (extent === 'short') return lines;
  if (summary) lines.push(...renderSummary(summary));
  lines.push('', ...renderFiles(slot.metadata.filesTouched, extent === 'full'));
  return [...lines, '', ...renderTranscript(transcript, prompts, extent === 'full')];
}

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

/** Files shown unless all are asked for. */
const MAX_FILES = 100;

function renderFiles(files: readonly string[], all: boolean): string[] {
  if (files.length === 0) return ['Files: (none)'];
  const shown = all ? files : files.slice(0, MAX_FILES);
  const more = files.length - shown.length;
  const rows = shown.map((file) => `  - ${showPath(file)}`);
  return [`Files: (${files.length})`, ...rows, ...(more > 0 ? [moreFiles(more)] : [])];
}

function renderTranscript(
  { kind, entries }: ShownTranscript,
  prompts: readonly string[],
  full: boolean,
): string[] {
  const title = full ? 'Transcript (full session):' : 'Transcript (checkpoint scope):';
  if (kind === 'read') return [title, sanitizeForTerminal(renderEntries(entries))];
  if (prompts.length > 0) {
    const note = kind === 'unreadable' ? [UNREADABLE_TRANSCRIPT] : [];
    return [title, sanitizeForTerminal(prompts.join('\n\n---\n\n')), ...note];
  }
  return [title, kind === 'empty' ? NO_TRANSCRIPT : UNREADABLE_TRANSCRIPT];
}

/** One step that no commit has yet, for people. */
export function renderStepDetail(detail: StepDetail, { extent }: DetailView): string {
  const { step, prompts, transcript, problems } = detail;
  const lines = [
    `Checkpoint: ${step.commit.oid.slice(0, 7)} [uncommitted]`,
    `Session: ${oneLine(step.sessionId) || UNKNOWN_SESSION}`,
    `Created: ${renderLocal(step.commit.committedAt) || UNKNOWN_TIME}`,
    '',
    `Intent: ${cutTo(oneLine(prompts[0] ?? ''), INTENT_WIDTH) || NOT_AVAILABLE}`,
    `Outcome: ${NOT_GENERATED}`,
  ];
  if (extent !== 'short') lines.push('', ...renderTranscript(transcript, prompts, extent === 'full'));
  if (problems.length > 0)
    lines.push('', 'Problems:', ...problems.map((problem) => `  - ${oneLine(problem)}`));
  return lines.join('\n');
}

/** How a checkpoint and a conversation are coloured. */
export const TONES: readonly RegExp[] = [
  /^(?<you>\[User[^\]]*\])(?: (?<quiet>\d{4}-\d\d-\d\d \d\d:\d\d))?/d,
  /^(?<agent>\[(?:Assistant|Agent)\])(?: (?<quiet>\d{4}-\d\d-\d\d \d\d:\d\d))?/d,
  /^(?<quiet>\[Tool\])/d,
  /^(?<warning>Problems?:)/d,
  /^(?:Checkpoint|Session): +(?<id>\S+)/d,
];
