/** Codex: what every client has to show. */
import { codex } from './drivers/codex.ts';
import { describeClient, describeTogether } from './suite.ts';

describeClient(codex);
describeTogether(codex, codex);
