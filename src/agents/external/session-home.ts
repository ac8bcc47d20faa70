import { basename, dirname, isAbsolute, sep } from 'node:path';
import type { SessionId } from '../../base/ids.ts';
import { isObject } from '../../base/text/json.ts';
import type { SessionHome } from '../shared/session/session-home.ts';
import { ask, misfit, type Plugin, QUESTION } from './call.ts';

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

/** What a shell would make more of than words. */
const SHELL_SYNTAX = /[|&;<>()$`\\*?[\]#~{}!\n\r]|^\s*\w+=/;

/**
 * A command line as program and arguments; `undefined` when there is nothing in it. One that only a shell understands is
 * given to a shell as it stands.
 */
export function splitCommand(line: string): readonly [string, ...string[]] | undefined {
  const text = line.trim();
  if (text === '' || text.includes('\0')) return undefined;
  const words = splitWords(text);
  const [program, ...args] = words ?? ['sh', '-c', text];
  return program === undefined ? undefined : [program, ...args];
}

/** Words between blanks, quotes taken off; `undefined` where that is not all that a shell would do. */
function splitWords(text: string): string[] | undefined {
  if (SHELL_SYNTAX.test(text.replace(/'[^']*'/g, ''))) return undefined;
  const words: string[] = [];
  let rest = text;
  while (rest !== '') {
    const [all, word = ''] = /^((?:[^\s'"]|'[^']*'|"[^"]*")+)\s*/.exec(rest) ?? [];
    if (all === undefined) return undefined; // a quote that is never closed
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    rest = rest.slice(all.length);
  }
  return words;
}
