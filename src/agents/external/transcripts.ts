import { isAbsolute, join } from 'node:path';
import { disk, makePlainFolder } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { isObject } from '../../base/text/json.ts';
import { ask, call, misfit, type Plugin, QUESTION, TRANSCRIPT } from './call.ts';

/** What hooks ask an executable about the transcript of a session. */
export interface HookTranscripts {
  /**
   * A file with the transcript as it is now: the agent's own, or a copy of ours where it keeps none on the disk.
   *
   * @param reference as an event names it: a path, or a word of the agent's
   * @throws {EntireError} `PLUGIN_FAILED`
   */
  fetch(sessionId: SessionId, reference: string): string;
  /** The same file as it was left when it was fetched last. Asks nobody. */
  known(sessionId: SessionId, reference: string): string | undefined;
  /** Where a transcript ends, in the agent's own measure; `undefined` where it knows none. @throws as {@link fetch} */
  position(reference: string): number | undefined;
  /** Files that tools wrote from there on; none where the agent cannot tell. @throws as {@link fetch} */
  filesSince(reference: string, position: number): readonly string[];
  /** What people typed from there on; none where the agent cannot tell. @throws as {@link fetch} */
  promptsSince(reference: string, position: number): readonly string[];
}

export function hookTranscripts(plugin: Plugin, capabilities: ReadonlySet<string>): HookTranscripts {
  const { program, root } = plugin;
  const copyOf = (sessionId: SessionId): string => join(root, '.entire', 'tmp', `${sessionId}.jsonl`);
  const fail = (command: string, key: string): never => {
    throw misfit(program, command, `no "${key}"`);
  };
  const canAnalyse = capabilities.has('transcript_analyzer');
  return {
    fetch(sessionId, reference) {
      if (capabilities.has('transcript_preparer'))
        call(plugin, ['prepare-transcript', '--session-ref', reference], TRANSCRIPT);
      if (isOwnFile(reference)) return reference;
      const bytes = call(plugin, ['read-transcript', '--session-ref', reference], TRANSCRIPT);
      makePlainFolder(root, '.entire', 'tmp');
      writeFileAtomic(copyOf(sessionId), bytes, { mode: 0o600 });
      return copyOf(sessionId);
    },
    known: (sessionId, reference) =>
      isOwnFile(reference) ? reference : disk.existsSync(copyOf(sessionId)) ? copyOf(sessionId) : undefined,
    position(reference) {
      if (!canAnalyse) return undefined;
      const command = 'get-transcript-position';
      const answer = ask(plugin, [command, '--path', reference], QUESTION);
      const position = isObject(answer) ? answer.position : undefined;
      if (typeof position === 'number' && Number.isSafeInteger(position) && position >= 0) return position;
      return fail(command, 'position');
    },
    filesSince(reference, position) {
      if (!canAnalyse) return [];
      const command = 'extract-modified-files';
      const answer = ask(plugin, [command, '--path', reference, '--offset', String(position)], QUESTION);
      return listOf(answer, 'files') ?? fail(command, 'files');
    },
    promptsSince(reference, position) {
      if (!canAnalyse) return [];
      const command = 'extract-prompts';
      const answer = ask(
        plugin,
        [command, '--session-ref', reference, '--offset', String(position)],
        QUESTION,
      );
      return listOf(answer, 'prompts') ?? fail(command, 'prompts');
    },
  };
}

/** Texts that say something. */
function listOf(answer: unknown, key: string): string[] | undefined {
  const list = isObject(answer) ? answer[key] : undefined;
  if (list === null) return []; // how Go writes a list without anything in it
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string' && text !== '') : undefined;
}

/**
 * Whether a reference is the file that the agent writes: there, or yet to come. A word is none, and neither is a folder, nor
 * what no file can be called or nobody may look at.
 */
function isOwnFile(reference: string): boolean {
  if (!isAbsolute(reference)) return false;
  try {
    return disk.statSync(reference, { throwIfNoEntry: false })?.isFile() ?? true;
  } catch {
    return false;
  }
}
