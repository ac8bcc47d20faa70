/* Kept aside: whoever writes rules does not open this file, nor those beside it. */

import type { Kind } from '../kind.ts';
import { APPS } from './apps.ts';
import { ASSIGN } from './assign.ts';
import { CLOUD } from './cloud.ts';
import { CODE } from './code.ts';
import { COMMANDS } from './commands.ts';
import { CONNECT } from './connect.ts';
import { CUT } from './cut.ts';
import { DATA } from './data.ts';
import { KEYS } from './keys.ts';
import { MODELS } from './models.ts';
import { MONEY } from './money.ts';
import { SPOKEN } from './spoken.ts';
import { TALK } from './talk.ts';
import { WATCH } from './watch.ts';
import { WEB } from './web.ts';

/** Kinds of secrets that nobody who writes rules has seen: they tell what redaction finds of those that it was not made for. */
export const ASIDE: readonly Kind[] = [
  ...CLOUD,
  ...DATA,
  ...CODE,
  ...MODELS,
  ...TALK,
  ...MONEY,
  ...WATCH,
  ...APPS,
  ...COMMANDS,
  ...ASSIGN,
  ...CONNECT,
  ...WEB,
  ...KEYS,
  ...CUT,
  ...SPOKEN,
];
