/** A name with odd characters comes in quotes, as in C. */
export function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const inside = Buffer.from(name.slice(1, -1));
  for (let at = 0; at < inside.length; at++) {
    if (inside[at] !== 0x5c) {
      bytes.push(inside[at] as number);
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(inside.toString('latin1', at + 1, at + 4))?.[0];
    const char = String.fromCharCode(inside[at + 1] ?? 0x5c);
    bytes.push(octal ? Number.parseInt(octal, 8) : (ESCAPES[char] ?? char.charCodeAt(0)));
    at += octal ? 3 : 1;
  }
  return Buffer.from(bytes).toString('utf8');
}

/** A name as git writes it where `core.quotePath` is off: in quotes where something in it would break the line. */
export const quoteName = (name: string): string =>
  /[\0-\x1f\x7f"\\]/.test(name)
    ? `"${name.replace(/["\\]/g, '\\$&').replace(/[\0-\x1f\x7f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
    : name;

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };
