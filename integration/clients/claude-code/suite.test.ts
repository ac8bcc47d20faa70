/** What every client has to show. */
import { claudeCode } from '../drivers/claude-code.ts';
import { describeClient, describeTogether } from '../suite.ts';

describeClient(claudeCode);
describeTogether(claudeCode, claudeCode);
