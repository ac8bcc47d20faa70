import { localDay } from '../../base/clock.ts';
import { collapse, showPath } from '../../base/text/text.ts';
import type { CommitShares } from '../../origin/commit-shares.ts';
import { linesOf, sumOf } from '../../origin/line-shares.ts';
import type { SessionShare } from '../../origin/shares.ts';
import type { NamedCheckpoint, WhyReport } from '../../origin/why.ts';
import { forgottenOn } from '../forget/view.ts';
import { renderShares } from '../ui/line-shares.ts';
import { renderJson } from '../ui/terminal.ts';
import { cutTo } from '../ui/width.ts';
import * as text from './text.ts';

const FILES_SHOWN = 20;
const PROMPT_WIDTH = 72;

/**
 * The report for people; not sanitised yet.
 *
 * @param counted whose its lines are; of a merge, and of a commit that is too large, nothing is counted
 */
export function renderWhy(report: WhyReport, counted?: CommitShares): string {
  const { commit, subject, author, authoredAt, trailer, problems, waiting, sessions } = report;
  const advice = adviceOf(report);
  const lines = [
    `Commit ${commit.slice(0, 7)} ${cutTo(collapse(subject), PROMPT_WIDTH)}`,
    `Author: ${collapse(author)}, ${localDay(authoredAt)}`,
    '',
    `${text.STATUS_WORDS[report.status]}: ${explain(report)}.`,
  ];
  if (trailer) lines.push(`Checkpoint: ${trailer}`);
  const [linked, others] = [true, false].map((isLinked) =>
    report.mentioned.filter((one) => leadsTo(one) === isLinked),
  );
  lines.push(...(linked ?? []).map(({ id, place }) => `Checkpoint: ${id} (${text.PLACES[place]})`));
  for (const share of joinSessions(sessions)) lines.push('', ...renderShare(share, counted));
  if (report.forgotten.length > 0)
    lines.push(
      '',
      ...report.forgotten.map(({ sessionId, atMs, isWhole }) => forgottenOn(sessionId, atMs, isWhole)),
    );
  if (waiting.length > 0) lines.push('', text.WAITING, ...waiting.map((id) => `  ${id}`));
  if (others && others.length > 0)
    lines.push(
      '',
      text.MENTIONED,
      ...others.map(
        ({ id, misfit }) => `  ${id} (${misfit === undefined ? text.NOT_HERE : collapse(misfit)})`,
      ),
    );
  if (problems.length > 0) lines.push('', 'Problems:', ...problems.map((problem) => `  ${problem}`));
  if (advice.length > 0) lines.push('', ...advice);
  if (counted && sumOf(counted.added) > 0) lines.push('', text.added(renderShares(counted.added)));
  const ids = [...(trailer ? [trailer] : []), ...(linked ?? []).map(({ id }) => id)];
  if (sessions.length > 0) lines.push('', ...text.more(ids));
  return lines.join('\n');
}

const leadsTo = ({ isStored, misfit }: NamedCheckpoint): boolean => isStored && misfit === undefined;

/** A reason that a later version wrote has no sentence here. */
const explanationOf = ({ reason }: WhyReport) =>
  Object.hasOwn(text.EXPLANATIONS, reason) ? text.EXPLANATIONS[reason] : undefined;

/** Why a commit is linked, or is not, in one sentence without its full stop. */
export function explain(report: WhyReport): string {
  const known = explanationOf(report)?.sentence ?? report.reason;
  const said = typeof known === 'string' ? known : known(report);
  const sentence = report.isNoted ? said.replace('its trailer', 'its git note') : said;
  const told = report.verdict?.reason === report.reason ? report.verdict.detail : undefined;
  const detail = report.misfit ?? told;
  return detail ? `${sentence}: ${collapse(detail)}` : sentence;
}

const adviceOf = (report: WhyReport): readonly string[] => explanationOf(report)?.advise(report) ?? [];

/** One for each session, also of one that led to the commit by several checkpoints. */
function joinSessions(shares: readonly SessionShare[]): SessionShare[] {
  const known = new Map<string, SessionShare>();
  for (const share of shares.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))) {
    const before = known.get(share.sessionId);
    known.set(share.sessionId, before ? joined(before, share) : share);
  }
  return [...new Set(shares.map(({ sessionId }) => known.get(sessionId) as SessionShare))];
}

const joined = (one: SessionShare, next: SessionShare): SessionShare => ({
  ...one,
  firstPrompt: one.firstPrompt ?? next.firstPrompt,
  lastPrompt: next.lastPrompt ?? next.firstPrompt ?? one.lastPrompt,
  files: [...new Set([...one.files, ...next.files])],
  filesTouched: [...new Set([...one.filesTouched, ...next.filesTouched])],
  attribution: undefined,
});

/** Files that it touched; not those of which another session wrote what the commit has of them. */
function filesOf({ sessionId, files }: SessionShare, counted: CommitShares | undefined): readonly string[] {
  const own = counted?.bySession.get(sessionId);
  const isOfOthers = (path: string): boolean =>
    !own?.has(path) && [...(counted?.bySession.values() ?? [])].some((lines) => lines.has(path));
  return files.filter((path) => !isOfOthers(path));
}

function renderShare(share: SessionShare, counted: CommitShares | undefined): string[] {
  const { sessionId, agent, firstPrompt, lastPrompt, filesTouched, attribution } = share;
  const files = filesOf(share, counted);
  const lines = [
    `${agent || '(unknown agent)'} session ${sessionId || '(unknown)'}`,
    `  ${lastPrompt ? 'First prompt' : 'Prompt'}: ${quote(firstPrompt)}`,
  ];
  if (lastPrompt) lines.push(`  Last prompt:  ${quote(lastPrompt)}`);
  lines.push(`  Files: ${files.length} in this commit, ${filesTouched.length} touched`);
  lines.push(...files.slice(0, FILES_SHOWN).map((path) => `    ${showPath(path)}`));
  if (files.length > FILES_SHOWN) lines.push(`    and ${files.length - FILES_SHOWN} more`);
  const stored = attribution && renderAttribution(attribution);
  const told = counted ? sumOf(counted.added) > 0 && text.ownLines(linesOf(counted, sessionId)) : stored;
  return told ? [...lines, `  ${told}`] : lines;
}

const quote = (prompt: string | undefined): string =>
  prompt ? `"${cutTo(collapse(prompt), PROMPT_WIDTH)}"` : text.NO_PROMPT;

/**
 * Counts as they are stored, which other versions read, too: each session's for itself, by what its steps made of its files and what
 * the commit has otherwise. They know neither moved lines nor those of unknown origin, so that no share is made of them.
 */
function renderAttribution(stored: Readonly<Record<string, unknown>>): string | undefined {
  const count = (key: string) => (Number.isSafeInteger(stored[key]) ? (stored[key] as number) : undefined);
  const [agent, added, changed] = [count('agent_lines'), count('human_added'), count('human_modified')];
  if (agent === undefined) return undefined;
  return text.estimate(agent, added ?? 0, changed ?? 0);
}

/** The report for programs; documented in docs/json.md. */
export function renderWhyJson(report: WhyReport): string {
  const value = {
    commit: report.commit,
    subject: report.subject,
    author: report.author,
    authored_at: report.authoredAt,
    status: report.status,
    reason: report.reason,
    explanation: explain(report),
    checkpoint: report.trailer ?? null,
    forgotten: report.forgotten.map(({ sessionId, atMs, isWhole }) => ({
      session_id: sessionId,
      at: new Date(atMs).toISOString(),
      whole: isWhole,
    })),
    verdict: report.verdict
      ? { reason: report.verdict.reason, at: report.verdict.at, detail: report.verdict.detail ?? null }
      : null,
    sessions: report.sessions.map((share) => ({
      session_id: share.sessionId,
      agent: share.agent,
      created_at: share.createdAt,
      first_prompt: share.firstPrompt ?? null,
      last_prompt: share.lastPrompt ?? share.firstPrompt ?? null,
      files_in_commit: share.files,
      files_touched: share.filesTouched.length,
      initial_attribution: share.attribution ?? null,
    })),
    mentioned: report.mentioned.map(({ id, place, isStored, misfit }) => ({
      checkpoint: id,
      place,
      stored: isStored,
      misfit: misfit ?? null,
    })),
    replayed_from: report.replayed ?? null,
    waiting_sessions: report.waiting,
    owed: report.isOwed,
    problems: report.problems,
    advice: adviceOf(report),
  };
  return renderJson(value);
}

/** How the report is coloured. */
export const TONES: readonly RegExp[] = [
  /^Commit (?<id>[0-9a-f]{7}) /d,
  /^(?:(?<good>Linked)|(?<warning>Incomplete|Problems)|(?<open>Not linked)):/d,
  /^Checkpoint: (?<id>[0-9a-f]+)/d,
  /^(?<agent>\S.*) session (?<id>[\w-]+)$/d,
  /^(?<quiet>More: .*)$/d,
];
