import type { ObjectId } from '../base/ids.ts';
import type { Kept } from '../checkpoint/remote-refs.ts';
import type { Git } from '../git/run.ts';
import type { Tombstone } from '../session/tombstones.ts';
import { askRefs, followRefs, type There } from './exchange.ts';
import { noteUrls } from './spoken.ts';
import type { Answer, Failure, Line } from './transport.ts';
import { takeIn, type Union } from './union.ts';

/** What a place has, and is here now. */
export interface FetchedTips {
  /** Wherever it keeps checkpoints: on a branch, at a ref, or, while it moves from one to the other, at both. */
  readonly record: ReadonlyMap<Kept, ObjectId>;
  readonly notes: ObjectId | undefined;
  readonly notesFailure: Failure | undefined;
}

/** Fetches what the first place of a destination has. One process where that is here already, else two. */
export async function fetchTips(line: Line, commonDir: string): Promise<Answer<FetchedTips>> {
  const [place] = line.to.places;
  const there = await askRefs({ ...line, to: { ...line.to, places: [place] } });
  if ('failure' in there) return there;
  const followed = await followRefs(line, place, there.value[0] as There, ['branch', 'ref', 'notes']);
  const record = new Map<Kept, ObjectId>();
  for (const what of ['branch', 'ref'] as const) {
    const answer = followed.get(what);
    if (answer && 'failure' in answer) return answer;
    if (answer?.value) record.set(what, answer.value);
  }
  noteUrls(commonDir, [place]);
  const notes = followed.get('notes');
  if (notes && 'failure' in notes)
    return { value: { record, notes: undefined, notesFailure: notes.failure } };
  return { value: { record, notes: notes?.value, notesFailure: undefined } };
}

/** {@link takeIn} for each place where a remote keeps checkpoints; `undefined` where it has none. */
export function takeInAll(
  git: Git,
  commonDir: string,
  record: FetchedTips['record'],
  onLeftOut: (stone: Tombstone, what: Kept) => void,
): Omit<Union, 'leftOut'> | undefined {
  let all: Omit<Union, 'leftOut'> | undefined;
  for (const [what, tip] of record) {
    const { leftOut, ...union } = takeIn(git, commonDir, tip);
    for (const stone of leftOut) onLeftOut(stone, what);
    // What the second place brings on top of the first is no merge with anything that was made here.
    if (all === undefined || all.kind === 'up-to-date')
      all = { ...union, before: all?.before ?? union.before };
    else all = { ...all, tip: union.tip };
  }
  return all;
}
