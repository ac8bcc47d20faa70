/**
 * The lines of a text that comes in pieces, without their ends; what follows the last end is a line unless it is empty.
 *
 * Only LF and CRLF end one. Node's `readline` takes U+2028 and U+2029 for ends as well, which stand unescaped inside JSON texts.
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  for await (const piece of pieces) {
    const [first = '', ...more] = piece.split('\n');
    open.push(first);
    for (const next of more) {
      yield withoutReturn(open.join(''));
      open = [next];
    }
  }
  const last = open.join('');
  if (last !== '') yield last;
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
