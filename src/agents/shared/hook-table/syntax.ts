/** What the settings reader of a client takes, though JSON has none of it. */
export type Liberty = 'comments' | 'trailing-commas' | 'byte-order-mark';

const NAMES: Readonly<Record<Liberty, string>> = {
  comments: 'a comment',
  'trailing-commas': 'a comma with nothing behind it',
  'byte-order-mark': 'a byte order mark',
};

const TRIVIA = String.raw`(?:\s|//[^\n]*|/\*[\s\S]*?\*/)*`;
const TOKENS = new RegExp(
  String.raw`"(?:[^"\\]|\\.)*"|(?<comment>//|/\*)(?:(?<=//)[^\n]*|[\s\S]*?\*/)|(?<comma>,)(?=${TRIVIA}[}\]])`,
  'g',
);

/**
 * The first thing in the text of a settings file over which its client passes over all of it.
 *
 * @param text JSON, but for liberties; it was parsed with all of them
 * @param taken those that the client takes
 */
export function findForeignSyntax(
  text: string,
  taken: readonly Liberty[],
): { readonly offset: number; readonly what: string } | undefined {
  const refused = (liberty: Liberty): boolean => !taken.includes(liberty);
  if (text.startsWith('\uFEFF') && refused('byte-order-mark'))
    return { offset: 0, what: NAMES['byte-order-mark'] };
  for (const { index, groups } of text.matchAll(TOKENS)) {
    const liberty = groups?.comment ? 'comments' : groups?.comma ? 'trailing-commas' : undefined;
    if (liberty && refused(liberty)) return { offset: index, what: NAMES[liberty] };
  }
  return undefined;
}
