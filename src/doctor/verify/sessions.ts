import { isUtf8 } from 'node:buffer';
import { basename, join } from 'node:path';
import { describeError, errnoOf } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { readOwnBytes } from '../../base/file/small-file.ts';
import { parseRepoPath } from '../../base/repo-path.ts';
import { readShadowBranches } from '../../checkpoint/shadow-branch.ts';
import { parseState, type SessionState } from '../../session/state.ts';
import { sessionOfStateFile } from '../../session/state-store.ts';
import { type Problem, readText, type Verification } from './problem.ts';
import { listQuietly } from './walk.ts';

/** Session states, archived or not, and tracking files. */
export function checkSessions({ work, looked, report }: Verification): void {
  const { sessions, repo } = work;
  const states: Array<{ file: string; state: SessionState }> = [];
  for (const dir of [sessions, join(repo.commonDir, 'entire', 'archive')]) {
    for (const name of listQuietly(dir)) {
      const file = join(dir, name);
      if (/\.json\.corrupt-\d+$/.test(name)) report({ code: 'state-set-aside', where: file });
      if (/\.files(\.claim-[0-9a-f]{12})?$/.test(name)) {
        looked.sessions++;
        for (const problem of readTracking(file)) report(problem);
      }
      if (!name.endsWith('.json')) continue;
      const text = readText(file);
      if (text === undefined) continue; // it ended meanwhile
      looked.sessions++;
      const judged = typeof text === 'string' ? judgeState(file, text) : { problem: unreadable(text) };
      if (judged.problem) report(judged.problem);
      if (judged.state) states.push({ file, state: judged.state });
    }
  }
  // With auto-commit the number counts commits, and the state names the checkpoint of the last one.
  const stepped = states.filter(({ state }) => state.checkpointCount > 0 && !state.lastCheckpointId);
  const branches = readShadowBranches(
    work.git,
    stepped.map(({ state }) => state),
  );
  for (const [index, { file, state }] of stepped.entries()) {
    const { name, tip } = branches[index] ?? {};
    // A commit in between takes the steps, says so in the state, and then the branch goes.
    if (tip || judgeState(file, String(readText(file))).state?.checkpointCount !== state.checkpointCount)
      continue;
    report({ code: 'steps-missing', where: file, detail: name });
  }
}

const unreadable = (why: Pick<Problem, 'where' | 'detail'>): Problem => ({
  code: 'state-unreadable',
  ...why,
});

/** Whether a file is the state of the session that its name says. */
export function judgeState(file: string, text: string): { state?: SessionState; problem?: Problem } {
  const id = sessionOfStateFile(basename(file));
  if (id === undefined) return { problem: { code: 'state-name-invalid', where: file } };
  try {
    const state = parseState(text);
    return state.sessionId === id
      ? { state }
      : { problem: { code: 'state-of-another', where: file, detail: state.sessionId } };
  } catch (error) {
    return { problem: { code: 'state-unreadable', where: file, detail: firstLine(describeError(error)) } };
  }
}

/** What a schema says of a value is a document of its own. */
const firstLine = (text: string): string | undefined =>
  text.startsWith('[') ? undefined : text.split('\n')[0];

function readTracking(file: string): Problem[] {
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return []; // claimed meanwhile
  if (!stat.isFile()) return [{ code: 'tracking-not-a-file', where: file }];
  try {
    const bytes = readOwnBytes(file, 'list');
    return bytes ? judgeTracking(file, bytes) : [];
  } catch (error) {
    return errnoOf(error) === 'ENOENT'
      ? []
      : [{ code: 'tracking-not-a-file', where: file, detail: describeError(error) }];
  }
}

/** Whether every line is one path of the repository. An empty line ends one that was cut short. */
export function judgeTracking(file: string, bytes: Buffer): Problem[] {
  const lines = bytes.toString('utf8').split('\n');
  const problems: Problem[] = [];
  if (lines.at(-1) !== '') problems.push({ code: 'tracking-torn', where: file });
  const bad = lines.findIndex((line) => line !== '' && parseRepoPath(line) === undefined);
  if (bad !== -1 || !isUtf8(bytes))
    problems.push({
      code: 'tracking-line-invalid',
      where: file,
      detail: bad === -1 ? 'not UTF-8' : `line ${bad + 1}`,
    });
  return problems;
}
