import { FOLDER, LONG, RENAME, SEARCH, TRANSCRIPT } from './shop.ts';

/** A command line whose screen is kept. */
export interface ScreenOf {
  /** The command by all of its words, as `entire help` knows it. */
  readonly command: string;
  /** What stands behind it. */
  readonly args: readonly string[];
  /** It changes something: each width begins with the repository as it was. */
  readonly changes?: true;
  /** Paths and commands that are copied: each has a line of its own, and may be wider than the terminal. */
  readonly unbreakable?: readonly string[];
  /** It prints contents as they are, or git does. */
  readonly holdsContents?: true;
}

type Exceptions = Pick<ScreenOf, 'unbreakable' | 'holdsContents'>;

/** A screen of a command that changes nothing; each is run in the same repository. */
const looks = (command: string, args: readonly string[] = [], exceptions: Exceptions = {}): ScreenOf => ({
  ...{ command, args },
  ...exceptions,
});
const changes = (command: string, args: readonly string[] = [], exceptions: Exceptions = {}): ScreenOf => ({
  ...{ command, args, changes: true },
  ...exceptions,
});

/** The copy of a session that the story made. */
const COPY = '975742ef-13bf-47c1-86b0-02df31d3512b';
const CONTENTS = { holdsContents: true } as const;
const SIDE = `${FOLDER}.worktrees/search-ranking`;
const SECOND = `${FOLDER}.worktrees/second`;
const WRITTEN = [
  `${FOLDER}/src/search.ts`,
  `${FOLDER}/docs/検索/設計メモ.md`,
  `${FOLDER}/packages/storefront/src/components/navigation/…`,
];

/** One line for each screen; each command has one at least. */
export const SCREENS: readonly ScreenOf[] = [
  looks('agent list'),
  changes('agent add', ['gemini']),
  changes('agent remove', ['claude-code']),
  looks('blame', ['src/search.ts']),
  looks('blame', [LONG]),
  looks('blame', ['--why', LONG]),
  looks('clean'),
  changes('clean', ['--force']),
  looks('config list'),
  looks('config get', ['strategy']),
  changes('config set', ['log_level', 'debug']),
  changes('config unset', ['log_level']),
  looks('context build', ['--session', SEARCH, '--stdout'], CONTENTS),
  looks('context presets'),
  looks('context show', ['search']),
  looks('diff', [SEARCH.slice(0, 8)], CONTENTS),
  looks('diff', ['--stat', 'HEAD'], CONTENTS),
  looks('diff', ['zzzz']),
  changes('disable'),
  looks('doctor'),
  looks('du'),
  changes('enable', ['--agent', 'codex']),
  looks('explain'),
  looks('explain', ['HEAD']),
  looks('explain', ['3a6edbc9:4'], { unbreakable: [LONG] }),
  looks('explain', ['--session', SEARCH]),
  looks('export', ['--format', 'git-ai', 'HEAD~1..'], CONTENTS),
  changes('export', ['--format', 'git-ai', '--write-notes']),
  changes('fetch'),
  looks('import', ['--help']),
  looks('files', [], { unbreakable: [LONG] }),
  looks('forget', [SEARCH, '--dry-run'], { unbreakable: [TRANSCRIPT] }),
  looks('gc', ['--dry-run']),
  looks('help'),
  looks('help', ['environment']),
  looks('log'),
  looks('log', ['--graph']),
  changes('pause'),
  looks('push', ['--preview']),
  changes('push', ['--yes']),
  looks('push', ['--log']),
  looks('redo', ['--list']),
  changes('redo', [], { unbreakable: [LONG] }),
  looks('relink', ['--dry-run']),
  looks('reset'),
  looks('resume', ['--dry-run'], { unbreakable: [`entire session chat --resume ${COPY}`] }),
  looks('rewind', ['--list']),
  looks('scrub', ['--dry-run']),
  looks('search', ['search']),
  looks('search', ['nowhere-at-all']),
  looks('session chat', ['--help']),
  looks('session delete', ['--help']),
  changes('session delete', ['try-harder']),
  looks('session export', [SEARCH, '--format', 'md'], CONTENTS),
  changes('session fork', [SEARCH, '--branch', 'again']),
  looks('session import', ['--help']),
  looks('session list'),
  looks('session list', ['--everywhere']),
  looks('session show', [SEARCH], { unbreakable: [...WRITTEN, TRANSCRIPT] }),
  looks('session stats'),
  looks('stats', [], { unbreakable: [LONG] }),
  looks('stats', ['--by', 'file'], { unbreakable: [LONG] }),
  looks('stats', ['HEAD~2..', '--by', 'session']),
  looks('status'),
  looks('statusline'),
  looks('status', ['--detailed'], {
    unbreakable: [`${FOLDER}/.entire/settings.json`, `${FOLDER}/.entire/settings.local.json`],
  }),
  looks('undo', ['--list']),
  looks('undo', ['--dry-run']),
  changes('undo'),
  looks('undo', ['--diff'], CONTENTS),
  looks('undo', ['zzzz']),
  looks('undo', ['--session', RENAME, '--dry-run']),
  looks('verify'),
  looks('version'),
  looks('why'),
  looks('why', ['HEAD~1']),
  changes('worktree create', ['second'], { unbreakable: [SECOND, `cd '${SECOND}' && claude`] }),
  looks('worktree list', [], { unbreakable: [SIDE] }),
  changes('worktree remove', ['search-ranking'], { unbreakable: [SIDE] }),
];
