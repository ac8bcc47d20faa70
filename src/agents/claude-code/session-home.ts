import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SessionId } from '../../base/ids.ts';
import type { SessionHome } from '../shared/session/session-home.ts';
import { copyBeside, projectSessions } from '../shared/session/session-home.ts';
import { isLines } from '../shared/transcript/kept-transcripts.ts';

/**
 * Claude Code's transcripts: `<config>/projects/<name of the folder>/<session>.jsonl`, where `<config>` is
 * `CLAUDE_CONFIG_DIR`, else `~/.claude`. `ENTIRE_TEST_CLAUDE_PROJECT_DIR` stands in for the folder of every project.
 */
export const claudeSessionHome: SessionHome = {
  isAgentsOwn: true,
  ...projectSessions({
    projects: (env) => join(configDir(env), 'projects'),
    standIn: testFolder,
    projectName,
    isSession,
  }),
  isOnly: () => true,
  copy: copyBeside,
  resumeCommand: (sessionId: SessionId) => ['claude', '-r', sessionId],
};

/** Older versions put the transcripts of sub-agents beside those of sessions. */
function isSession(name: string): boolean {
  return isLines(name) && !name.startsWith('agent-');
}

function testFolder(env: NodeJS.ProcessEnv): string | undefined {
  return env.ENTIRE_TEST_CLAUDE_PROJECT_DIR ? resolve(env.ENTIRE_TEST_CLAUDE_PROJECT_DIR) : undefined;
}

/** Claude Code's own folder, absolute. */
export const configDir = (env: NodeJS.ProcessEnv): string =>
  env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(env.HOME || homedir(), '.claude');

/** Longer names are cut, and told apart by a digest of the whole path. */
const MAX_NAME = 200;

/** The name of a project's folder: every character that is no ASCII letter or digit is a dash. */
export function projectName(folder: string): string {
  const name = folder.replace(/[^a-zA-Z0-9]/g, '-');
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}-${digest(folder)}`;
}

/** 32 bits, each UTF-16 unit added to 31 times the sum so far; the amount of it in base 36. */
function digest(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return Math.abs(sum).toString(36);
}
