import type { Finding } from '../regions.ts';
import { isWordy } from './entropy.ts';
import { isHumanWord, isPlaceholder } from './passwords.ts';
import { isKey, keyStart, type Signs } from './words.ts';

/** Whether a value in a place for passwords may be one; a word needs a digit or a sign in it. */
function isLikely(value: string, isTable: boolean): boolean {
  if (value.length < 6 || value.length > 100 || isPlaceholder(value) || /\s/.test(value)) return false;
  if (isHumanWord(value) && isTable) return true;
  if (/^[0-9.:-]+$|^[\w-]+\.[a-z]{2,4}$|^(?:https?:|\/|\.|~)/i.test(value)) return false;
  return /[0-9]/.test(value) ? /[A-Za-z]/.test(value) : /[!@#$%^&*+=?~]/.test(value);
}

/** `ada@acme.dev:Tiger2024!`, `ada@acme.dev / Tiger2024!`, at the end of a word. A path behind a host has a slash or a dot. */
const PAIR =
  /@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}(?:[:;|]| \/ )([^\s:;|/\\"'`,<>\0]{6,64})(?=\s|\\[nrt]|["'\\\0]|$)/g;
const INSERT =
  /insert\s+into\s+[\w."`[\]]{1,80}\s*\(([^()\0]{1,400})\)\s*values\s*((?:\([^()\0]{1,1000}\)[,\s]{0,4}){1,50})/iy;
const PASSWORD_COLUMN =
  /^["'`[\]\\\s]*(?:\w{0,20}_)?(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key)["'`[\]\\\s]*$/i;
/** The name of a column, in a line that names them: `username,password`, `| host | user | password |`. */
const COLUMN =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_ ]?key)["'`]?[ \t]{0,20}(?=[,;|\t]|\r?\n|\\n)/iy;
const MAX_LINE = 200;
const MAX_ROWS = 200;

/** Finds passwords in lists of accounts: pairs, tables, what is inserted into a database. */
export function findAccounts(text: string, { words, inserts }: Signs): Finding[] {
  const found: Finding[] = [];
  const add = (start: number, value: string): void => {
    found.push({ start, end: start + value.length, rule: 'account' });
  };
  for (const { index, 0: all, 1: value = '' } of text.matchAll(PAIR))
    if (
      isLikely(value, false) &&
      !/\.[a-z]+$/i.test(value) &&
      (!isWordy(value) || /[0-9!@#$%^&*]{2}/.test(value))
    )
      add(index + all.length - value.length, value);
  for (const at of inserts) {
    INSERT.lastIndex = at;
    const match = INSERT.exec(text);
    if (match) addInserted(match, add);
  }
  let read = 0;
  for (const at of words) {
    const index = isKey(text, at) ? keyStart(text, at, /api[_ ]?$/i) : at;
    if (index < read) continue;
    COLUMN.lastIndex = index;
    const [name] = COLUMN.exec(text) ?? [];
    if (name === undefined) continue;
    const before = text.slice(Math.max(0, index - MAX_LINE), index);
    const begin = index - (/(?:[^\n\\\0"]|\\(?!n))*$/.exec(before)?.[0].length ?? 0);
    const rest = /^[^\n\\\0"]*/.exec(text.slice(index, index + name.length + MAX_LINE))?.[0] ?? '';
    read = index + rest.length;
    addRows(text, read, text.slice(begin, read), add);
  }
  return found;
}

function addInserted(
  { index, 0: all, 1: names = '', 2: rows = '' }: RegExpMatchArray,
  add: (start: number, value: string) => void,
): void {
  const column = names.split(',').findIndex((name) => PASSWORD_COLUMN.test(name));
  if (column === -1) return;
  const begin = (index ?? 0) + all.length - rows.length;
  for (const row of rows.matchAll(/\(([^()\0]{1,1000})\)/g)) {
    let at = begin + row.index + 1;
    for (const [no, cell] of (row[1] ?? '').split(',').entries()) {
      const value = /^\s*\\{0,3}['"]([^'"\\]+)\\{0,3}['"]\s*$/.exec(cell)?.[1];
      if (no === column && value !== undefined && value.length >= 4 && !isPlaceholder(value))
        add(at + cell.indexOf(value), value);
      at += cell.length + 1;
    }
  }
}

function addRows(
  text: string,
  from: number,
  header: string,
  add: (start: number, value: string) => void,
): void {
  const sign = /[|;\t]/.exec(header)?.[0] ?? ',';
  const names = header.split(sign);
  const isList = names.every((name, at) => at === 0 || name.trim() === ''); // of one word a line
  if (names.length < 2 || isList || names.some((name) => name.trim().split(/\s+/).length > 3)) return;
  const column = names.findIndex((name) => PASSWORD_COLUMN.test(name));
  if (column === -1) return;
  const newline = ['\n', '\\n'].find((one) => text.startsWith(one, from));
  if (newline === undefined) return;
  let at = from + newline.length;
  for (let row = 0; row < MAX_ROWS; row++) {
    const end = text.indexOf(newline, at);
    const stop = end === -1 || end - at > 1000 ? Math.min(text.length, at + 1000) : end;
    const line = text.slice(at, stop).replace(/["\0].*$/s, '');
    if (/^[\s|+:=-]+$/.test(line) && end !== -1) {
      at = end + newline.length; // under the names
      continue;
    }
    const cells = line.split(sign);
    if (cells.length !== names.length) return;
    const cell = cells[column] ?? '';
    const value = cell.trim().replace(/^[`']|[`']$/g, '');
    const start = at + cells.slice(0, column).join(sign).length + (column > 0 ? 1 : 0) + cell.indexOf(value);
    if (isLikely(value, true)) add(start, value);
    if (end === -1 || stop !== end) return;
    at = end + newline.length;
  }
}
