import type { LineClass } from './classify.ts';

/** Lines by whose they are. */
export type Shares = Readonly<Record<LineClass, number>>;

export const sumOf = ({ agent, human, unknown }: Shares): number => agent + human + unknown;

/** How many lines a session has, of what was counted by session and file. */
export const linesOf = (
  { bySession }: { readonly bySession: ReadonlyMap<string, ReadonlyMap<string, number>> },
  sessionId: string,
): number => [...(bySession.get(sessionId)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
