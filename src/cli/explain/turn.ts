import { renderLocal } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { LineCounts } from '../../git/commit/line-counts.ts';
import type { Repo } from '../../git/locate.ts';
import type { Branch } from '../../history/branch.ts';
import { findSteps } from '../../history/find.ts';
import type { Step } from '../../history/temporary.ts';
import { type KeptTurn, listKeptTurns } from '../../restore/kept-turns.ts';
import { countStepLines } from '../../restore/step-lines.ts';
import type { WorktreeSteps } from '../../restore/worktree-steps.ts';
import { STATES } from '../diff/text.ts';
import { nameOfTurn, readTurnOf, stepOfTurn, type TurnName } from '../names/turns.ts';
import { page } from '../ui/pager.ts';
import { oneLine, renderJson, say } from '../ui/terminal.ts';
import { type DetailView, storyView } from './detail-view.ts';
import { renderAgent, renderFiles, renderHead, renderTokens } from './head.ts';
import { agentsOf, detailView, type ExplainFlags, explainOne } from './one.ts';
import { quotePrompt, renderStory } from './story.ts';
import * as text from './text.ts';
import { type ToldTurn, tellTurn } from './turn-story.ts';

/** A turn of which something is kept, and the step that was saved of it, while no commit has it. */
interface Found {
  readonly turn: KeptTurn;
  readonly steps: WorktreeSteps;
  readonly step: Step | undefined;
}

/**
 * Explains a turn, or a step of which only what was said is kept.
 *
 * @throws {EntireError} `NOT_FOUND`, `SNAPSHOT_DAMAGED`; `BAD_FLAGS` for what only a checkpoint has
 */
export async function explainTurn(branch: Branch, name: TurnName, flags: ExplainFlags): Promise<void> {
  const [saved] = name.kind === 'step' ? findSteps(branch, name.row.oid) : [];
  const found = await findTurn(branch, name, saved);
  const step = found?.step ?? saved;
  // Programs are told of a step what it holds.
  if (step && (!found || flags.json || flags.generate || flags['raw-transcript']))
    return explainOne(branch, { kind: 'temporary', step }, flags);
  if (found) return show(branch, found, flags);
}

async function findTurn(branch: Branch, name: TurnName, saved: Step | undefined): Promise<Found | undefined> {
  try {
    const { turn, steps } = await readTurnOf(branch.repo, name);
    const oid = saved ? undefined : stepOfTurn(branch.repo, turn);
    const [step] = oid === undefined ? [] : findSteps(branch, oid);
    return { turn, steps, step: saved ?? step };
  } catch (error) {
    // Of a step at least the transcript is there.
    if (saved && error instanceof EntireError) return undefined;
    throw error;
  }
}

async function show(branch: Branch, found: Found, flags: ExplainFlags): Promise<void> {
  const { turn } = found;
  const { repo } = branch;
  const name = nameOfTurn(repo, turn);
  if (flags.generate || flags['raw-transcript'])
    throw new EntireError('BAD_FLAGS', text.noTranscriptOfTurn(name), { hint: text.EXPLAIN_CHECKPOINT });
  const files = [...turn.record.files.keys()].sort();
  const lines = countLines(repo, turn, files);
  if (flags.json) return say(renderTurnJson(turn, files, lines));
  const extent = flags.short ? 'short' : flags.full ? 'full' : 'default';
  const told = await tellTurn(branch, turn, found.step);
  const shown = renderTurn(
    found,
    { name, files, lines, told },
    detailView(repo, { extent, searchAll: false, readAgents: agentsOf(branch, found.step) }),
    isNewest(repo, found),
  );
  await page(shown, flags['no-pager'] ?? false);
}

function countLines(
  repo: Repo,
  { session, record }: KeptTurn,
  files: readonly RepoPath[],
): ReadonlyMap<string, LineCounts> {
  const counts = countStepLines(
    repo,
    files.map((path) => ({ session, record, paths: new Set([path]) })),
  );
  return new Map(files.flatMap((file, at) => (counts[at] ? [[file, counts[at]] as const] : [])));
}

/** Whether `entire undo` takes that turn back by itself. */
function isNewest(repo: Repo, { turn, steps }: Found): boolean {
  const standing = listKeptTurns(repo, steps, turn.session).filter(({ state }) => state !== 'undone');
  return turn.state === 'over' && standing.at(-1)?.record.id === turn.record.id;
}

function renderTurnJson(
  { session, number, record, agentType, state }: KeptTurn,
  files: readonly string[],
  lines: ReadonlyMap<string, LineCounts>,
): string {
  return renderJson({
    ...{ checkpoint_id: null, turn: number, session_id: session, agent: agentType || null },
    ...{ at: record.at, prompt: record.subject || null, state: state.replace('-', '_') },
    files: files.map((path) => ({ path, lines: lines.get(path) ?? null })),
  });
}

interface TurnFacts {
  readonly name: string;
  readonly files: readonly string[];
  readonly lines: ReadonlyMap<string, LineCounts>;
  readonly told: ToldTurn;
}

function renderTurn(
  { turn: { session, record, agentType, state }, step }: Found,
  { name, files, lines, told }: TurnFacts,
  view: DetailView,
  isNewest: boolean,
): string {
  const { paint, extent } = view;
  const { turn, models, usage } = told;
  const story = storyView({ turns: turn ? [turn] : [], agent: agentType }, files, view);
  const shown = renderHead([
    ['Turn', `${paint('id', name)}${STATES[state]}`],
    ['Step', step && `${paint('id', step.commit.oid.slice(0, 7))} ${paint('open', '[uncommitted]')}`],
    ['Session', paint('id', session)],
    ['Agent', paint('agent', renderAgent(agentType, models))],
    ['Date', renderLocal(record.at) || text.UNKNOWN_TIME],
    ['Tokens', renderTokens(usage, agentType)],
  ]);
  const asked = turn?.items.find(({ kind }) => kind === 'prompt');
  const prompt = asked?.kind === 'prompt' ? asked.text : oneLine(record.subject);
  const quoted = prompt === '' ? text.NO_PROMPT : quotePrompt(prompt, story).join('\n');
  if (extent === 'short') return [...shown, '', quoted].join('\n');
  const said = turn ? renderStory([turn], story) : [quoted];
  shown.push('', ...renderFiles(files, lines, story), '', ...said);
  return [...shown, '', paint('quiet', text.moreOfTurn(name, isNewest))].join('\n');
}
