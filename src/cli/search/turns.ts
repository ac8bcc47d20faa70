import type { Hit, RepeatedTurn } from '../../search/query/find.ts';

/** What was found in one turn of a session. */
export interface FoundTurn {
  readonly session: string;
  readonly agent: string;
  readonly folder: string;
  readonly checkpoint: string;
  /** When it began, or what was found in it was said first; in seconds since 1970, 0 where nothing says so. */
  readonly at: number;
  /** Empty where it is not known. */
  readonly prompt: string;
  readonly repeated: RepeatedTurn | undefined;
  /** The best first. */
  readonly hits: readonly Hit[];
}

/** Hits by the turns that they are of, the one with the best hit first. */
export function groupHits(hits: readonly Hit[]): FoundTurn[] {
  const turns = new Map<string, Hit[]>();
  for (const hit of hits) {
    const key = `${hit.source} ${hit.turn}`;
    const known = turns.get(key);
    if (known) known.push(hit);
    else turns.set(key, [hit]);
  }
  return [...turns.values()].map((all): FoundTurn => {
    const [{ session, agent, folder, checkpoint, prompt, repeated }] = all as [Hit];
    const times = all.flatMap(({ at }) => (at > 0 ? at : []));
    return {
      session,
      agent,
      folder,
      checkpoint,
      prompt,
      repeated,
      at: times.length > 0 ? Math.min(...times) : 0,
      hits: all,
    };
  });
}
