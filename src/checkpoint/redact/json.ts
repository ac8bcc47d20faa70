/** A JSON string value, or a stretch of plain text, inside a larger text. */
export interface Piece {
  /** Where the raw text begins and ends, without the quotes. */
  readonly start: number;
  readonly end: number;
  /** The text as a JSON parser would read it. */
  readonly value: string;
  /** Whether `value` differs from the raw text. */
  readonly escaped: boolean;
  /** The key the value stands under, if it is the value of a field. */
  readonly key: string | undefined;
  /** The same for all pieces of one document. */
  readonly unit: number;
  /** Of a tool's id only what has a secret's shape is replaced. */
  readonly isId?: true;
}

interface Frame {
  readonly isObject: boolean;
  /** Everything in here is left alone. */
  readonly isOpaque: boolean;
  /** Everything in here went to a tool, or came from one. */
  readonly isTool: boolean;
  /** Pieces from this index on belong to the frame. */
  readonly first: number;
  key: string | undefined;
  type: string | undefined;
  mediaType: string | undefined;
}

const OPAQUE_KEYS = new Set([
  'signature',
  'encrypted_content',
  'encryptedContent',
  'thoughtSignature',
  'thought_signature',
  'b64_json',
]);
/** Words that end as the names of ids do: `{"sendgrid": {"api_key": …}}`; and ids that are secrets, or half of one. */
const NO_ID =
  /(?:aid|android|avoid|covid|fluid|grid|hybrid|liquid|rapid|solid|valid|void|(?:secret|access_?key|api_?key|token|password|credential)_?id)s?$/i;
/** What is given to a tool, and what comes back: its ids are not those of the agent's protocol. */
const TOOL_KEYS =
  /^(?:input|tool_?input|arguments|args|params|parameters|tool_?response|tool_?result|tool_?use_?result|structured_?content|result|output)$/i;
/** Of these, `data` is base64. */
const BINARY = /^(?:(?:image|audio|video|font)\/|application\/(?:pdf|zip|octet-stream)$)/;
const MEDIA_TYPE_KEYS = new Set(['media_type', 'mimeType', 'mime_type']);
/** Nothing shorter is a secret, and most of what a transcript holds is shorter. */
export const MIN_SECRET = 6;
/** No shape is shorter. */
const MIN_ID_SECRET = 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Lists the string values of the JSON document at `from` … `to` that may be changed. Keys are not values.
 *
 * Left out: values that are shorter than `minLength`, fields that a protocol needs unchanged (signatures, ids, encrypted
 * content), and images, unless they have a space in them. The document
 * must be valid JSON; nesting costs memory, not stack.
 */
export function readJsonPieces(text: string, from: number, to: number, minLength = MIN_SECRET): Piece[] {
  const pieces: Piece[] = [];
  const place = { unit: from, minLength };
  const stack: Frame[] = [];
  let frame: Frame = openFrame(false, false, false, 0);
  for (let at = from; at < to; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at + 1);
        if (frame.isObject && frame.key === undefined) frame.key = decode(text.slice(at + 1, end));
        else readValue(text, at + 1, end, frame, pieces, place);
        at = end;
        break;
      }
      case 0x2c: // ,
        frame.key = undefined;
        break;
      case 0x7b: // {
      case 0x5b: // [
        stack.push(frame);
        frame = openFrame(
          text.charCodeAt(at) === 0x7b,
          frame.isOpaque || isOpaqueKey(frame.key),
          frame.isTool || (frame.key !== undefined && TOOL_KEYS.test(frame.key)),
          pieces.length,
        );
        break;
      case 0x7d: // }
      case 0x5d: // ]
        dropImages(frame, pieces);
        frame = stack.pop() ?? frame;
        break;
    }
  }
  return pieces;
}

function openFrame(isObject: boolean, isOpaque: boolean, isTool: boolean, first: number): Frame {
  return { isObject, isOpaque, isTool, first, key: undefined, type: undefined, mediaType: undefined };
}

function readValue(
  text: string,
  start: number,
  end: number,
  frame: Frame,
  pieces: Piece[],
  { unit, minLength }: { readonly unit: number; readonly minLength: number },
): void {
  const { key } = frame;
  const raw = text.slice(start, end);
  const isOpaque = (frame.isOpaque || isOpaqueKey(key)) && !isProse(raw);
  const isId = isOpaque && frame.isTool && !OPAQUE_KEYS.has(key ?? '') && raw.length >= MIN_ID_SECRET;
  if (isOpaque && !isId) return;
  const escaped = raw.includes('\\');
  const value = escaped ? decode(raw) : raw;
  if (key === 'type') frame.type = value;
  else if (key !== undefined && MEDIA_TYPE_KEYS.has(key)) frame.mediaType = value;
  if (value.length >= minLength)
    pieces.push({ start, end, value, escaped, key, unit, ...(isId && { isId }) });
}

/** Forgets what was read of an object that turned out to be an image, or to carry one. */
function dropImages(frame: Frame, pieces: Piece[]): void {
  const isImage = frame.type?.startsWith('image') || frame.type === 'base64';
  if (!isImage && frame.type !== 'redacted_thinking' && !BINARY.test(frame.mediaType ?? '')) return;
  const kept = pieces.splice(frame.first).filter(({ key, value }) => {
    return isProse(value) || !(isImage || key === 'data');
  });
  for (const piece of kept) pieces.push(piece);
}

/** No id, signature, ciphertext or image has a space in it: whatever the field is called, somebody wrote this. */
const isProse = (value: string): boolean => value.includes(' ');

function isOpaqueKey(key: string | undefined): boolean {
  return key !== undefined && (OPAQUE_KEYS.has(key) || (/ids?$/i.test(key) && !NO_ID.test(key)));
}

function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length;
    let slashes = end;
    while (slashes > from && text.charCodeAt(slashes - 1) === BACKSLASH) slashes--;
    if ((end - slashes) % 2 === 0) return end;
  }
}

const decode = (raw: string): string => (raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw);

/** Turns an offset into `piece.value` into one of the text: walks the escapes between `piece.start` and there. */
export function toRawOffset(text: string, piece: Piece, offset: number, known = { raw: piece.start, at: 0 }) {
  if (!piece.escaped) return { raw: piece.start + offset, at: offset };
  let { raw, at } = known;
  for (; at < offset; at++) {
    if (text.charCodeAt(raw) !== BACKSLASH) raw += 1;
    else raw += text[raw + 1] === 'u' ? 6 : 2;
  }
  return { raw, at };
}
