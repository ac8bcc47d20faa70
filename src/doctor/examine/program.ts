import { delimiter, join } from 'node:path';
import { findCandidates, type SearchPlace } from '../../base/process/find-program.ts';
import { runProgram } from '../../base/process/program.ts';
import { COMMIT, VERSION } from '../../base/version.ts';
import { programPlace } from '../../git/program-place.ts';
import { type Git, gitText } from '../../git/run.ts';
import { isEnabled, type Patient } from '../patient.ts';
import { type Finding, found } from './finding.ts';

/** The oldest git that the tests run with. */
const OLDEST_GIT = [2, 31] as const;
/** A program that takes longer than this to say its version is not one that a hook could wait for. */
const PATIENCE_MS = 10_000;

/** What agents and git start when they start `entire`. */
export interface ProgramFacts {
  readonly git: string;
  /** `entire` for a plain shell with this environment's PATH; `undefined` where there is no shell to ask. */
  readonly onPath: Program | 'nothing' | undefined;
  /** Whether it is also found by programs without a terminal's PATH, or need not be. */
  readonly isFoundEverywhere: boolean;
  /** What runs now: version and commit. */
  readonly own: string;
}

export interface Program {
  readonly path: string;
  /** The first line it says about itself; `undefined` where it does not run. */
  readonly version: string | undefined;
  readonly failure: string | undefined;
}

export async function readProgram(patient: Patient): Promise<ProgramFacts> {
  const { activation } = patient;
  const env = withoutNpm(process.env);
  const path = await findOnPath(env);
  const isAbsolute = activation.kind === 'enabled' && activation.absoluteGitHookPath;
  const short = {
    ...env,
    PATH: ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(delimiter),
  };
  return {
    git: readGitVersion(patient.git),
    onPath: path
      ? await askVersion(path, programPlace(patient.repo, env))
      : path === ''
        ? 'nothing'
        : undefined,
    isFoundEverywhere: isAbsolute || !isEnabled(patient) || !path || Boolean(await findOnPath(short)),
    own: describeVersion(VERSION, COMMIT),
  };
}

/** How `entire version` names a build. */
export const describeVersion = (version: string, commit: string): string =>
  `Entire CLI ${version} (${commit})`;

/** npm puts programs of the project on the PATH of what it starts: agents and git do not have them there. */
export function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!env.npm_execpath) return env;
  const dirs = (env.PATH ?? '').split(delimiter).filter((dir) => !dir.endsWith(join('node_modules', '.bin')));
  return { ...env, PATH: dirs.join(delimiter) };
}

/** What a plain shell finds under our name, `''` for nothing; `undefined` where no shell can be started. */
async function findOnPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const sh = { program: '/bin/sh', args: ['-c', 'command -v entire'], forbidden: [] };
  const call = { ...sh, input: '', env, timeoutMs: PATIENCE_MS };
  const { failure, stdout } = await runProgram(call);
  return failure ? undefined : stdout.trim();
}

async function askVersion(path: string, { env, forbidden }: SearchPlace): Promise<Program> {
  const refusal = findCandidates({ env, forbidden }, 'entire').find(({ file }) => file === path)?.refusal;
  if (refusal !== undefined) return { path, version: undefined, failure: `it ${refusal}` };
  const call = { program: path, args: ['version'], forbidden, input: '', env, timeoutMs: PATIENCE_MS };
  const { code, stdout, stderr, failure, timedOut } = await runProgram(call);
  if (code === 0) return { path, version: stdout.split('\n')[0] ?? '', failure: undefined };
  const said = stderr.trim().split('\n')[0];
  const reason = timedOut ? 'no answer' : (failure?.message ?? (said || `exit status ${code}`));
  return { path, version: undefined, failure: reason };
}

export function judgeProgram({ git, onPath, isFoundEverywhere, own }: ProgramFacts): Finding[] {
  const findings: Finding[] = [];
  const [major = 0, minor = 0] = git.split('.').map(Number);
  const isOld = major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1]);
  if (isOld) findings.push(found('git-too-old', [git], { detail: OLDEST_GIT.join('.') }));
  if (onPath === undefined) return findings;
  if (onPath === 'nothing') findings.push(found('not-on-path'));
  else if (onPath.version === undefined)
    findings.push(found('path-program-broken', [onPath.path], { detail: onPath.failure }));
  else {
    if (onPath.version !== own)
      findings.push(found('path-other-version', [onPath.path], { detail: onPath.version }));
    if (!isFoundEverywhere) findings.push(found('short-path', [onPath.path]));
  }
  return findings;
}

/** Git's version: `2.43.0`; what vendors append is left out. */
export function readGitVersion(git: Git): string {
  const text = gitText(git, ['version']);
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? text;
}
