import { parseSessionId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { storeOf } from '../../snapshot/place.ts';
import { type NumberedTurns, numberTurns } from '../../snapshot/record/turn-records.ts';
import { subjectFromPrompt } from '../../strategy/turn/words.ts';
import type { FoundTurn } from './turns.ts';

/** A turn ends so long before what is on record of it, or after, where clocks differ. */
const SLACK_MS = 60_000;

/**
 * The number by which `entire diff <session>:<n>` knows a turn; `undefined` for one that changed no file, or of which nothing is kept. A
 * turn is told by what it is called after its prompt; of several that are called the same the next one after what was found.
 */
export function openTurnNumbers(repo: Repo): (turn: FoundTurn) => number | undefined {
  const bySession = new Map<string, NumberedTurns['turns']>();
  return ({ session, prompt, at }) => {
    if (prompt.trim() === '' || at === 0) return undefined;
    const subject = subjectFromPrompt(prompt, '');
    const kept = bySession.get(session) ?? readKept(repo, session);
    bySession.set(session, kept);
    return kept.find(
      ({ record }) => record.subject === subject && Date.parse(record.at) >= at * 1000 - SLACK_MS,
    )?.number;
  };
}

function readKept(repo: Repo, session: string): NumberedTurns['turns'] {
  const id = parseSessionId(session);
  return id ? numberTurns(storeOf(repo, id)).turns : [];
}
