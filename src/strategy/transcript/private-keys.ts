import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { asList, isObject, parseJson } from '../../base/text/json.ts';
import type { Stretch } from '../../session/private-record.ts';
import { cutsOf, digest, idsOf, inheritsAfter, isPrivate, type Mask, timeOf } from './private.ts';

/**
 * By what the private part of a transcript is known again, wherever it stands by then.
 *
 * @param start where it begins: in bytes, or in messages of a document; a line that was half written then is part of it
 * @param stretch what was said in it is private wherever it stands
 */
export function keysOf(
  format: TranscriptFormat,
  bytes: Buffer,
  start: { readonly bytes: number; readonly items: number },
  stretch: Stretch,
): string[] {
  const text = bytes.toString('utf8');
  const times: Mask = { stretches: [stretch], keys: new Set() };
  const keys = new Set<string>();
  const add = (line: string, value: unknown): void => {
    keys.add(digest('line', line.trim()));
    if (isObject(value)) for (const id of idsOf(value)) keys.add(digest('id', id));
  };
  const said = (part: string): void => {
    const words = [
      ...format.readPrompts(part),
      ...format.readEntries(part).flatMap((entry) => (entry.kind === 'tool' ? entry.detail : entry.text)),
    ];
    for (const word of words) for (const cut of cutsOf(word)) keys.add(digest('text', cut));
  };
  if (format.isDocument?.(text)) {
    const value = parseJson(text);
    const messages = isObject(value) ? asList(value.messages) : [];
    messages.forEach((message, at) => {
      const line = JSON.stringify(message);
      if (at >= start.items || (isObject(message) && isPrivate(times, message, line, false)))
        add(line, message);
    });
    said(format.sliceItems(text, start.items));
    return [...keys];
  }
  let inherits = false;
  const part: string[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    at += Buffer.byteLength(line) + 1;
    if (line.trim() === '') continue;
    const value = parseJson(line);
    inherits = inheritsAfter(times, value, inherits);
    const isSaidThen = at - 1 > start.bytes || (isObject(value) && isPrivate(times, value, line, inherits));
    if (!isSaidThen) continue;
    add(line, value);
    part.push(line);
  }
  said(`${part.join('\n')}\n`);
  return [...keys];
}

/**
 * By what one turn is known again: from the item at which it began to the next prompt.
 *
 * @returns also when it was said, in milliseconds since 1970
 */
export function keysOfItems(
  format: TranscriptFormat,
  bytes: Buffer,
  from: number,
): { readonly keys: string[]; readonly fromMs: number; readonly toMs: number } {
  const text = bytes.toString('utf8');
  const isDocument = format.isDocument?.(text) === true;
  const value = isDocument ? parseJson(text) : undefined;
  const items = isObject(value) ? asList(value.messages).map((one) => JSON.stringify(one)) : text.split('\n');
  const asText = (some: readonly string[]): string =>
    isObject(value)
      ? JSON.stringify({ ...value, messages: some.map((one) => parseJson(one)) })
      : `${some.join('\n')}\n`;
  const starts = items.flatMap((item, at) =>
    at >= from && item.trim() !== '' && format.readPrompts(asText([item])).length > 0 ? [at] : [],
  );
  const part = items.slice(from, starts[1] ?? items.length).filter((item) => item.trim() !== '');
  const timesOf = (some: readonly string[]): number[] =>
    some.flatMap((item) => {
      const one = parseJson(item);
      return (isObject(one) ? timeOf(one) : undefined) ?? [];
    });
  // What a line of the turn tells of an earlier time does not take along what was said then.
  const before = timesOf(items.slice(0, from)).reduce((last, time) => Math.max(last, time), 0);
  const times = timesOf(part).filter((time) => time > before);
  const [fromMs, toMs] = times.reduce(
    ([first, last], time) => [Math.min(first, time), Math.max(last, time)],
    [times[0] ?? 1, 0],
  );
  const stretch: Stretch = { fromMs, toMs, what: 'forgotten' };
  const keys = keysOf(format, Buffer.from(asText(part)), { bytes: 0, items: 0 }, stretch);
  return { keys, fromMs, toMs };
}
