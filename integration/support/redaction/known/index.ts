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
import { NAMES } from './names.ts';
import { RANDOM } from './random.ts';
import { SPOKEN } from './spoken.ts';
import { TALK } from './talk.ts';
import { TOLD } from './told.ts';
import { WATCH } from './watch.ts';
import { WEB } from './web.ts';

/** Kinds of secrets that rules may be written for. */
export const KNOWN: readonly Kind[] = [
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
  ...RANDOM,
  ...CUT,
  ...SPOKEN,
  ...NAMES,
  ...TOLD,
];
