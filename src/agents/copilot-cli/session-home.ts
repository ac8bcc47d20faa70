import { basename, dirname, join, relative } from 'node:path';
import type { SessionId } from '../../base/ids.ts';
import type { SessionHome } from '../shared/session/session-home.ts';
import { copyBeside } from '../shared/session/session-home.ts';
import { findText, listKept, newestFirst, pathsIn } from '../shared/transcript/kept-transcripts.ts';
import { sessionsFolder, transcriptOf } from './hook-input.ts';

/**
 * Copilot CLI's transcripts: `<home>/session-state/<session>/events.jsonl`, whatever the project, where `<home>` is
 * `COPILOT_HOME`, else `~/.copilot`. `ENTIRE_TEST_COPILOT_PROJECT_DIR` stands in for `session-state`.
 */
export const copilotSessionHome: SessionHome = {
  isAgentsOwn: true,
  root: sessionsFolder,
  isOnly: () => true,
  transcript: (env, _folder, sessionId) => transcriptOf(env, sessionId),
  isTranscriptOf: (file, sessionId) =>
    basename(file) === 'events.jsonl' && basename(dirname(file)) === sessionId,

  /** Names tell nothing of folders: the client finds every session from everywhere. */
  isKeptFor: (env, file) => /^[^/\\]+[/\\]events\.jsonl$/.test(relative(sessionsFolder(env), file)),

  list(env, limit, folder, look) {
    const sessions = pathsIn(sessionsFolder(env), () => true, look);
    const files = newestFirst(sessions.map((dir) => join(dir, 'events.jsonl')));
    return listKept(files, { limit, folder, look }, (path, head) => ({
      sessionId: basename(dirname(path)),
      folder: findText(head, 'cwd'),
    }));
  },

  copy(transcript) {
    const { sessionId } = copyBeside(transcript);
    return { sessionId, file: join(dirname(dirname(transcript)), sessionId, basename(transcript)) };
  },

  resumeCommand: (sessionId: SessionId) => ['copilot', '--resume', sessionId],
};
