import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from '../../support/runner/dice.ts';
import { sideBySide, together, turn, write } from './hands.ts';
import type { Story } from './story.ts';
import { AGENTS, type Author, linesOf, parse, render } from './text.ts';

type Act = (story: Story, dice: Dice) => void;

/** What somebody makes between two commits. */
export function work(story: Story, dice: Dice): void {
  const how = dice.below(12);
  if (how < 5) turn(story, dice.oneOf(AGENTS), dice);
  else if (how < 8) write(story, 'user', dice);
  else if (how < 10) sideBySide(story, dice.oneOf(AGENTS), dice);
  else together(story, dice);
}

function commits(story: Story, dice: Dice, count: number): void {
  for (; count > 0; count--) {
    work(story, dice);
    story.commitAll();
  }
}

/** On a branch of its own, and back on main; which goes on meanwhile in some cases. */
function onTopic(story: Story, dice: Dice, count = 2): void {
  story.git('switch', '--quiet', '--force-create', 'topic');
  commits(story, dice, count);
  story.git('switch', '--quiet', 'main');
  if (dice.chance(50)) commits(story, dice, 1);
}

/** Takes both sides of each conflict, until it is over. */
function settle(story: Story, dice: Dice, command: string): void {
  const by: Author = dice.oneOf(['user', ...AGENTS]);
  for (let round = 0; round < 9 && inProgress(story); round++) {
    resolve(story, by);
    if (!story.git(...(command === 'merge' ? ['commit', '--no-edit', '--quiet'] : [command, '--continue'])))
      if (unmerged(story).length === 0) story.git(command, '--skip');
  }
  if (by !== 'user') story.end(by);
  if (inProgress(story)) story.git(command, '--abort');
}

