import { truncate } from '../../base/text/text.ts';
import { type Fact, type PorcelainForm, renderPorcelain } from '../../git/commit/blame-porcelain.ts';
import type { BlameReport, OriginLine } from '../../origin/blame.ts';
import { oneLine } from '../ui/terminal.ts';

/** A prompt can be a whole document on one line, and stands in a header once for each line it led to. */
const MAX_PROMPT = 200;

/** What `git blame` prints in that form, with what we know of each line in headers of our own; documented in docs/json.md. */
export const renderBlamePorcelain = ({ lines }: BlameReport, form: PorcelainForm): Buffer =>
  renderPorcelain(
    lines.map((line) => ({ ...line.told, facts: factsOf(line) })),
    form,
  );

function factsOf({ kind, reason, session, prompt, turn }: OriginLine): Fact[] {
  const facts: (readonly [string, string | undefined])[] = [
    ['entire-class', kind],
    ['entire-reason', reason],
    ['entire-agent', session?.agent],
    ['entire-session', session?.sessionId],
    ['entire-turn', turn],
    ['entire-checkpoint', session?.checkpoint],
    ['entire-prompt', prompt === undefined ? undefined : firstLine(prompt)],
  ];
  return facts.flatMap(([key, value]): Fact[] => {
    const shown = oneLine(value ?? '');
    return shown === '' ? [] : [[key, shown]];
  });
}

const firstLine = (prompt: string): string =>
  truncate(oneLine(prompt.trim().split('\n')[0] ?? ''), MAX_PROMPT, '...');
