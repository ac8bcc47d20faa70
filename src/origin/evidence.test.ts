import { describe, expect, test } from 'vitest';
import { withoutCarried } from './carried.ts';
import { judgeLines, judgeUnlinked, judgeWatched } from './classify.ts';
import { editsOf, gatherEvidence, isReformatted, isWatched, isWritten } from './evidence.ts';

const edit = (path: string, lines: readonly string[] | undefined, fragments: readonly string[] = []) => ({
  path,
  lines,
  fragments,
});
const evidence = (lines: readonly string[], isComplete = true) =>
  gatherEvidence([edit('/r/a.ts', lines)], isComplete);

describe('evidence', () => {
  test('whole lines count, whatever their white space', () => {
    const known = evidence(['const a = 1;']);
    expect(isWritten('\tconst  a = 1;\r', known)).toBe(true);
    expect(isWritten('const a = 12;', known)).toBe(false);
    expect(isWritten('const a', known)).toBe(false);
  });

  test('a line that a formatter wrote again is that line still, and tells of it', () => {
    const known = evidence(["export const s='x'", '  call(a,', 'b']);
    expect(isWritten('export const s = "x";', known)).toBe(true);
    expect(isReformatted('export const s = "x";', known)).toBe(true);
    expect(isReformatted("    export const s='x'", known)).toBe(false); // put into a block by hand
    expect(isReformatted('export const t = 1;', known)).toBe(false);
  });

  test('a redacted line is known by what stands around the secret', () => {
    const known = evidence(["const token = 'REDACTED'; // REDACTED!", 'REDACTED']);
    expect(isWritten("const token = 'abc'; // x!", known)).toBe(true);
    expect(isWritten("const token = 'abc'; // x", known)).toBe(false);
    expect(isWritten("const token = '!", known)).toBe(false);
    expect(isWritten('anything', known)).toBe(false);
  });

  test('a part of a line counts only when it is long enough to say something', () => {
    const known = gatherEvidence([edit('/r/a.ts', [], ['renamedThing', 'x'])], true);
    expect(isWritten('  call(renamedThing);', known)).toBe(true);
    expect(isWritten('x = 1', known)).toBe(false);
  });

  test('of lines that many files have it is known below which others they were written; less what was taken away', () => {
    const edits = [
      edit('/r/a.ts', ['function first() {', '}', 'function second() {', '}']),
      { ...edit('/r/a.ts', ['function third() {']), removed: ['function second() {'] }, // the brace stays
    ];
    expect(gatherEvidence(edits, true).short.get('}')).toEqual(['function first() {']);
    const whole = { ...edit('/r/a.ts', ['}', '}']), isWhole: true };
    expect(gatherEvidence([...edits, whole], true).short.get('}')).toEqual([]);
  });

  test('so it is of lines that tell by themselves, where it is asked', () => {
    const [long, other] = ['const written = byTheSession(813);', 'const more = byTheSession(455);'];
    const edits = [edit('/r/a.ts', ['y += 1;', long]), edit('/r/a.ts', [other])];
    const { abovesOf, short } = gatherEvidence(edits, true);
    expect([long, other, 'y += 1', 'elsewhere'].map(abovesOf)).toEqual([['y += 1;'], [], [], []]);
    expect([...short.keys()]).toEqual(['y+=1']);
  });

  test('what was written into a file before a tool moved it is in it; what came under its old name later is not', () => {
    const edits = [
      edit('/r/old.ts', ['first']),
      { ...edit('/r/old.ts', []), removed: ['x'] },
      { ...edit('/r/mid.ts', ['second']), movedFrom: '/r/old.ts' },
      { ...edit('/r/new.ts', []), movedFrom: '/r/mid.ts' },
      edit('/r/old.ts', ['another file']),
      edit('/r/new.ts', ['third']),
    ];
    const linesOf = (path: string) => editsOf({ edits }, path, ['new.ts']).flatMap(({ lines }) => lines);
    expect(linesOf('new.ts')).toEqual(['first', 'second', 'third']);
    expect(linesOf('old.ts')).toEqual(['first', 'another file']);
    // A line of the session’s that it takes out of the moved file was not found there.
    const later = [...edits, { ...edit('/r/new.ts', []), removed: ['first'] }, edit('/r/else.ts', ['first'])];
    const record = withoutCarried({ edits: later, agents: [], isComplete: true });
    expect(record.edits.at(-1)).toMatchObject({ path: '/r/else.ts', lines: ['first'] });
  });

  test('what commands did is seen in the repository that they ran in, and in no other one', () => {
    const seen = (named: string, folder: string, isRoot = false) =>
      isWatched({ edits: [edit(named, [])], watched: [{ folder, isRoot }] }, 'src/a.ts', []);
    expect(seen('/r/src/a.ts', '/r')).toBe(true);
    expect(seen('/r/src/a.ts', '/r/src')).toBe(true);
    expect(seen('C:\\r\\src\\a.ts', 'C:\\r\\src')).toBe(true);
    expect(seen('/other/src/a.ts', '/r')).toBe(false);
    expect(seen('/r/nested/src/a.ts', '/r')).toBe(false);
    expect(seen('/r/src/a.ts', '/r/trees/wt', true)).toBe(false);
    expect(seen('/r/trees/wt/src/a.ts', '/r/trees/wt', true)).toBe(true);
    expect(isWatched({ edits: [edit('/other/x.ts', [])] }, 'src/a.ts', [])).toBe(true); // no command ran
  });

  test('it is complete where every edit has its lines, and nothing else ran', () => {
    expect(evidence(['a']).isComplete).toBe(true);
    expect(evidence(['a'], false).isComplete).toBe(false);
    expect(gatherEvidence([], true)).toMatchObject({ isComplete: false, hasEdits: false });
    expect(gatherEvidence([edit('/r/a.ipynb', undefined)], true)).toMatchObject({
      isComplete: false,
      hasEdits: true,
    });
  });

  test('a path belongs to the longest known file that it ends with', () => {
    const record = {
      edits: [edit('/home/u/r/src/a.ts', ['one']), edit('/home/u/r/vendor/src/a.ts', ['two'])],
      agents: [],
      isComplete: true,
    };
    const files = ['src/a.ts', 'vendor/src/a.ts'];
    expect(editsOf(record, 'src/a.ts', files).flatMap(({ lines }) => lines)).toEqual(['one']);
    expect(editsOf(record, 'vendor/src/a.ts', files).flatMap(({ lines }) => lines)).toEqual(['two']);
    expect(editsOf(record, 'c/a.ts', files)).toEqual([]);
    expect(editsOf({ ...record, edits: [edit('C:\\r\\src\\a.ts', ['w'])] }, 'src/a.ts', files)).toHaveLength(
      1,
    );
  });
});

