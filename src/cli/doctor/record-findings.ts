/** What the findings of `entire doctor` mean that are about records and refs; the others are in `findings.ts`. */

import { HISTORY } from '../../doctor/examine/history.ts';

/** The sentences on a finding. */
export interface FindingText {
  readonly title: string;
  readonly meaning: string;
  readonly hint: string;
}

export const RECORD_TEXTS = {
  'state-unreadable': () => ({
    title: 'Session states cannot be read',
    meaning: 'What these sessions did is in no checkpoint to come.',
    hint: 'Run `entire doctor --fix`: it sets them aside, and the sessions begin anew.',
  }),
  'record-unreadable': () => ({
    title: 'Records cannot be read',
    meaning: 'Hooks pass over them, and do without.',
    hint: 'Run `entire doctor --fix`: it sets them aside.',
  }),
  'set-aside': () => ({
    title: 'Records that could not be read were set aside',
    meaning: 'Nothing uses them any more.',
    hint: 'Look whether you miss anything, then delete them by hand.',
  }),
  'undo-unfinished': () => ({
    title: 'An undo, redo or rewind was interrupted',
    meaning: 'Some of its files are what they were, others what they were to become. All of them are kept.',
    hint: 'Run `entire undo --continue` to finish it, or `entire undo --abort` to roll it back.',
  }),
  'claims-left': () => ({
    title: 'Edits are held by hooks that died',
    meaning: 'They are not lost: the next step or commit of the session takes them up.',
    hint: 'Nothing needed; `entire doctor --fix` puts them back into the tracking file.',
  }),
  'lock-left': () => ({
    title: 'Locks were left by processes that died',
    meaning: 'The next hook of the session takes them over.',
    hint: 'Nothing needed; `entire doctor --fix` cleans up.',
  }),
  'temporary-left': () => ({
    title: 'Temporary files were left by processes that died',
    meaning: 'What they were to replace is as it was before.',
    hint: 'Nothing needed; `entire doctor --fix` cleans up.',
  }),
  'crash-report': () => ({
    title: 'git fast-import left crash reports',
    meaning: 'It was killed, or refused what it was given. Hooks tried again later.',
    hint: "Nothing needed; `entire doctor --fix` removes those that name no branches but Entire's.",
  }),
  'git-lock': () => ({
    title: 'Git locks have stood for more than ten minutes',
    meaning: 'A git process holds them, or died. As long as they stand git refuses to commit.',
    hint: 'When no git process is running in this repository, delete them by hand.',
  }),
  'checkpoint-given-up': () => ({
    title: 'Checkpoints could not be completed',
    meaning: 'Commits name them, and five hooks tried in vain. The reason is in .entire/logs/entire.log.',
    hint: 'See to the reason, then run `entire doctor --fix`: it tries again.',
  }),
  'checkpoint-owed': () => ({
    title: 'Checkpoints are still to be completed',
    meaning: 'The hook after the commit was killed, or held up.',
    hint: 'Nothing needed: the next hook does it. `entire doctor --fix` does it now.',
  }),
  'checkpoint-owed-elsewhere': () => ({
    title: 'Checkpoints of other worktrees are not complete',
    meaning: 'They were promised in a worktree that is gone, or where five hooks tried in vain.',
    hint: 'Run `entire doctor --fix` in that worktree, if there still is one.',
  }),
  'branch-name-taken': () => ({
    title: "A branch is in the way of Entire's branches",
    meaning: 'Git keeps no branch below another one, so nothing can be stored.',
    hint: 'Rename it: `git branch -m <other name>`.',
  }),
  'ref-broken': () => ({
    title: "Entire's branches or refs are broken",
    meaning:
      'Their files say no commit, as after a power cut: git goes on as if they were not there, and writes to them no more.',
    hint: [
      'Run `entire doctor --fix`: it sets those again whose reflog leads to a commit that is here.',
      'Else delete the file of that name in the git folder, then run `entire fetch`, if a remote has it,',
      'or `git update-ref <ref> <commit>` with one that `git fsck --lost-found` lists.',
    ].join('\n'),
  }),
  'metadata-branch-missing': () => ({
    title: 'The branch for checkpoints is missing',
    meaning: 'The next prompt creates it. Checkpoints that were on it are not here.',
    hint: 'Run `entire fetch` if a remote has it; `entire doctor --fix` creates it.',
  }),
  'ref-lock': () => ({
    title: "Locks on Entire's branches have stood for more than ten minutes",
    meaning: 'A git process died; until they go nothing can be stored there.',
    hint: 'Run `entire doctor --fix`.',
  }),
  'shadow-branch-unowned': () => ({
    title: 'Steps that no session knows of',
    meaning: 'Their sessions were reset, or their records are lost. They take up room, and nothing else.',
    hint: 'Look at `entire clean`.',
  }),
  'auto-commit-left': () => ({
    title: 'Commits that auto-commit was making are left',
    meaning: 'A hook was killed between making them and moving your branch.',
    hint: 'Run `entire doctor --fix`, which drops those that are on a branch. Look at the others with `git log <ref>`; `entire clean` drops them after 30 days.',
  }),
  'scrub-left': () => ({
    title: 'A branch that scrub was writing is left',
    meaning: 'It was killed; your branches are as they were.',
    hint: 'Run `entire scrub` again, or `entire doctor --fix`.',
  }),
  'rewind-left': () => ({
    title: 'A branch that a rewind was making is left',
    meaning: 'It was killed; the steps are where they were.',
    hint: 'Run `entire doctor --fix`.',
  }),
  'push-unknown': () => ({
    title: 'Pushes without a known end',
    meaning: 'They were begun, and may have left.',
    hint: 'Look at `entire push --log`; `entire push` sends what is missing.',
  }),
  'trailer-dangling': () => ({
    title: 'Commits name checkpoints that are not here any more',
    meaning: `They were made in this repository. Only the last ${HISTORY} commits were looked at.`,
    hint: 'Run `entire fetch`, if they were pushed; `entire why <commit>` says more.',
  }),
  'checkpoint-not-merged': () => ({
    title: 'Checkpoints were fetched, and not merged',
    meaning: 'Your remote has them, and your own branch has not.',
    hint: 'Run `entire fetch`.',
  }),
  'checkpoint-elsewhere': () => ({
    title: 'Commits name checkpoints that were made elsewhere',
    meaning: `Whoever made them may not have shared them. Only the last ${HISTORY} commits were looked at.`,
    hint: 'Run `entire fetch`, if they were pushed.',
  }),
  'no-sign-of-life': () => ({
    title: 'An agent works here, and no hook recorded it',
    meaning: 'These transcripts are newer than anything that hooks recorded of them.',
    hint: [
      'Start the agent again, at the top of the worktree: in a subfolder most agents do not read its hooks,',
      'and they read them when they start, and may ask whether you trust them.',
      'Then run `entire doctor --self-test`, which plays a session with the same hooks.',
    ].join('\n'),
  }),
  'commits-unseen': () => ({
    title: 'Git made commits without calling entire',
    meaning: 'No hook recorded them: git was started without hooks, or without `entire` on its PATH.',
    hint: [
      'If an editor or desktop client made them, run `entire enable --absolute-git-hook-path`.',
      '`entire doctor --self-test` tells whether a plain git calls it.',
    ].join('\n'),
  }),
  'hook-failures': () => ({
    title: 'Hooks reported problems in the last day',
    meaning: 'What they could not do, later hooks try again.',
    hint: 'The whole story is in .entire/logs/entire.log.',
  }),
} as const satisfies Record<string, () => FindingText>;
