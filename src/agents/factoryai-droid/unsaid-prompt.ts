import { readPlainText, readTextIfExists } from '../../base/disk.ts';
import { asObject, asObjects, isObject, parseJson } from '../../base/json.ts';
import type { SessionStart } from '../event.ts';
import { stripTags } from '../prompt-tags.ts';
import { lookAtTranscript } from '../transcript-door.ts';
import { settingsFile } from './session-home.ts';
import { droidTranscript } from './transcript.ts';

/**
 * The prompt that a session begins with and that no hook will tell: `droid exec` runs none of `UserPromptSubmit`. It marks its
 * sessions with a tag, and calls them after the prompt, which it cuts. `undefined` for a session that has prompts of its own.
 * Never throws.
 */
export function findUnsaidPrompt({ transcriptPath }: SessionStart): string | undefined {
  if (transcriptPath === undefined) return undefined;
  try {
    const settings = parseJson(readPlainText(settingsFile(transcriptPath)) ?? '');
    const tags = asObjects(asObject(settings).tags);
    if (!tags.some(({ name }) => name === 'exec')) return undefined;
    // Nothing but this line is there yet where the session is new.
    if (!lookAtTranscript(transcriptPath, droidTranscript.looksLike)) return '';
    const [line = ''] = (readTextIfExists(transcriptPath) ?? '').split('\n', 1);
    const session = parseJson(line);
    return isObject(session) && typeof session.title === 'string' ? stripTags(session.title) : '';
  } catch {
    return undefined; // the turn then begins with what it changes
  }
}
