import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { log } from '../../base/log.ts';
import { isJson } from '../../base/text/json.ts';
import { LEFT_OUT_KEY } from '../../base/text/shorten-json.ts';
import { readingTranscript, readRangeOf } from './file.ts';
import { findNewline, shortenRange, type TranscriptLimits } from './pieces.ts';

/** So much of a file tells a document from lines, where its first line ends in it. */
const HEAD_BYTES = 64 * 1024;
/** How long texts may be in its short form: where that is too long, shorter ones. */
const STEPS = [1, 8, 64];

/**
 * A transcript that is one JSON document, and too long to be read as it stands: its short form, the longest one that fits. Of one that
 * is too long even so there is only a word that says how long it is; the log says it, too.
 *
 * @returns `undefined` where it is not a document
 * @throws the system error
 */
export function openDocument(
  path: string,
  size: number,
  format: TranscriptFormat,
  limits: TranscriptLimits,
): string | undefined {
  if (!format.isDocument) return undefined;
  return readingTranscript(path, (fd) => {
    if (!mayBeDocument(fd, size)) return undefined;
    let text = '';
    for (const step of STEPS) {
      const texts = { textBytes: Math.floor(limits.textBytes / step), totalBytes: limits.documentBytes };
      text = shortenRange(fd, 0, size, texts).toString('utf8');
      if (text.includes(LEFT_OUT_KEY) || !format.isDocument?.(text)) continue;
      log('info', 'transcript is a long document: texts in it were left out', { file: path, bytes: size });
      return text;
    }
    log('warn', 'transcript is a document too long to be read: only its length is kept', {
      file: path,
      bytes: size,
    });
    return text;
  });
}

/** Whether a file may be one JSON object: its first line is none by itself, or all that there is. */
function mayBeDocument(fd: number, size: number): boolean {
  const head = readRangeOf(fd, 0, Math.min(size, HEAD_BYTES)).toString('utf8');
  if (!/^\s*\{/.test(head)) return false;
  const start = head.length - head.trimStart().length;
  const newline = head.indexOf('\n', start);
  if (newline !== -1) return !isJson(head.slice(0, newline));
  const close = findNewline(fd, HEAD_BYTES, size);
  return (
    close === undefined ||
    readRangeOf(fd, close, Math.min(size, close + HEAD_BYTES))
      .toString('utf8')
      .trim() === ''
  );
}
