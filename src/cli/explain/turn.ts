import { renderLocal } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import { showPath } from '../../base/text/text.ts';
import type { Repo } from '../../git/locate.ts';
import type { Branch } from '../../history/branch.ts';
import { findSteps } from '../../history/find.ts';
import type { Step } from '../../history/temporary.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
import { countStepLines } from '../../restore/step-lines.ts';
import { STATES } from '../diff/text.ts';
import { nameOfTurn, readTurn, stepOfTurn, type TurnName } from '../names/turns.ts';
import { oneLine, plain, renderJson, say } from '../ui/terminal.ts';
import type { ExplainFlags } from './one.ts';
import * as text from './text.ts';

/** A turn: as the step that was saved of it, with what was said, while no commit has it; else what is kept of its files. */
type TurnOrStep =
  | { readonly kind: 'temporary'; readonly step: Step }
  | { readonly kind: 'turn'; readonly turn: KeptTurn };

/** @throws {EntireError} `NOT_FOUND`, `SNAPSHOT_DAMAGED` */
export async function findTurnOrStep(branch: Branch, name: TurnName): Promise<TurnOrStep> {
  const [saved] = name.kind === 'step' ? findSteps(branch, name.row.oid) : [];
  if (saved) return { kind: 'temporary', step: saved };
  const turn = await readTurn(branch.repo, name);
  const oid = stepOfTurn(branch.repo, turn);
  const [step] = oid === undefined ? [] : findSteps(branch, oid);
  return step ? { kind: 'temporary', step } : { kind: 'turn', turn };
}

/** Prints a turn of which no step is left. @throws {EntireError} `BAD_FLAGS` for what only a checkpoint has */
export function explainTurn(repo: Repo, turn: KeptTurn, flags: ExplainFlags): void {
  const name = nameOfTurn(repo, turn);
  if (flags.generate || flags['raw-transcript'])
    throw new EntireError('BAD_FLAGS', text.noTranscriptOfTurn(name), { hint: text.EXPLAIN_CHECKPOINT });
  const { session, number, record, agentType, state } = turn;
  const files = [...record.files.keys()].sort();
  const lines = files.map((path) => countStepLines(repo, [{ session, record, paths: new Set([path]) }])[0]);
  if (flags.json)
    return say(
      renderJson({
        ...{ checkpoint_id: null, turn: number, session_id: session, agent: agentType || null },
        ...{ at: record.at, prompt: record.subject || null, state: state.replace('-', '_') },
        files: files.map((path, at) => ({ path, lines: lines[at] ?? null })),
      }),
    );
  const rows = files.map((path, at) => {
    const counts = lines[at];
    return `  - ${showPath(path)}${counts ? ` +${counts.added} -${counts.removed}` : ''}`;
  });
  const shown = [
    `Turn: ${name}${STATES[state]}`,
    `Session: ${session}`,
    `Agent: ${oneLine(agentType) || text.UNKNOWN_SESSION}`,
    `Created: ${renderLocal(record.at) || text.UNKNOWN_TIME}`,
    '',
    `Intent: ${oneLine(record.subject) || text.NO_PROMPT}`,
    ...(flags.short ? [] : ['', `Files: (${files.length})`, ...rows, '', text.moreOfTurn(name, session)]),
  ];
  say(plain(shown.join('\n')));
}
