import type { RepoPath } from '../../base/repo-path.ts';
import type { Identity } from '../../git/object/objects.ts';
import type { LinkedCommit } from '../../history/linked-commit.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
import type { TurnFile } from '../../restore/turn-contents.ts';
import { andMore } from '../messages.ts';
import { fitted, oneLine, plain } from '../ui/terminal.ts';
import { cutTo } from '../ui/width.ts';
import { doubtOf } from '../undo/view.ts';
import * as text from './text.ts';

/**
 * What stands above a diff: the message of a commit that git prints as it is, so that nothing of it may be a command for a terminal.
 */
export interface Header {
  readonly message: string;
  readonly author: Identity;
  /** As git stores it. */
  readonly date: string;
}

const HEAD = 'format:%C(auto,yellow)%s%C(auto,reset)';
const BODY = '%nDate:   %ad%n%n%w(0,4,4)%b%n';

/** How git is to print {@link turnHeader}, and {@link commitHeader}: in the user's colours, and with their form of dates. */
export const TURN_FORMAT = `${HEAD}%nAgent:  %an${BODY}`;
export const COMMIT_FORMAT = `${HEAD}%nAuthor: %an <%ae>${BODY}`;

/** What is said of a turn besides. */
export interface Besides {
  /** How a person names it. */
  readonly name: string;
  /** Paths that changed in it and are not known to be its own. */
  readonly unsure: readonly RepoPath[];
  /** What its session did behind it that is not kept. */
  readonly hidden: string | undefined;
}

export function turnHeader(
  turn: KeptTurn,
  files: readonly TurnFile[],
  { name, unsure, hidden }: Besides,
): Header {
  const { record, state, paths, agentType } = turn;
  const gone = state === 'undone' ? 0 : [...record.files.keys()].filter((path) => !paths.has(path)).length;
  const notes = [
    ...(hidden === undefined ? [] : [text.notTheNewest(hidden)]),
    ...(gone > 0 ? [text.partlyUndone(gone)] : []),
    ...files.flatMap(({ path, versions, unshown }) =>
      unshown === '' ? [] : (versions.length > 0 ? text.partlyUnshown : text.unshown)(path, unshown),
    ),
    ...files.flatMap(({ path }) => {
      const why = doubtOf([record], path);
      return why === '' ? [] : text.doubt(path, why);
    }),
    ...unsure.map((path) => text.doubt(path, record.left.get(path) ?? '')),
  ];
  const prompt = oneLine(record.subject) || text.NO_PROMPT;
  return {
    message: render(`turn ${name}${text.STATES[state]}`, [[prompt], notes]),
    author: { name: oneLine(agentType) || text.UNKNOWN_AGENT, email: '' },
    date: dateOf(record.at),
  };
}

/** The header of what the turn did to files after somebody else had written into them. */
export const laterHeader = (name: string, { author, date }: Header): Header => ({
  message: render(`turn ${name}${text.LATER_PART}`, []),
  author,
  date,
});

export function commitHeader(commit: LinkedCommit): Header {
  const { row, checkpoints, sessions, others, author, date } = commit;
  const lines = sessions.map(({ sessionId, agent, prompt, more }) => {
    const others = more > 0 ? ` ${andMore(more)}` : '';
    const said = prompt === '' ? '' : `: "${cutTo(oneLine(prompt), PROMPT_WIDTH)}"${others}`;
    return `${oneLine(agent) || 'Agent'} session ${oneLine(sessionId)}${said}`;
  });
  return {
    message: render(`commit ${row.oid}`, [
      [oneLine(row.subject)],
      [`Checkpoint: ${checkpoints.join(', ')}`, ...lines],
      others > 0 ? [text.othersTouched(others, row.oid.slice(0, 7))] : [],
    ]),
    author: { name: oneLine(author.name), email: oneLine(author.email) },
    date,
  };
}

const PROMPT_WIDTH = 100;

const render = (title: string, blocks: readonly (readonly string[])[]): string =>
  fitted(
    plain(
      [title, ...blocks.filter((block) => block.length > 0).map((block) => block.join('\n'))].join('\n\n'),
    ),
    INDENT,
  );

/** Git sets the body of a message in. */
const INDENT = 4;

/** In the zone of who reads it. */
function dateOf(at: string): string {
  const date = new Date(at);
  const ms = Number.isNaN(date.getTime()) ? 0 : date.getTime();
  const minutes = -new Date(ms).getTimezoneOffset();
  const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  return `${Math.floor(ms / 1000)} ${minutes < 0 ? '-' : '+'}${two(minutes / 60)}${two(minutes % 60)}`;
}
