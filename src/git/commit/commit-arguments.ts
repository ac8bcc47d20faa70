import { findCallingGits, type GitCommand } from '../caller.ts';
import { type Git, gitText, runGit } from '../run.ts';

/** What the command line of a `git commit` says that git does not tell its hooks. */
export interface CommitArguments {
  readonly amend: boolean;
  /** `--cleanup` */
  readonly cleanup: string | undefined;
  /** `-t`, as it was typed. */
  readonly template: string | undefined;
}

/** Long options of `git commit`, so that an abbreviation can be told; `=` marks those with a value. */
const LONG_OPTIONS = (
  'ahead-behind all allow-empty allow-empty-message amend author= branch cleanup= date= dry-run edit file= fixup= ' +
  'gpg-sign include interactive long message= null only patch pathspec-file-nul pathspec-from-file= porcelain ' +
  'post-rewrite quiet reedit-message= reset-author reuse-message= short signoff squash= status template= trailer= ' +
  'untracked-files verbose verify'
).split(' ');

const SHORT_OPTIONS: Readonly<Record<string, string>> = {
  m: 'message',
  F: 'file',
  c: 'reedit-message',
  C: 'reuse-message',
  t: 'template',
};

/** Short options that take the rest of their word, if there is any. */
const WITH_REST = 'uS';

/** Reads the arguments that stand after `commit`, as git does. */
export function parseCommitArguments(args: readonly string[]): CommitArguments {
  const found = new Map<string, string | undefined>();
  for (let at = 0; at < args.length && args[at] !== '--'; at++) {
    for (const { name, value, takesNext } of parseWord(args[at] as string)) {
      found.set(name, takesNext ? args[++at] : value);
    }
  }
  return {
    amend: found.has('amend') && !found.has('no-amend'),
    cleanup: found.get('cleanup'),
    template: found.get('template'),
  };
}

interface Option {
  readonly name: string;
  readonly value?: string | undefined;
  readonly takesNext?: boolean;
}

function parseWord(word: string): Option[] {
  if (word.startsWith('--')) {
    const [typed = '', ...rest] = word.slice(2).split('=');
    const names = LONG_OPTIONS.filter((option) => option.startsWith(typed));
    const option =
      names.find((name) => name.replace('=', '') === typed) ?? (names.length === 1 ? names[0] : undefined);
    const name = option?.replace('=', '') ?? typed;
    const value = rest.length > 0 ? rest.join('=') : undefined;
    return [{ name, value, takesNext: option?.endsWith('=') === true && value === undefined }];
  }
  if (!word.startsWith('-')) return [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string;
    if (WITH_REST.includes(letter)) return [];
    const name = SHORT_OPTIONS[letter];
    if (!name) continue;
    const value = word.slice(at + 1) || undefined;
    return [{ name, value, takesNext: value === undefined }];
  }
  return [];
}

/** Of the `git commit` that runs this hook; `undefined` where another command does, or nobody can tell. */
export function findCommitArguments(
  callers: readonly GitCommand[] = findCallingGits(),
): CommitArguments | undefined {
  const [git] = callers;
  return git?.name === 'commit' ? parseCommitArguments(git.args) : undefined;
}

/**
 * How git will clean up the message of this commit, by `--cleanup` or `commit.cleanup`; `default` means `strip` after
 * an editor and `whitespace` without one.
 *
 * @see https://git-scm.com/docs/git-commit#Documentation/git-commit.txt---cleanupmode
 */
export function readCleanup(git: Git): string {
  const told = findCommitArguments()?.cleanup;
  return told ?? (gitText(git, ['config', 'commit.cleanup'], { okCodes: [0, 1] }) || 'default');
}

/** What begins a comment in this repository's messages; `undefined` where git chooses it for each (`auto`). */
export function readCommentChar(git: Git): string | undefined {
  const args = ['config', '--get-regexp', '^core\\.comment(char|string)$'];
  const { stdout } = runGit(git, args, { okCodes: [0, 1] });
  const value = stdout.toString('utf8').trim().split('\n').at(-1)?.split(' ').slice(1).join(' ') ?? '';
  return value === 'auto' ? undefined : value || '#';
}
