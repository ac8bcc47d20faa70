import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Claude Code keeps the transcripts of sessions that were started in a folder (absolute, physical). */
export function claudeProjectFolder(env: NodeJS.ProcessEnv, folder: string): string {
  const config = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude');
  return join(config, 'projects', folder.replace(/[^a-zA-Z0-9]/g, '-'));
}
