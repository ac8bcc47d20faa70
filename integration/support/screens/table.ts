import { LONG, RENAME, SEARCH } from './shop.ts';

/** A command line whose screen is kept. */
export interface ScreenOf {
  /** The command by all of its words, as `entire help` knows it. */
  readonly command: string;
  /** What stands behind it. */
  readonly args: readonly string[];
  /** It changes something: each width begins with the repository as it was. */
  readonly changes?: true;
  /** Words that may stand out over the edge, since they are copied and nothing else can give way. */
  readonly unbreakable?: RegExp;
}

const looks = (command: string, ...args: string[]): ScreenOf => ({ command, args });
const changes = (command: string, ...args: string[]): ScreenOf => ({ command, args, changes: true });

/** One line for each screen; each command has one at least. */
export const SCREENS: readonly ScreenOf[] = [
  looks('agent list'),
  changes('agent add', 'gemini'),
  changes('agent remove', 'claude-code'),
  looks('blame', 'src/search.ts'),
  looks('blame', LONG),
  looks('clean'),
  changes('clean', '--force'),
  looks('config list'),
  looks('config get', 'strategy'),
  changes('config set', 'log_level', 'debug'),
  changes('config unset', 'log_level'),
  looks('context build', '--session', SEARCH, '--stdout'),
  looks('context presets'),
  looks('context show', 'search'),
  looks('diff', SEARCH.slice(0, 8)),
  looks('diff', '--stat', 'HEAD'),
  changes('disable'),
  looks('doctor'),
  looks('du'),
  changes('enable', '--agent', 'codex'),
  looks('explain'),
  looks('explain', 'HEAD'),
  looks('explain', '--session', SEARCH),
  changes('fetch'),
  looks('files'),
  looks('files', SEARCH.slice(0, 8)),
  looks('forget', SEARCH, '--dry-run'),
  looks('gc', '--dry-run'),
  looks('help'),
  looks('help', 'environment'),
  looks('log'),
  changes('pause'),
  looks('push', '--preview'),
  changes('push', '--yes'),
  looks('push', '--log'),
  looks('redo', '--list'),
  changes('redo'),
  looks('resume', '--dry-run'),
  looks('reset'),
  looks('rewind', '--list'),
  looks('scrub', '--dry-run'),
  looks('session chat', '--help'),
  looks('session list'),
  looks('session list', '--everywhere'),
  looks('session show', SEARCH),
  looks('session stats'),
  changes('session fork', SEARCH, '--branch', 'again'),
  looks('session export', SEARCH, '--format', 'md'),
  looks('session import', '--help'),
  changes('session delete', 'try-harder'),
  looks('status'),
  looks('status', '--detailed'),
  looks('undo', '--list'),
  looks('undo', '--dry-run'),
  changes('undo'),
  looks('undo', '--session', RENAME, '--dry-run'),
  looks('verify'),
  looks('version'),
  looks('why'),
  looks('why', 'HEAD~1'),
  looks('worktree list'),
  changes('worktree create', 'second'),
  changes('worktree remove', 'search-ranking'),
];
