/** What `entire verify` says: of each problem what it means, and what to do. */

import { counted, showPath } from '../../base/text/text.ts';
import type { Problem, ProblemCode } from '../../doctor/verify/problem.ts';
import type { VerifyReport } from '../../doctor/verify/verify.ts';
import { renderJson } from '../ui/terminal.ts';

interface Explanation {
  readonly meaning: string;
  readonly advice: string;
}

const FROM_A_CLONE =
  'Fetch the branch from a remote or a clone that has it (`entire fetch`), or restore the repository from a backup; `git fsck` names what else is missing.';
const LEFT_AS_IT_IS = 'Nothing has to be done: readers pass over it.';
const LOOK_AND_DELETE = 'Look at the file, and delete it when nothing in it is worth keeping.';
const MADE_AGAIN =
  'Nothing is lost: the next hook makes it again. Delete the file to be rid of this message.';
const UPGRADE = 'Use the newer version of entire that wrote it, or delete it.';

export const EXPLANATIONS: Readonly<Record<ProblemCode, Explanation>> = {
  'ref-broken': {
    meaning: 'The file of a branch or ref holds no object id, so git goes on as if it were not there.',
    advice:
      'Run `entire doctor --fix`: it sets it again, if its reflog leads to a commit that is here. Else delete the file, since git refuses to write to it, and fetch it, or set it with `git update-ref <ref> <id>`.',
  },
  'object-missing': {
    meaning: 'Git has no such object, or cannot read even its beginning.',
    advice: FROM_A_CLONE,
  },
  'object-damaged': { meaning: 'Git has the object and cannot read it.', advice: FROM_A_CLONE },
  'history-incomplete': {
    meaning: 'Older commits of the branch lack objects; what its tip holds is checked on its own.',
    advice: FROM_A_CLONE,
  },
  'metadata-missing': {
    meaning: 'A checkpoint lacks the file that says what it holds.',
    advice:
      '`git log -- <path>` on entire/checkpoints/v1 shows what removed it; a clone may still have it (`entire fetch`).',
  },
  'metadata-invalid': {
    meaning: 'Metadata of a checkpoint says what it should not; the rest of it is used.',
    advice:
      '`entire explain <checkpoint>` shows what can be read; an older commit of the branch may have it right.',
  },
  'session-missing': {
    meaning: 'The checkpoint lists a session whose folder is not there.',
    advice: 'An older commit of entire/checkpoints/v1, or a clone, may have it.',
  },
  'session-unlisted': {
    meaning:
      'A session is there that the checkpoint does not list; this version shows it, version 0.4.4 does not.',
    advice: LEFT_AS_IT_IS,
  },
  'session-unread': {
    meaning:
      "When two branches were united, this folder of one side could not be read, and was kept beside the others'.",
    advice: LEFT_AS_IT_IS,
  },
  'session-id-invalid': {
    meaning: 'This is not the id of a session; nothing is ever written under it.',
    advice: LEFT_AS_IT_IS,
  },
  'file-missing': {
    meaning: 'A file is not there although its metadata, or its digest, says so.',
    advice: 'An older commit of the branch, or a clone, may have it.',
  },
  'chunk-missing': {
    meaning: 'A part of a transcript is not there, although later ones are.',
    advice: 'An older commit of the branch, or a clone, may have it; what is there is shown.',
  },
  'hash-wrong': {
    meaning:
      'The transcript is not the one that content_hash.txt was made of: one of the two was changed since.',
    advice:
      '`git log -p -- <folder>` on entire/checkpoints/v1 shows who changed what. `entire scrub` keeps them in step.',
  },
  'line-invalid': {
    meaning: 'A line of a transcript is not JSON: its client wrote it so, or somebody changed it.',
    advice: LEFT_AS_IT_IS,
  },
  'json-invalid': { meaning: 'A JSON file of a checkpoint is not JSON.', advice: LEFT_AS_IT_IS },
  'step-unmarked': {
    meaning: "A branch has the name of one of Entire's, and its last commit is not a step of a session.",
    advice: 'When the branch is yours, rename it (`git branch -m`); else `entire clean` may delete it.',
  },
  'step-metadata-missing': {
    meaning: 'A step names a folder with its transcript that is not in it.',
    advice: 'Nothing has to be done: the next step has one, and a commit reads the live transcript.',
  },
  'state-unreadable': {
    meaning:
      'The state of a session cannot be read; the next hook of it sets the file aside and begins anew.',
    advice: 'Correct the file if you know how, or let it be; `entire doctor` can repair it.',
  },
  'state-of-another': {
    meaning: 'The file says that it is the state of another session (named above) than its name does.',
    advice: LOOK_AND_DELETE,
  },
  'state-name-invalid': {
    meaning: 'No session can have such a name, so no hook looks at the file.',
    advice: LOOK_AND_DELETE,
  },
  'state-set-aside': {
    meaning: 'A hook could not read this state, and set it aside; its session went on with a new one.',
    advice: LOOK_AND_DELETE,
  },
  'steps-missing': {
    meaning: 'The session counts steps, and the branch they should be on (named above) is not there.',
    advice:
      'If you deleted the branch, `git branch <name> <id>` brings it back; else a commit takes what the worktree has.',
  },
  'tracking-not-a-file': {
    meaning: 'This is not a regular file that can be read, so edits of the session cannot be recorded there.',
    advice: 'Move it away; the next edit makes a new one.',
  },
  'tracking-torn': {
    meaning: 'The last line has no end: a write was cut short. An edit may be missing from it.',
    advice:
      'Nothing has to be done: the next write begins a new line, and the scan at the end of the turn finds the file.',
  },
  'tracking-line-invalid': {
    meaning: 'A line is not a path of this repository; it is passed over.',
    advice: LEFT_AS_IT_IS,
  },
  'record-unreadable': {
    meaning:
      'A record beside the states cannot be read: hooks know less precisely what the agent did and what was there before.',
    advice: 'Delete the file; the next turn writes a new one.',
  },
  'cache-unreadable': { meaning: 'A cache cannot be read.', advice: MADE_AGAIN },
  'privacy-unreadable': {
    meaning:
      'A record of what was paused or forgotten cannot be read: nothing is stored where it is about a pause, and what was forgotten may come back with a fetch.',
    advice: 'Do not delete it. `entire pause --end --all` ends pauses; `entire forget` forgets again.',
  },
  'owed-unreadable': {
    meaning: 'The note that a commit still waits for its checkpoint cannot be read: nobody will complete it.',
    advice:
      '`entire doctor` looks for commits without their checkpoints; delete the file when they are settled.',
  },
  'version-unknown': {
    meaning: 'The file is of a version (above) that this program does not know, and does not use.',
    advice: UPGRADE,
  },
  'ledger-line-invalid': {
    meaning:
      'A line is not what Entire writes: a process was killed in the middle of it, or somebody changed it.',
    advice: LEFT_AS_IT_IS,
  },
  'snapshot-unreadable': {
    meaning: 'A step that could be undone cannot be read: neither it nor the steps before it can be undone.',
    advice: 'Move the file away to go on without that step. Nothing has been deleted.',
  },
  'snapshot-content-missing': {
    meaning: 'What a file was at some step is gone: undo leaves that file as it is, and says so.',
    advice: LEFT_AS_IT_IS,
  },
  'snapshot-content-damaged': {
    meaning: 'What a file was at some step is not what was stored: undo refuses it.',
    advice: LEFT_AS_IT_IS,
  },
  'check-failed': {
    meaning: 'This check could not be carried out; what it would have found is unknown.',
    advice: 'Correct what it says, and run the command again.',
  },
};

