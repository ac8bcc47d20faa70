import { basename, dirname, isAbsolute, sep } from 'node:path';
import type { SessionId } from '../../base/ids.ts';
import { isObject } from '../../base/text/json.ts';
import type { SessionHome } from '../session/session-home.ts';
import { ask, misfit, type Plugin, QUESTION } from './call.ts';
import { splitCommand } from './command.ts';

/** Where an agent keeps its sessions, as its executable says. Unlike those that are built in this throws `PLUGIN_FAILED`. */
export function externalSessionHome(plugin: Plugin): SessionHome {
  const dirs = new Map<string, string>();
  const sessionDir = (folder: string): string => {
    const dir =
      dirs.get(folder) ?? askPath(plugin, 'session_dir', ['get-session-dir', '--repo-path', folder]);
    dirs.set(folder, dir);
    return dir;
  };
  const sessionFile = (folder: string, id: SessionId): string => {
    const args = ['resolve-session-file', '--session-dir', sessionDir(folder), '--session-id', id] as const;
    return askPath(plugin, 'session_file', [...args]);
  };
  return {
    isAgentsOwn: false,
    root: () => sessionDir(plugin.root),
    isOnly: () => false,
    transcript: (_env, folder, sessionId) => sessionFile(folder, sessionId),
    isTranscriptOf: (file, sessionId) =>
      [basename(file), basename(dirname(file))].some((name) => name.includes(sessionId)),
    isKeptFor: (_env, file, folder) => file.startsWith(sessionDir(folder) + sep),
    copy: () => ({ refused: 'how this agent keeps its conversations is not known' }),
    list: () => [], // no question of the protocol asks for them
    resumeCommand(sessionId) {
      const command = 'format-resume-command';
      const answer = ask(plugin, [command, '--session-id', sessionId], QUESTION);
      const words =
        isObject(answer) && typeof answer.command === 'string' ? splitCommand(answer.command) : undefined;
      if (words === undefined) throw misfit(plugin.program, command, 'no command');
      return words;
    },
  };
}

function askPath(plugin: Plugin, key: string, args: readonly [string, ...string[]]): string {
  const answer = ask(plugin, args, QUESTION);
  const path = isObject(answer) ? answer[key] : undefined;
  if (typeof path === 'string' && isAbsolute(path) && !path.includes('\0'))
    return path.replace(/(?<=.)\/+$/, '');
  throw misfit(plugin.program, args[0], `no absolute path as "${key}"`);
}
