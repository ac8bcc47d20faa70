import { dirname, join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { parseSessionId } from '../../base/ids.ts';
import { asObject, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { tokens } from '../transcript/message-blocks.ts';
import type { TokenTotals } from '../transcript/transcript.ts';
import { settingsFile } from './session-home.ts';

/**
 * What a session has cost so far: the client keeps the sum in `<session>.settings.json` beside the transcript. A session
 * that a compaction began goes on counting from where its parent was, so the parent's part is taken off.
 */
export function readTotals(transcript: string, beginning: string): TokenTotals | undefined {
  const own = readSum(settingsFile(transcript));
  if (own === undefined) return undefined;
  const first = parseJson(beginning.split('\n', 1)[0] ?? '');
  const parent = isObject(first) && first.type === 'session_start' ? parseSessionId(first.parent) : undefined;
  const before = parent && readSum(settingsFile(join(dirname(transcript), `${parent}.jsonl`)));
  return before ? difference(own, before) : own;
}

function readSum(file: string): TokenTotals | undefined {
  const usage = readObject(file).tokenUsage;
  if (!isObject(usage)) return undefined;
  return {
    inputTokens: tokens(usage.inputTokens),
    cacheCreationTokens: tokens(usage.cacheCreationTokens),
    cacheReadTokens: tokens(usage.cacheReadTokens),
    outputTokens: tokens(usage.outputTokens),
  };
}

/** A parent that went on itself has more by now than the child began with: then nothing is known of the child's part. */
function difference(own: TokenTotals, before: TokenTotals): TokenTotals {
  const less = (key: keyof TokenTotals) => Math.max(0, own[key] - before[key]);
  return {
    inputTokens: less('inputTokens'),
    cacheCreationTokens: less('cacheCreationTokens'),
    cacheReadTokens: less('cacheReadTokens'),
    outputTokens: less('outputTokens'),
  };
}

function readObject(file: string): JsonObject {
  try {
    return asObject(parseJson(readUserText(file, 'home') ?? ''));
  } catch {
    return {}; // the client may be writing it, or keep none
  }
}
