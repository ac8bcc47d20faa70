import { parse } from 'smol-toml';
import { isObject } from '../../base/text/json.ts';

/**
 * Replaces the table at `path`, and all tables below it, by `rendered`: in its place, else at the end. Lines of other
 * tables keep their bytes, comments above them included. A look at lines, which finds no table that is written inline: the caller
 * parses the result, and compares.
 */
export function replaceTable(text: string, path: readonly string[], rendered: string): string {
  const kept: string[] = [];
  let pending: string[] = []; // lines of the table, of which the last comments may belong to what follows
  let place: number | undefined;
  let isInside = false;
  const values = new OpenValue();
  for (const line of text.split(/(?<=\n)/)) {
    const header = values.isOpen ? undefined : findHeader(line);
    values.read(line);
    if (header !== undefined) {
      const isBelow = path.every((name, at) => header[at] === name);
      if (isInside && !isBelow) kept.push(...commentsAtEnd(pending));
      if (isBelow) place ??= kept.length;
      isInside = isBelow;
      pending = [];
    }
    (isInside ? pending : kept).push(line);
  }
  if (isInside) kept.push(...commentsAtEnd(pending));
  const at = place ?? kept.length;
  return put(kept.slice(0, at).join(''), rendered, kept.slice(at).join(''));
}

const QUOTES = { '"""': /\\.|"{3,5}/gs, "'''": /'{3,5}/g } as const;
const isQuote = (token: string): token is keyof typeof QUOTES => Object.hasOwn(QUOTES, token);
const TOKEN = /"""|'''|"(?:\\.|[^"\\])*"|'[^']*'|#.*|[[\]{}]/g;

/** Reads line after line, and knows whether the next one is still a part of a text or list. */
class OpenValue {
  private quote: keyof typeof QUOTES | undefined;
  private depth = 0;

  get isOpen(): boolean {
    return this.quote !== undefined || this.depth > 0;
  }

  read(line: string): void {
    for (let at = 0; ; ) {
      const pattern = this.quote === undefined ? TOKEN : QUOTES[this.quote];
      pattern.lastIndex = at;
      const [token] = pattern.exec(line) ?? [];
      if (token === undefined) return;
      at = pattern.lastIndex;
      if (this.quote !== undefined) {
        if (!token.startsWith('\\')) this.quote = undefined;
      } else if (isQuote(token)) this.quote = token;
      else if (token === '[' || token === '{') this.depth++;
      else if (token === ']' || token === '}') this.depth--;
    }
  }
}

/** A blank line before a table that is new, and none too many where one was removed. */
function put(before: string, rendered: string, after: string): string {
  if (rendered === '') return before + (/(^|\n)\r?\n$/.test(before) ? after.replace(/^\r?\n/, '') : after);
  const end = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  const glue = end === '' || /\n\r?\n$/.test(end) || /(^|\n)\s*#[^\n]*\n$/.test(end) ? '' : '\n';
  return end + glue + rendered + (after === '' || /^\r?\n/.test(after) ? '' : '\n') + after;
}

/** The keys of a line like `[a."b c"]` or `[[a]]`; `undefined` for any other line. */
function findHeader(line: string): string[] | undefined {
  if (!/^\s*\[/.test(line)) return undefined;
  try {
    return keysOf(parse(line));
  } catch {
    return undefined; // no TOML
  }
}

function keysOf(value: unknown): string[] {
  const table: unknown = Array.isArray(value) ? value[0] : value;
  const [[key, inner] = []] = isObject(table) ? Object.entries(table) : [];
  return key === undefined ? [] : [key, ...keysOf(inner)];
}

function commentsAtEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => /^\s*[^#\s]/.test(line));
  const comments = lines.slice(last + 1);
  return comments.some((line) => line.includes('#')) ? comments : comments.slice(-1);
}
