import type { Git } from '../run.ts';
import { readAside } from '../talk.ts';
import { type AskedPatch, askForPatches, MARK, type Patch, parsePatches, readPatches } from './patch.ts';

/** So many are read in one go: a git that is waited for starts faster. */
const AT_ONCE = 500;

/** So many characters are looked at together. */
const PIECE = 1 << 16;

/**
 * {@link readPatches} of many commits, some at a time: git goes on while its caller is at work with those. One process.
 *
 * @throws {EntireError} `GIT_FAILED`
 */
export async function* streamPatches(git: Git, commits: readonly AskedPatch[]): AsyncGenerator<Patch[]> {
  let left = commits;
  if (commits.length > AT_ONCE)
    for await (const text of readWhole(git, commits)) {
      const patches = parsePatches(text);
      const last = patches.at(-1)?.commit;
      left = left.slice(left.findIndex(({ commit }) => commit === last) + 1);
      yield patches;
    }
  // Those that git has not come to: it says why when it is asked for them.
  for (let at = 0; at < left.length; at += AT_ONCE) yield readPatches(git, left.slice(at, at + AT_ONCE));
}

/** What git says of commits, some whole ones at a time; of the last ones only where it ended well. */
async function* readWhole(git: Git, commits: readonly AskedPatch[]): AsyncGenerator<string> {
  const { args, input } = askForPatches(commits);
  const said = readAside(git, args, input);
  let open: string[] = [];
  let [size, wanted] = [0, PIECE];
  try {
    for (;;) {
      const { value, done } = await said.next();
      if (done) {
        if (value) yield open.join('');
        return;
      }
      open.push(Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1'));
      size += value.length;
      if (size < wanted) continue;
      const text = open.join('');
      const end = text.lastIndexOf(`\n${MARK}`) + 1;
      open = [text.slice(end)];
      size -= end;
      // A single one may be of any size: it is not joined anew for each part of it.
      wanted = Math.max(PIECE, size * 2);
      if (end > 0) yield text.slice(0, end);
    }
  } finally {
    await said.return(false);
  }
}
