import { EntireError } from '../../base/errors.ts';
import type { SearchPlace } from '../../base/process/find-program.ts';
import { isObject } from '../../base/text/json.ts';
import type { Rejected } from '../event.ts';
import { ask, HOOK, misfit, type Plugin, QUESTION } from './call.ts';
import { type ParsedHook, parseEvent } from './event.ts';
import { parseInfo } from './info.ts';
import type { ExternalAgent, FoundProgram } from './locate.ts';
import { externalSessionHome } from './session-home.ts';
import { externalSettings } from './settings.ts';
import { type HookTranscripts, hookTranscripts } from './transcripts.ts';

/** {@link ExternalAgent}, with what only its hooks need. */
export interface OpenedAgent extends ExternalAgent {
  /** @param payload as the agent gave it to the hook */
  parseHook(verb: string, payload: string): ParsedHook | Rejected | undefined;
  readonly transcripts: HookTranscripts;
}

/**
 * Asks an executable what it is.
 *
 * @param root worktree root, physical
 * @throws {EntireError} `PLUGIN_FAILED` in words
 */
export function openAgent(place: SearchPlace, root: string, found: FoundProgram): OpenedAgent {
  const { name, file, refusal } = found;
  if (refusal !== undefined) throw new EntireError('PLUGIN_FAILED', `${file} ${refusal}.`);
  const plugin: Plugin = { ...place, program: file, root };
  const info = parseInfo(ask(plugin, ['info'], QUESTION));
  if (typeof info === 'string') throw misfit(file, 'info', info);
  return {
    name,
    type: info.type,
    description: info.description,
    program: file,
    isPresent() {
      const answer = ask(plugin, ['detect'], QUESTION);
      return isObject(answer) && answer.present === true;
    },
    home: externalSessionHome(plugin),
    settings: externalSettings(plugin, info),
    parseHook: (verb, payload) => parseEvent(ask(plugin, ['parse-hook', '--hook', verb], HOOK, payload)),
    transcripts: hookTranscripts(plugin, info.capabilities),
  };
}
