import { truncate } from '../../base/text/text.ts';
import { readCheckpoints, type StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { readPrompts } from '../../checkpoint/read/texts.ts';
import type { LogRow } from '../../git/log.ts';
import type { Branch } from '../../history/branch.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { oneLine } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';
import type { Named } from './named.ts';

/** More than these nobody reads. */
const MOST = 10;

/** What a word could stand for, a line for each: what it is, its id, how old it is, and what it is about. */
export async function describeCandidates(branch: Branch, candidates: readonly Named[]): Promise<string> {
  const shown = candidates.slice(0, MOST);
  const ids = shown.flatMap((one) => (one.kind === 'checkpoint' ? [one.id] : []));
  const stored = await readCheckpoints(branch.store, ids);
  const describe = (one: Named): readonly string[] => {
    switch (one.kind) {
      case 'session':
        return [one.kind, one.id, ...describeSession(branch, one)];
      case 'checkpoint':
        return [one.kind, one.id, ...describeCheckpoint(branch, stored.get(one.id))];
      case 'commit':
        return [one.kind, one.row.oid.slice(0, 12), ...describeRow(one.row)];
      case 'step':
        return ['turn', one.row.oid.slice(0, 12), ...describeRow(one.row)];
      case 'branch':
        return [one.kind, one.name];
      case 'turn':
        return [one.kind, `${one.session ?? ''}:${one.number}`];
    }
  };
  const rows = shown.map((one) => describe(one));
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const [kind, id, age] = [width(0), width(1), width(2)];
  const lines = rows.map(([what = '', name = '', when = '', about = '']) =>
    `  ${what.padEnd(kind)}  ${name.padEnd(id)}  ${when.padEnd(age)}  ${about}`.trimEnd(),
  );
  const rest = candidates.length - shown.length;
  return [...lines, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
}

const TITLE_WIDTH = 60;
const titleOf = (text: string): string => truncate(oneLine(text), TITLE_WIDTH, '…');

function describeSession({ repo }: Branch, { id }: Extract<Named, { kind: 'session' }>): string[] {
  const state = readStateIfReadable(sessionsDir(repo.commonDir), id);
  return state ? [ago(state.lastInteractionTime ?? state.startedAt), titleOf(state.firstPrompt)] : [];
}

function describeCheckpoint({ store }: Branch, checkpoint: StoredCheckpoint | undefined): string[] {
  const slot = checkpoint?.slots.at(-1);
  if (!slot) return [];
  const prompts = readPrompts(store, [slot]).get(slot) ?? [];
  return [ago(slot.metadata.createdAt), titleOf(prompts.at(-1) ?? '')];
}

const describeRow = ({ committedAt, subject }: LogRow): string[] => [ago(committedAt), titleOf(subject)];
