import { agentOf } from '../../agents/registry.ts';
import { setupOf } from '../../agents/setups.ts';
import { readLogTail } from '../../base/file/log-tail.ts';
import { parseJson } from '../../base/text/json.ts';
import { hasCheckpoint, readSlotMetadata } from '../../checkpoint/committed.ts';
import { readShadowBranch, readShadowTree } from '../../checkpoint/shadow-branch.ts';
import { readHeadCheckpoint } from '../../git/commit/commits.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { readFilesTouched, sessionsDir } from '../../session/tracking-file.ts';
import type { Patient } from '../patient.ts';
import type { StepName } from './cause.ts';
import { type ActResult, outsideOfGit, type Play, play } from './play.ts';
import { commitInScratch } from './scratch-git.ts';

/** Git and the hooks it runs take no longer than this, or are stuck. */
const PATIENCE_MS = 120_000;

type Action = (scene: Play, patient: Patient) => Promise<string | undefined> | string | undefined;

/** The steps that drive something: each says what is missing afterwards, or nothing. */
export const ACTIONS: Partial<Readonly<Record<StepName, Action>>> = {
  'session-start': async (scene, { repo }) =>
    setupOf(scene.agent).findHookSwitch?.(repo.worktreeRoot, process.env) ??
    explain(await play(scene, 'start'), ({ ends }) => {
      // To an agent that would show it to nobody nothing is said; the next step tells whether its hooks work.
      if (agentOf(scene.agent).banner === undefined) return undefined;
      return ends.some(({ stdout }) => stdout.includes('systemMessage'))
        ? undefined
        : 'the hook gave no answer';
    }),
  prompt: async (scene) =>
    explain(await play(scene, 'prompt'), () =>
      stateOf(scene)?.phase === 'active' ? undefined : 'the session has no record',
    ),
  edit: async (scene) =>
    explain(await play(scene, 'edit'), () =>
      tracked(scene).includes(scene.path) ? undefined : 'the edit is not on record',
    ),
  stop: async (scene, patient) =>
    explain(await play(scene, 'stop'), () =>
      isAuto(patient) ? missingOwnCommit(scene) : missingStep(scene),
    ),
  commit: (scene, patient) => (isAuto(patient) ? undefined : commit(scene)),
  checkpoint: (scene) => missingCheckpoint(scene),
};

const isAuto = ({ activation }: Patient): boolean =>
  activation.kind === 'enabled' && activation.strategy === 'auto-commit';

const stateOf = ({ scratch, sessionId }: Play) =>
  readStateIfReadable(sessionsDir(scratch.repo.commonDir), sessionId);

const tracked = ({ scratch, sessionId }: Play): readonly string[] =>
  readFilesTouched(sessionsDir(scratch.repo.commonDir), sessionId);

/** What the agent has no command for, or what is missing although it had one, and what the command said. */
function explain(result: ActResult, missing: (result: ActResult) => string | undefined): string | undefined {
  if (result.commands.length === 0) return "the agent has no hook of Entire's for it";
  const failure = missing(result);
  if (failure === undefined) return undefined;
  const said = result.ends.map(({ failure: start, timedOut, stderr }) =>
    timedOut ? 'no end after a minute' : (start?.message ?? stderr.trim()),
  );
  return [failure, ...said.filter(Boolean)].join(': ');
}

function missingStep({ scratch, sessionId, path }: Play): string | undefined {
  const state = readStateIfReadable(sessionsDir(scratch.repo.commonDir), sessionId);
  if (!state) return 'the session has no record';
  const branch = readShadowBranch(scratch.git, state.baseCommit, state.worktreeId);
  return readShadowTree(scratch.git, branch, [path]).has(path) ? undefined : 'no step was saved';
}

const missingOwnCommit = ({ scratch }: Play): string | undefined =>
  readHeadCheckpoint(scratch.git) ? undefined : 'no commit was made';

/**
 * Commits as an agent would: nobody is asked, and no editor opens. The user's own pre-commit and commit-msg hooks are
 * passed over: they belong to the user's files, which are not here.
 */
function commit({ scratch, path }: Play): string | undefined {
  const { ENTIRE_TEST_TTY: _, ...env } = outsideOfGit({ ...scratch.git.env, CLAUDECODE: '1' });
  const git = { ...scratch.git, env };
  const args = ['--no-verify', '-m', 'Write a file in the self-test'];
  const { stderr } = commitInScratch(git, [path], args, { timeoutMs: PATIENCE_MS });
  if (readHeadCheckpoint(git)) return undefined;
  return ['the commit message has no trailer', stderr].filter(Boolean).join(': ');
}

function missingCheckpoint({ scratch, sessionId, path }: Play): string | undefined {
  const id = readHeadCheckpoint(scratch.git);
  if (!id || !hasCheckpoint(scratch.git, id)) return 'there is no checkpoint under the id in the message';
  const slot = readSlotMetadata(scratch.git, id).find((one) => one.sessionId === sessionId);
  return slot?.filesTouched.includes(path) ? undefined : 'the checkpoint does not hold the session';
}

/** What the hooks noted last in the log of the scratch repository, when they had something to complain about. */
export function lastWords({ scratch }: Play): string {
  const lines = readLogTail(scratch.repo.worktreeRoot, 16 * 1024)
    .trimEnd()
    .split('\n')
    .map(parseJson) as (Record<string, unknown> | undefined)[];
  const last = lines.findLast((line) => line?.level === 'WARN' || line?.level === 'ERROR');
  return last ? [last.msg, last.error].filter((part) => typeof part === 'string').join(': ') : '';
}
