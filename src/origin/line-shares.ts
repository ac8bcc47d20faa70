import type { LineClass } from './classify.ts';

/** Lines by whose they are. */
export type Shares = Readonly<Record<LineClass, number>>;

export const sumOf = ({ agent, human, unknown }: Shares): number => agent + human + unknown;
