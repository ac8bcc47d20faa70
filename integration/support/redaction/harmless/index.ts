import type { Kind } from '../kind.ts';
import { CODE } from './code.ts';
import { DIGESTS } from './digests.ts';
import { GIT } from './git.ts';
import { IDS } from './ids.ts';
import { LOGS } from './logs.ts';
import { NEAR } from './near.ts';
import { PATHS } from './paths.ts';
import { PROSE } from './prose.ts';
import { WEB } from './web.ts';

/** Kinds of texts that must stay as they are. */
export const HARMLESS: readonly Kind[] = [
  ...GIT,
  ...IDS,
  ...DIGESTS,
  ...WEB,
  ...PATHS,
  ...CODE,
  ...LOGS,
  ...PROSE,
  ...NEAR,
];