const PROBLEMS_SHOWN = 50;

/** The report for people. */
export function renderVerify({ problems, looked }: VerifyReport, readData: boolean): string {
  const what = [
    counted(looked.checkpoints, 'checkpoint'),
    counted(looked.steps, 'step'),
    counted(looked.sessions, 'session file'),
    counted(looked.records, 'record'),
    ...(readData ? [counted(looked.texts, 'stored text')] : []),
  ].join(', ');
  if (problems.length === 0) return `${what}: no problems found.${readData ? '' : `\n${NOT_READ}`}`;
  const shown = problems.slice(0, PROBLEMS_SHOWN).flatMap(renderProblem);
  const rest = problems.length - Math.min(problems.length, PROBLEMS_SHOWN);
  return [
    ...shown,
    ...(rest > 0 ? [`and ${counted(rest, 'more problem')}: \`entire verify --json\``, ''] : []),
    `${what}: ${counted(problems.length, 'problem')} found.`,
  ].join('\n');
}

const NOT_READ = 'Transcripts were not read: `entire verify --read-data`.';

function renderProblem({ code, where, detail }: Problem): string[] {
  const { meaning, advice } = EXPLANATIONS[code];
  return [`${code}: ${showPath(where)}${detail ? ` (${detail})` : ''}`, `  ${meaning}`, `  ${advice}`, ''];
}

/** The report for programs. */
export const renderVerifyJson = ({ problems, looked }: VerifyReport, readData: boolean): string =>
  renderJson({
    read_data: readData,
    looked,
    problems: problems.map(({ code, where, detail }) => ({
      code,
      where,
      detail: detail ?? null,
      ...EXPLANATIONS[code],
    })),
  });