const MARKS = ['rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'MERGE_HEAD'];

const inProgress = ({ repo }: Story): boolean =>
  readdirSync(join(repo.dir, '.git')).some((name) => MARKS.includes(name));

const unmerged = ({ repo }: Story): string[] => [
  ...new Set(
    repo
      .git('ls-files', '--unmerged', '-z')
      .split('\0')
      .filter(Boolean)
      .map((line) => line.slice(line.indexOf('\t') + 1)),
  ),
];

function resolve(story: Story, by: Author): void {
  for (const path of unmerged(story)) {
    if (!story.repo.exists(path)) continue;
    const text = story.repo.read(path);
    const blocks = [...text.matchAll(/^<{7} [\s\S]*?^>{7} .*$/gm)].map(([block]) => block);
    // Without marks one side took the whole file out.
    for (const block of blocks.length > 0 ? blocks : [text])
      for (const line of linesOf(block)) story.inConflict.add(line.trim());
    const units = parse(text.replaceAll(/^(<{7}|={7}|>{7}|\|{7}).*\n/gm, ''));
    const once = [...new Map(units.map((unit) => [unit.line.trim(), unit])).values()];
    story.tell(`${by}: resolves ${path}`);
    if (by === 'user') story.repo.write(path, render(once));
    else story.edit(by, path, render(once));
  }
  story.repo.git('add', '--all', '--', '.');
}

const amendMessage: Act = (story, dice) => {
  commits(story, dice, 1);
  story.git('commit', '--quiet', '--amend', '-m', `Amended ${story.number()}`);
};

const amend: Act = (story, dice) => {
  commits(story, dice, 1);
  work(story, dice);
  story.repo.git('add', '--all', '--', '.');
  story.git('commit', '--quiet', '--amend', '--no-edit');
};

/** One file of what there is, and the rest in the next commit. */
const partial: Act = (story, dice) => {
  work(story, dice);
  work(story, dice);
  const paths = story.repo.git('status', '--porcelain', '-uall', '--no-renames', '--', '*.ts').split('\n');
  const path = paths.find((line) => !line.includes('D '))?.slice(3);
  if (!path) return;
  story.git('add', '--', path);
  story.git('commit', '--quiet', '-m', `Part ${story.number()}`);
  story.commitAll();
};

const stash: Act = (story, dice) => {
  work(story, dice);
  if (!story.isDirty()) return;
  story.git('stash', 'push', '--quiet', '--include-untracked');
  if (dice.chance(50)) commits(story, dice, 1);
  if (!story.git('stash', 'pop', '--quiet')) {
    resolve(story, 'user');
    story.git('stash', 'drop', '--quiet');
  }
  story.commitAll();
};

const rebase: Act = (story, dice) => {
  onTopic(story, dice);
  story.git('switch', '--quiet', 'topic');
  if (!story.git('rebase', '--quiet', 'main')) settle(story, dice, 'rebase');
  story.git('switch', '--quiet', 'main');
  story.git('merge', '--quiet', '--no-edit', 'topic');
};

const autosquash: Act = (story, dice) => {
  commits(story, dice, 2);
  work(story, dice);
  story.repo.git('add', '--all', '--', '.');
  if (!story.isDirty()) return;
  story.git('commit', '--quiet', `--fixup=HEAD${dice.oneOf(['', '~1'])}`);
  if (!story.git('rebase', '--quiet', '-i', '--autosquash', 'HEAD~3')) settle(story, dice, 'rebase');
};

const squashByRebase: Act = (story, dice) => {
  const base = story.repo.git('rev-parse', 'HEAD');
  commits(story, dice, 2);
  if (Number(story.repo.git('rev-list', '--count', `${base}..HEAD`)) < 2) return;
  const env = { GIT_EDITOR: 'true', GIT_SEQUENCE_EDITOR: `sed -i -e '2,$s/^pick/squash/'` };
  story.tell('git rebase -i (squash)');
  if (story.repo.run('git', ['rebase', '--quiet', '-i', base], { env }).code !== 0)
    settle(story, dice, 'rebase');
};

/** One commit becomes two, a file in each. */
const split: Act = (story, dice) => {
  work(story, dice);
  work(story, dice);
  story.commitAll();
  story.git('reset', '--quiet', '--mixed', 'HEAD^');
  const [path] = story.repo.git('status', '--porcelain', '-uall', '--no-renames', '--', '*.ts').split('\n');
  if (path) story.git('add', '--all', '--', path.slice(3));
  story.git('commit', '--quiet', '-m', `First half ${story.number()}`);
  story.commitAll(`Second half ${story.number()}`);
};

const resetSoft: Act = (story, dice) => {
  const base = story.repo.git('rev-parse', 'HEAD');
  commits(story, dice, 2);
  story.git('reset', '--quiet', dice.oneOf(['--soft', '--mixed']), base);
  story.commitAll(`Made again ${story.number()}`);
};

const mergeSquash: Act = (story, dice) => {
  onTopic(story, dice);
  if (!story.git('merge', '--quiet', '--squash', 'topic')) resolve(story, dice.oneOf(['user', ...AGENTS]));
  story.endAll();
  if (dice.chance(50)) story.git('commit', '--quiet', '--no-edit');
  else story.git('commit', '--quiet', '-m', `Squashed ${story.number()}`);
  story.git('reset', '--quiet', '--hard'); // an empty squash leaves its message
};

/** A forge squashes on another clone, which has no hooks: with the title alone, or the messages of all commits. */
const forge: Act = (story, dice) => {
  const { repo } = story;
  const origin = join(repo.scratch, 'origin.git');
  const other = join(repo.scratch, `forge-${story.number()}`);
  if (!repo.git('remote').includes('origin')) {
    repo.git('init', '--quiet', '--bare', '--initial-branch=main', origin);
    repo.git('remote', 'add', 'origin', origin);
  }
  story.git('switch', '--quiet', '--force-create', 'topic');
  commits(story, dice, 2);
  story.git('switch', '--quiet', 'main');
  repo.git('push', '--quiet', '--force', 'origin', 'main', 'topic');
  repo.git('clone', '--quiet', origin, other);
  const there = (...args: string[]) =>
    repo.run('git', ['-C', other, '-c', 'user.name=Forge', '-c', 'user.email=forge@example.com', ...args]);
  const bodies = there('log', '--reverse', '--format=* %B', 'main..origin/topic').stdout;
  there('merge', '--quiet', '--squash', 'origin/topic');
  const message = dice.chance(50) ? [] : ['-m', bodies];
  there('commit', '--quiet', '-m', `Topic (#${story.number()})`, ...message);
  there('push', '--quiet', 'origin', 'main');
  story.tell(`forge: squash${message.length > 0 ? ', with all messages' : ''}`);
  story.git('pull', '--quiet', '--ff-only', 'origin', 'main');
  story.git('branch', '--quiet', '-D', 'topic');
};

const cherryPick: Act = (story, dice) => {
  onTopic(story, dice);
  const none = dice.chance(30) ? ['--no-commit'] : [];
  if (!story.git('cherry-pick', ...none, dice.oneOf(['topic', 'topic~1']))) {
    if (none.length > 0) resolve(story, 'user');
    else settle(story, dice, 'cherry-pick');
  }
  if (none.length > 0) story.commitAll();
};

const revert: Act = (story, dice) => {
  commits(story, dice, 2);
  if (!story.git('revert', '--no-edit', dice.oneOf(['HEAD', 'HEAD~1']))) settle(story, dice, 'revert');
  else if (dice.chance(70) && !story.git('revert', '--no-edit', 'HEAD')) settle(story, dice, 'revert');
};

const am: Act = (story, dice) => {
  onTopic(story, dice);
  const patches = story.repo.git('format-patch', '--stdout', 'main..topic');
  story.tell('git am');
  if (story.repo.run('git', ['am', '--quiet', '--3way'], { input: `${patches}\n` }).code !== 0)
    settle(story, dice, 'am');
};

const filterBranch: Act = (story, dice) => {
  commits(story, dice, 2);
  const env = { FILTER_BRANCH_SQUELCH_WARNING: '1' };
  const filter = ['--msg-filter', 'sed -e 1s/^/Filtered:\\ /'];
  story.tell('git filter-branch');
  story.repo.run('git', ['filter-branch', '--force', ...filter, 'HEAD~2..HEAD'], { env });
};

/** A file is taken out of the last commits, as somebody does with one that should never have been in them. */
const filterContent: Act = (story, dice) => {
  commits(story, dice, 2);
  const path = story.anyFile(dice);
  if (!path) return;
  const env = { FILTER_BRANCH_SQUELCH_WARNING: '1' };
  const filter = ['--index-filter', `git rm --quiet --cached --ignore-unmatch -- ${path}`];
  story.tell(`git filter-branch (without ${path})`);
  story.repo.run('git', ['filter-branch', '--force', ...filter, 'HEAD~2..HEAD'], { env });
};

const merge: Act = (story, dice) => {
  onTopic(story, dice);
  if (!story.git('merge', '--quiet', '--no-ff', '--no-edit', 'topic')) settle(story, dice, 'merge');
};

/** A file as it was some commits ago, by a person or in an agent's shell. */
const oldVersion: Act = (story, dice) => {
  commits(story, dice, 2);
  const path = story.anyFile(dice);
  if (!path) return;
  const by = dice.oneOf(['user', ...AGENTS] as const);
  const restore = () => void story.git('checkout', '--quiet', dice.oneOf(['HEAD~1', 'HEAD~2']), '--', path);
  if (by === 'user') restore();
  else story.shell(by, 'git checkout', restore);
  story.endAll();
  story.commitAll();
};

/** Each way in which commits come into being, or become others. */
export const WAYS: Readonly<Record<string, { readonly weight: number; readonly act: Act }>> = {
  commit: { weight: 6, act: (story, dice) => commits(story, dice, 2) },
  partial: { weight: 4, act: partial },
  amendMessage: { weight: 1, act: amendMessage },
  amend: { weight: 2, act: amend },
  stash: { weight: 2, act: stash },
  rebase: { weight: 3, act: rebase },
  autosquash: { weight: 2, act: autosquash },
  squashByRebase: { weight: 2, act: squashByRebase },
  split: { weight: 2, act: split },
  resetSoft: { weight: 2, act: resetSoft },
  mergeSquash: { weight: 3, act: mergeSquash },
  forge: { weight: 2, act: forge },
  cherryPick: { weight: 2, act: cherryPick },
  revert: { weight: 2, act: revert },
  am: { weight: 1, act: am },
  filterBranch: { weight: 1, act: filterBranch },
  filterContent: { weight: 1, act: filterContent },
  merge: { weight: 2, act: merge },
  oldVersion: { weight: 1, act: oldVersion },
};
