import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { type Aside, type AsideFile, type CommitPair, withObjectsAside } from '../../git/object/aside.ts';
import { type FileVersions, readTurnContents } from '../../restore/turn-contents.ts';
import type { WouldChange } from '../../restore/would-change.ts';
import { colourOfGit } from '../ui/colour.ts';
import { withProgress } from '../ui/progress.ts';
import { plain } from '../ui/terminal.ts';
import type { Header } from './header.ts';
import * as text from './text.ts';

/** How git is to show changes. */
export interface ShowFlags {
  readonly stat?: boolean | undefined;
  readonly 'name-only'?: boolean | undefined;
  readonly 'word-diff'?: boolean | undefined;
  readonly 'no-pager'?: boolean | undefined;
}

export const toPair = (header: Header, versions: readonly FileVersions[]): CommitPair => ({
  ...header,
  before: versions.flatMap(({ before }): AsideFile[] => (before ? [before] : [])),
  after: versions.flatMap(({ after }): AsideFile[] => (after ? [after] : [])),
});

/**
 * Has git show commits that lie aside: in the user's pager and colours.
 *
 * @param format of what stands above each, as `git log --format` takes it
 * @throws {EntireError} `GIT_FAILED`
 */
export async function showCommits(
  aside: Aside,
  flags: ShowFlags,
  format: string,
  commits: readonly string[],
): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const { ACCESSIBLE, TERM } = process.env;
  const isDirect = flags['no-pager'] || ACCESSIBLE || TERM === 'dumb';
  const forms = (['stat', 'name-only', 'word-diff'] as const).filter((name) => flags[name]);
  const code = await aside.show([
    ...(isDirect ? ['--no-pager'] : []),
    ...['show', '--no-show-signature', '--no-notes', `--format=${format}`],
    // Programs of the user's make something for people; what is piped is read by programs.
    isTerminal ? '--ext-diff' : '--no-ext-diff',
    ...colourOfGit(process.env),
    ...forms.map((name) => `--${name}`),
    ...commits,
  ]);
  if (code > 128)
    process.exitCode = code; // somebody stopped it
  else if (code !== 0) throw new EntireError('GIT_FAILED', text.GIT_FAILED);
}

/** What going back in a session would change, and what is said above it. */
export interface Preview {
  readonly session: SessionId;
  readonly message: string;
  readonly changes: WouldChange;
}

/** Nobody wrote it yet. */
const NOBODY = { author: { name: '', email: '' }, date: '0 +0000' };

/** Shows what would become of files, each preview with what is said above it, one after the other. @throws {EntireError} `GIT_FAILED` */
export async function showPreviews(repo: Repo, previews: readonly Preview[]): Promise<void> {
  await withObjectsAside(repo, async (aside) => {
    const meant = previews.map(({ session, changes: files }) => ({
      ...{ session, record: { files }, paths: new Set(files.keys()) },
    }));
    const contents = await withProgress(({ step }) =>
      readTurnContents(repo, aside, meant, (done, total) => step(text.READING, done, total)),
    );
    const commits = aside.addPairs(
      previews.map(({ message }, at) => {
        const files = contents[at] ?? [];
        const notes = files.flatMap(({ path, unshown }) =>
          unshown === '' ? [] : plain(text.unshown(path, unshown)),
        );
        const header = { ...NOBODY, message: [message, ...notes].join('\n') };
        return toPair(
          header,
          files.flatMap(({ versions }) => versions),
        );
      }),
    );
    await showCommits(aside, {}, 'format:%B%n', commits);
  });
}
