import { readUserText } from '../../base/file/small-file.ts';
import { asObject, asObjects, isObject, parseJson } from '../../base/text/json.ts';
import type { SessionStart } from '../event.ts';
import { readHead } from '../transcript/kept-transcripts.ts';
import { stripTags } from '../transcript/prompt-tags.ts';
import { lookAtTranscript } from '../transcript/transcript-door.ts';
import { settingsFile } from './session-home.ts';
import { droidTranscript } from './transcript.ts';

/** More than the first line of a transcript has, which is about the session. */
const FIRST_LINE_BYTES = 64 * 1024;

/**
 * The prompt that a session begins with and that no hook will tell: `droid exec` runs none of `UserPromptSubmit`. It marks its
 * sessions with a tag, and calls them after the prompt, which it cuts. `undefined` for a session that has prompts of its own.
 * Never throws.
 */
export function findUnsaidPrompt({ transcriptPath }: SessionStart): string | undefined {
  if (transcriptPath === undefined) return undefined;
  try {
    const settings = parseJson(readUserText(settingsFile(transcriptPath), 'home') ?? '');
    const tags = asObjects(asObject(settings).tags);
    if (!tags.some(({ name }) => name === 'exec')) return undefined;
    // Nothing but this line is there yet where the session is new.
    if (!lookAtTranscript(transcriptPath, droidTranscript.looksLike)) return '';
    const [line = ''] = (readHead(transcriptPath, FIRST_LINE_BYTES) ?? '').split('\n', 1);
    const session = parseJson(line);
    return isObject(session) && typeof session.title === 'string' ? stripTags(session.title) : '';
  } catch {
    return undefined; // the turn then begins with what it changes
  }
}
