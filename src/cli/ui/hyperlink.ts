import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { disk } from '../../base/file/disk.ts';
import { once } from '../../base/once.ts';
import { showPath } from '../../base/text/text.ts';
import type { Repo } from '../../git/locate.ts';
import { readRemoteConfig, usualRemote } from '../../git/remote/remotes.ts';
import { commitPage } from '../../git/remote/web-page.ts';
import { gitFor } from '../../git/run.ts';
import { wantsColour } from './colour.ts';

/**
 * Whether a stream takes hyperlinks: a terminal that is known to, and nobody who wants it plain. `FORCE_HYPERLINK` says it for others, as with
 * other programs, and also for a pipe.
 *
 * @see https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda and https://github.com/Alhadis/OSC8-Adoption
 */
export function wantsLinks(env: NodeJS.ProcessEnv, isTerminal: boolean | undefined): boolean {
  const { FORCE_HYPERLINK } = env;
  if (FORCE_HYPERLINK) return FORCE_HYPERLINK !== '0' && FORCE_HYPERLINK !== 'false';
  return isTerminal === true && !env.CI && wantsColour(env, isTerminal) && isKnown(env);
}

/** Programs, and the first version of each that takes links: others show them as garbage, or as nothing. */
const PROGRAMS: Readonly<Record<string, readonly [major: number, minor: number]>> = {
  'iTerm.app': [3, 1],
  WezTerm: [20200620, 0],
  vscode: [1, 72],
  ghostty: [1, 0],
  rio: [0, 0],
  tmux: [3, 4],
  zed: [0, 0],
};

function isKnown({
  TERM = '',
  TERM_PROGRAM = '',
  TERM_PROGRAM_VERSION = '',
  TMUX,
  STY,
  ...env
}: NodeJS.ProcessEnv): boolean {
  const least = Object.hasOwn(PROGRAMS, TERM_PROGRAM) ? PROGRAMS[TERM_PROGRAM] : undefined;
  if (least) {
    const [major = 0, minor = 0] = TERM_PROGRAM_VERSION.split(/[.-]/).map((part) =>
      Number.parseInt(part, 10),
    );
    return major > least[0] || (major === least[0] && minor >= least[1]);
  }
  // What they leave of the terminal around them is not for what runs in them.
  if (TMUX || STY || /^(screen|tmux)/.test(TERM)) return false;
  if (/^(xterm-kitty|xterm-ghostty|alacritty|foot|contour)/.test(TERM)) return true;
  if (env.WT_SESSION || env.DOMTERM) return true;
  if (Number(env.KONSOLE_VERSION) >= 201200) return true;
  return Number(env.VTE_VERSION) > 5000; // that one crashed
}

/** A text that leads somewhere. The address has nothing in it that could end the sequence. */
export const link = (text: string, url: string): string =>
  `\x1b]8;;${url.replace(/[^\x21-\x7e]/gu, encode)}\x1b\\${text}\x1b]8;;\x1b\\`;

const encode = (sign: string): string =>
  [...Buffer.from(sign)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** A text without the links in it, and with what they stand on. */
export const withoutLinks = (text: string): string =>
  text.replace(/\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g, '');

/** What may stand in a text and lead somewhere. */
export interface Linked {
  /** Full ids; in the text they may be cut. */
  readonly commits?: Iterable<string>;
  /** Paths from the top of the worktree. */
  readonly files?: Iterable<string>;
}

/** So many names at most: whoever sees more does not click. */
const MOST_FILES = 500;

/**
 * A text as it is printed, with links on the commits and files that it names, where the terminal takes them. What the commits lead to is the
 * page of the usual remote, of files those that are there. Last of all, when the text has its width.
 */
export function withLinks(repo: Repo, text: string, linked: Linked): string {
  if (!wantsLinks(process.env, process.stdout.isTTY)) return text;
  return linkFiles(repo, linkCommits(repo, text, [...(linked.commits ?? [])]), [...(linked.files ?? [])]);
}

function linkCommits(repo: Repo, text: string, commits: readonly string[]): string {
  if (commits.length === 0) return text;
  const remote = once(() => usualRemote(readRemoteConfig(gitFor(repo)), undefined)?.urls[0]);
  const byStart = new Map(commits.map((oid) => [oid.slice(0, SHORTEST), oid]));
  return text.replace(COMMIT, (word) => {
    const oid = byStart.get(word.slice(0, SHORTEST));
    const page = oid?.startsWith(word) ? commitPage(remote() ?? '', oid) : undefined;
    return page ? link(word, page) : word;
  });
}

/** As git cuts them, behind a space, a bracket or the beginning of a colour. */
const COMMIT = /(?<=^|[\s([]|\x1b\[\d+m)[0-9a-f]{7,64}(?=$|[\s)\],.:;]|\x1b)/gm;
const SHORTEST = 7;

function linkFiles({ worktreeRoot }: Repo, text: string, files: readonly string[]): string {
  const shown = new Map(files.slice(0, MOST_FILES).map((path) => [showPath(path), path]));
  if (shown.size === 0) return text;
  const names = [...shown.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp);
  // Alone on a line, with counts behind it, or in a list: a file may be called as a word of ours.
  const places = new RegExp(
    `(?<=^[ \\t]+(?:- )?|[:,] )(?:${names.join('|')})(?=$|,| +(?:\\x1b\\[\\d+m)?[+-]\\d)`,
    'gm',
  );
  return text.replace(places, (name) => {
    const file = join(worktreeRoot, shown.get(name) ?? name);
    return disk.existsSync(file) ? link(name, fileUrl(file)) : name;
  });
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** A cell of a table that leads to a folder, where the terminal takes links. */
export const linkToFolder = (cell: string, folder: string): string =>
  cell.trim() !== '' && wantsLinks(process.env, process.stdout.isTTY) && disk.existsSync(folder)
    ? link(cell, fileUrl(folder))
    : cell;

/** With the host, so that a terminal that is elsewhere does not take it for a file of its own. */
const fileUrl = (file: string): string =>
  pathToFileURL(file).href.replace(/^file:\/\//, `file://${encodeURIComponent(hostname())}`);