describe('judgeLines', () => {
  const suspect = (session: string, lines: readonly string[], isComplete = true) => ({
    session: { sessionId: session },
    evidence: evidence(lines, isComplete),
  });
  const judge = (lines: readonly string[], ...suspects: ReturnType<typeof suspect>[]) =>
    judgeLines(lines, suspects).map(({ kind, session }) => session?.sessionId ?? kind);

  test('agent, human, unknown', () => {
    expect(judge(['a'])).toEqual(['human']);
    expect(judge(['a', 'b'], suspect('s', ['a']))).toEqual(['s', 'human']);
    expect(judge(['a', 'b'], suspect('s', ['a'], false))).toEqual(['s', 'unknown']);
    expect(judge(['a', 'b', 'c'], suspect('s', ['a']), suspect('t', ['b'], false))).toEqual([
      's',
      't',
      'unknown',
    ]);
  });

  test('what a formatter may have made of lines is nobody’s', () => {
    const s = suspect('s', ["call('one', 'two')", 'same line']);
    expect(judge(['call("one", "two");', 'other line'], s)).toEqual(['s', 'unknown']);
    expect(judge(["  call('one', 'two')", 'other line'], s)).toEqual(['s', 'human']);
  });

  test('lines that prove nothing go with the line above them, or else below', () => {
    const s = suspect('s', ['a', 'b']);
    expect(judge(['', 'a', '}', '', 'b', '}'], s)).toEqual(['s', 's', 's', 's', 's', 's']);
    expect(judge(['a', '', 'x'], s)).toEqual(['s', 's', 'human']);
    expect(judge(['x', '', 'y'], s)).toEqual(['human', 'human', 'human']);
    expect(judge(['', '}'], s)).toEqual(['unknown', 'unknown']);
  });

  test('a brace below a person’s line may be a session’s where that wrote one below a line that is gone', () => {
    const s = suspect('s', ['head', 'old body', '}']);
    expect(judge(['head', 'new body', '}'], s)).toEqual(['s', 'human', 'unknown']);
    expect(judge(['head', 'old body', '}', 'mine', '}'], s)).toEqual(['s', 's', 's', 'human', 'human']);
  });

  test('what closes a session’s block is its own below a person’s lines in it, and nothing further down', () => {
    const s = suspect('s', ['function one() {', '  return half;', '}', '']);
    const added = ['function one() {', '  return half;', '  // mine', '}', '', 'mine', '}'];
    expect(judge(added, s)).toEqual(['s', 's', 'human', 's', 's', 'human', 'human']);
    const nested = ['function one() {', '  return half;', '  if (mine) {', '  }', '}'];
    expect(judge(nested, s)).toEqual(['s', 's', 'human', 'human', 's']);
    const own = ['function one() {', '  return half;', '}', 'function mine() {', '  // mine', '}'];
    expect(judge(own, s)).toEqual(['s', 's', 's', 'human', 'human', 'human']);
    const open = suspect('s', ['function one() {', '  return half;']);
    expect(judge(added.slice(0, 4), open)).toEqual(['s', 's', 'human', 'human']);
  });

  test('a short line that a commit has several times is its session’s below what that wrote it below', () => {
    const s = suspect('s', ['head', 'return null']);
    expect(judge(['head', 'mine', 'return null'], s)).toEqual(['s', 'human', 's']);
    expect(judge(['head', 'return null', 'mine', 'return null'], s)).toEqual(['s', 's', 'human', 'human']);
    const gone = suspect('s', ['head', 'return null', 'old', 'return null']);
    expect(judge(['head', 'return null', 'mine', 'return null'], gone)).toEqual([
      's',
      's',
      'human',
      'unknown',
    ]);
    const nobody = suspect('s', ['head', 'more']);
    expect(judge(['head', 'return null', 'more', 'return null'], nobody)).toEqual([
      's',
      'human',
      's',
      'human',
    ]);
  });

  test('many lines that prove nothing are judged in one pass', () => {
    const lines = ['a', ...Array.from({ length: 200_000 }, () => ''), 'a'];
    expect(new Set(judge(lines, suspect('s', ['a'])))).toEqual(new Set(['s']));
  });

  test('a commit without a checkpoint: watched, or not on record', () => {
    expect(judgeWatched(['a line', ''], () => undefined).map(({ kind }) => kind)).toEqual(['human', 'human']);
    const somebody = (line: string) => (line === 'a line' ? { session: undefined } : undefined);
    expect(judgeWatched(['a line', 'b line'], somebody)).toMatchObject([
      { kind: 'unknown', reason: 'elsewhere' },
      { kind: 'human', reason: 'no-session' },
    ]);
    expect(judgeUnlinked('no-record').kind).toBe('unknown');
    expect(judgeUnlinked('checkpoint-missing').kind).toBe('unknown');
  });

  test('what a session wrote for another commit is its own; a short line goes with the one above it', () => {
    const session = { sessionId: 's' };
    const known = (line: string) => (line.startsWith('mine') ? undefined : { session });
    const lines = ['short', 'a line that nobody else writes', 'short', 'mine', 'short'];
    expect(judgeWatched(lines, known).map(({ reason }) => reason)).toEqual([
      'elsewhere',
      'made-again',
      'neighbours',
      'no-session',
      'neighbours',
    ]);
  });
});
