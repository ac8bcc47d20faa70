/** What each finding of `entire doctor` means, and what to do about it. */

import { collapse } from '../../base/text/text.ts';
import type { Finding, FindingCode } from '../../doctor/examine/finding.ts';
import { GIT_HOOKS, renderCommand } from '../../hooks/git/shims.ts';
import { type FindingText, RECORD_TEXTS } from './record-findings.ts';

const because = (detail: string | undefined): string => (detail ? ` (${detail})` : '');
const REINSTALL = 'Run `entire doctor --fix`, or `entire enable`.';

const TEXTS: Readonly<Record<FindingCode, (finding: Finding) => FindingText>> = {
  ...RECORD_TEXTS,
  'not-set-up': () => ({
    title: 'Entire is not set up here',
    meaning: 'There is no .entire/settings.json, so hooks do nothing.',
    hint: 'Run `entire enable`.',
  }),
  disabled: ({ items }) => ({
    title: 'Entire is disabled here',
    meaning: 'The settings say so, and hooks do nothing.',
    hint: items.includes('.entire/settings.local.json')
      ? 'Run `entire enable --local`, or take "enabled" out of your own settings file.'
      : 'Run `entire enable`.',
  }),
  paused: () => ({
    title: 'Recording is paused',
    meaning: 'Somebody began a pause: nothing of it is recorded.',
    hint: 'To record again: `entire pause --end`, with `--session` where it is about one.',
  }),
  'paused-for-long': () => ({
    title: 'Recording has been paused for more than a day',
    meaning: 'A pause does not end by itself, and may have been forgotten.',
    hint: 'To record again: `entire pause --end`, with `--session` where it is about one.',
  }),
  'paused-unreadable': () => ({
    title: 'The record of pauses cannot be read',
    meaning: 'As long as nobody knows what is paused, nothing is recorded in any worktree.',
    hint: 'Run `entire pause --end --all`, which sets it aside.',
  }),
  'switched-off': () => ({
    title: 'ENTIRE=0 is set in this shell',
    meaning: 'Agents and commits that are started from it have every hook switched off.',
    hint: 'Run `unset ENTIRE`, and look where it is set (such as ~/.profile).',
  }),
  'settings-unreadable': ({ detail }) => ({
    title: 'The settings cannot be read',
    meaning: `Until they can they permit nothing${because(detail)}; recording goes on.`,
    hint: 'Correct the file by hand: it must be plain JSON.',
  }),
  'settings-unknown-key': () => ({
    title: 'The settings have unknown keys',
    meaning: 'No release uses them; check for typos.',
    hint: 'Correct them, or take them out.',
  }),
  'settings-not-heard': () => ({
    title: "The repository's settings try to turn on what only you can allow",
    meaning: 'It is ignored: nothing leaves, costs money or starts a program because of it.',
    hint: '`entire status` says what holds here; `entire enable --push-sessions` and `git config entire.summarize true` allow it.',
  }),
  'checkpoint-remote-not-agreed': () => ({
    title: 'Session logs stay here until the place they go to is agreed to',
    meaning: 'What the repository asks for has changed since somebody here said yes, or was never shown.',
    hint: 'Run `entire enable --push-sessions`, which shows the place, or `entire enable --skip-push-sessions`.',
  }),
  'strategy-unknown': () => ({
    title: 'The settings name a strategy that does not exist',
    meaning: 'Hooks work as manual-commit.',
    hint: 'Run `entire enable --strategy manual-commit`, or auto-commit.',
  }),
  'redaction-rule-unusable': () => ({
    title: 'Rules for redaction cannot be used',
    meaning: 'What they should hide is stored as it is, unless another rule finds it.',
    hint: 'Correct them in the section "redaction" of the settings.',
  }),
  'git-too-old': ({ items, detail }) => ({
    title: `git ${items[0]} is older than ${detail}`,
    meaning: 'Hooks may fail with it in ways that nobody has tried.',
    hint: 'Install a newer git.',
  }),
  'git-hooks-missing': () => ({
    title: 'Git hooks are missing',
    meaning: 'Git does not call entire, so commits are not linked.',
    hint: REINSTALL,
  }),
  'git-hooks-overwritten': ({ detail }) => ({
    title: 'Git hooks do not call entire',
    meaning: `Another program's scripts stand where Entire's were, or would be${because(detail)}.`,
    hint: `${REINSTALL} What stands there is kept, and goes on running.`,
  }),
  'git-hooks-not-executable': () => ({
    title: 'Git hooks are not executable',
    meaning: 'Git passes over them.',
    hint: REINSTALL,
  }),
  'git-hooks-outdated': () => ({
    title: 'Git hooks are from another release',
    meaning: 'They call entire, and not as this release would.',
    hint: REINSTALL,
  }),
  'hooks-folder-foreign': ({ detail }) => ({
    title: 'Git takes its hooks from another folder, which does not call entire',
    meaning: `core.hooksPath leads out of this repository${because(detail)}: what is in .git/hooks does not run.`,
    hint: [
      'Add a line to each of the scripts there (it does nothing in repositories without Entire):',
      ...GIT_HOOKS.map((hook) => `  ${hook}: ${renderCommand(hook)}`),
      detail?.startsWith('local')
        ? 'or take the setting out with `git config --unset core.hooksPath`, and run `entire enable`.'
        : 'or run `entire enable --force`, which installs them there for all your repositories.',
    ].join('\n'),
  }),
  'hooks-folder-unusable': ({ detail }) => ({
    title: 'Git has no folder to take hooks from',
    meaning: `core.hooksPath names something that is not a folder, which switches all hooks off${because(detail)}.`,
    hint: 'Take core.hooksPath out of the configuration: `git config --unset core.hooksPath`, with --global where it is set there.',
  }),
  'hook-manager': ({ detail }) => ({
    title: `${detail} is at work here`,
    meaning:
      "It overwrites Entire's hooks when it installs its own. They come back with the next prompt of an agent.",
    hint: 'Nothing needed, as long as the hooks are in place.',
  }),
  'agent-hooks-missing': () => ({
    title: 'No agent hooks are installed',
    meaning: 'What agents do is not recorded, and their commits are not linked.',
    hint: REINSTALL,
  }),
  'agent-hooks-incomplete': ({ detail }) => ({
    title: 'Agent hooks are missing',
    meaning: `Only ${detail} are there: a part of what the agent does goes unseen.`,
    hint: `${REINSTALL} A session that is running sees them after a restart.`,
  }),
  'agent-hooks-switched-off': () => ({
    title: 'The agent has all its hooks switched off',
    meaning: 'Its settings say `disableAllHooks`, or allow none but those of an administrator.',
    hint: 'Take the setting out, and start the agent again.',
  }),
  'agent-hooks-waiting': ({ detail }) => ({
    title: "An agent may not run Entire's hooks yet",
    meaning: 'It passes over them without a word, and nothing that it does is recorded.',
    hint: detail ?? 'Look at the page of the agent in docs/agents.',
  }),
  'external-agents-refused': ({ detail }) => ({
    title: 'The repository asks to let executables speak for agents',
    meaning: 'That is ignored: only the user of a machine can allow it.',
    hint: detail ?? 'Look at docs/agents/external.md.',
  }),
  'external-agent-unusable': () => ({
    title: 'An executable that speaks for an agent cannot be used',
    meaning: 'Hooks of that agent do nothing.',
    hint: 'Correct it, or take it off PATH. docs/agents/external.md says what each call answers.',
  }),
  'agent-hooks-outdated': ({ detail }) => ({
    title: 'Agent hooks are from another release',
    meaning: `They work; ${detail} of them not as this release would write them.`,
    hint: REINSTALL,
  }),
  'agent-hooks-doubled': ({ detail }) => ({
    title: 'Agent hooks are there twice',
    meaning: `Each of the ${detail} beyond one makes the agent wait twice.`,
    hint: REINSTALL,
  }),
  'agent-settings-obsolete': () => ({
    title: 'An older release left something in the settings of an agent',
    meaning: 'Such as a deny rule that makes newer clients ask for permission on unrelated reads.',
    hint: REINSTALL,
  }),
  'agent-settings-unreadable': ({ detail }) => ({
    title: "The agent's settings cannot be read",
    meaning: `Where the agent cannot read the file, it runs no hook, and no other setting in it holds${because(detail)}.`,
    hint: 'Correct the file by hand.',
  }),
  'not-on-path': () => ({
    title: 'A plain shell does not find `entire`',
    meaning: 'Agents and git start it by that name, and so nothing is recorded.',
    hint: [
      'Put its folder on PATH where every program sees it (such as ~/.profile; an alias or function does not count),',
      'and start the agent again. For git alone: `entire enable --absolute-git-hook-path`.',
    ].join('\n'),
  }),
  'path-program-broken': ({ detail }) => ({
    title: 'The `entire` on PATH does not run',
    meaning: `Agents and git start it, and nothing comes of it${because(detail)}.`,
    hint: 'Install it again, or take it off PATH.',
  }),
  'path-other-version': ({ detail }) => ({
    title: 'Another `entire` is on PATH',
    meaning: `Hooks run ${detail}, not the program that says this.`,
    hint: 'Take one of them away, or put the one you want first on PATH.',
  }),
  'short-path': () => ({
    title: 'Programs that do not inherit your PATH cannot find `entire`',
    meaning: 'Commits from some editors and desktop clients are not linked; those from a terminal are.',
    hint: 'Where that matters: `entire enable --absolute-git-hook-path`.',
  }),
  'not-writable': ({ detail }) => ({
    title: 'Folders cannot be written',
    meaning: `Hooks cannot keep anything there${because(detail)}.`,
    hint: 'Look at the permissions (`ls -ld`), and whether the disk is mounted read-only (`mount`).',
  }),
  'wrong-owner': () => ({
    title: 'Files belong to somebody else',
    meaning: 'Most often `sudo` ran here once. What their owner wrote, others cannot go on with.',
    hint: 'Give what is listed back to its user with `sudo chown -R`.',
  }),
  'disk-full': () => ({
    title: 'The disk is full',
    meaning: 'Hooks cannot keep anything.',
    hint: 'Make room.',
  }),
  'check-failed': ({ detail }) => ({
    title: 'Not everything could be looked at',
    meaning: collapse(detail ?? ''),
    hint: 'See to what stood in the way, and run it again. A repository that git refuses it says how to trust.',
  }),
};

/** The sentences on one finding. */
export const describeFinding = (finding: Finding): FindingText => TEXTS[finding.code](finding);
