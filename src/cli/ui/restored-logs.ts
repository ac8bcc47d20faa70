import type { AgentName } from '../../agents/names.ts';
import { sessionHomeOf } from '../../agents/registry.ts';
import { describeError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import type { LogPlan, RestoredLog, SkippedLog } from '../../restore/log/logs.ts';
import { quoteWord } from './quote-word.ts';
import { oneLine } from './terminal.ts';
import { cutTo, terminalWidth, widthOf } from './width.ts';

/**
 * What `rewind` and `resume` say of logs that they restore. All of it may hold text of others, and is safe to print.
 */

/** What is about to be written, and what is left alone. */
export function renderRestoring(logs: readonly LogPlan[]): string {
  const [only] = logs;
  if (logs.length === 1 && only) return renderTarget(only, '', 'Writing transcript to');
  const rows = logs.flatMap((log, index) => {
    const mark = index === logs.length - 1 ? ' (latest)' : '';
    const prompt = oneLine(log.prompt);
    const title = prompt === '' ? [] : [`  Session ${index + 1}${mark}: ${prompt}`];
    return [...title, renderTarget(log, '    ', 'Writing to')];
  });
  return [`Restoring ${logs.length} sessions from checkpoint:`, ...rows].join('\n');
}

function renderTarget({ state, file }: LogPlan, indent: string, writing: string): string {
  const isLeft = state === 'unchanged';
  return `${indent}${isLeft ? 'Already up to date' : writing}: ${oneLine(file)}`;
}

/** Where the logs are that were replaced; empty when none was. */
export const renderKept = (logs: readonly RestoredLog[]): string =>
  logs
    .flatMap(({ kept }) =>
      kept === undefined ? [] : `The transcript that was replaced is kept as: ${oneLine(kept)}`,
    )
    .join('\n');

/** A warning for a session that is not restored; empty for one that nobody misses. */
export function renderSkipped({ sessionId, why, detail, index }: SkippedLog): string {
  const session = `session ${index}${sessionId === '' ? '' : ` (${oneLine(sessionId)})`}`;
  const text = {
    unreadable: `failed to read ${session}, skipping: ${oneLine(detail)}`,
    'no-session': `${session} has no session ID that a file can be named after, skipping`,
    'no-agent': `${session} has no agent metadata, skipping (cannot determine target directory)`,
    'unknown-agent': `${session} has unknown agent "${oneLine(detail)}", skipping (\`entire agent list\` shows those that can be used here)`,
    'no-transcript': '',
    'not-a-file': `${session} is not restored: ${oneLine(detail)} is not a file of the agent's own (a folder, or a link that leads elsewhere)`,
  }[why];
  return text === '' ? '' : `  Warning: ${text}`;
}

/** The command that goes on with a session by talking from here. @param into in that agent instead of the one that it is of */
export const chatCommand = (sessionId: SessionId, into?: AgentName): readonly [string, ...string[]] => [
  'entire',
  'session',
  'chat',
  ...(into === undefined ? [] : ['--agent', into]),
  '--resume',
  sessionId,
];

/** A chat, with words for its agent's own command. */
export const withWords = (command: readonly string[], words: readonly string[]): readonly string[] =>
  words.length === 0 ? command : [...command, '--', ...words];

/** Which agent is to go on with a session, and with which words for it. */
export interface GoingOn {
  readonly words?: readonly string[];
  /** Another agent than its own is told of it. */
  readonly into?: AgentName | undefined;
}

/** The command that goes on with a session: its agent's own, or that of another one. @throws {EntireError} where its agent does not say it */
export const resumeCommandOf = (
  { agent, sessionId }: Pick<LogPlan, 'agent' | 'sessionId'>,
  { words = [], into }: GoingOn = {},
): readonly string[] =>
  into !== undefined && into !== agent
    ? withWords(chatCommand(sessionId, into), words)
    : [...sessionHomeOf(agent).resumeCommand(sessionId), ...words];

/** {@link resumeCommandOf}, as a shell takes it. */
export function renderResumeCommand(
  log: Pick<LogPlan, 'agent' | 'sessionId'>,
  goingOn: GoingOn = {},
): string {
  try {
    return resumeCommandOf(log, goingOn).map(quoteWord).join(' ');
  } catch (error) {
    return `# ${oneLine(describeError(error))}`; // the logs are restored all the same
  }
}

/** Fewer columns of a prompt tell nothing. */
const LEAST = 12;

/** A command that somebody copies stays whole; what it is for stands behind it as far as there is room. */
export function withComment(command: string, prompt: string, mark = ''): string {
  const width = terminalWidth();
  const room = width && width - widthOf(command) - (mark === '' ? 0 : mark.length + 1) - '    # '.length;
  const said = room === undefined ? prompt : room < LEAST ? '' : cutTo(prompt, room);
  const comment = [said, mark].filter(Boolean).join(' ');
  return `${command}${comment === '' ? '' : `  # ${comment}`}`;
}

/** How the commands are announced. */
export interface CommandsView extends GoingOn {
  /** Behind `Restored 2 sessions. `. Rewind says `Resume with:`, resume `To continue, run:`. */
  readonly lead: string;
  /** In front of the command of a single session. */
  readonly indent?: string;
}

/** The commands that go on with restored sessions, oldest first: one line, or a list under a heading. */
export function renderResumeCommands(
  logs: readonly Pick<LogPlan, 'agent' | 'sessionId' | 'prompt'>[],
  { lead, indent = '', ...goingOn }: CommandsView,
): string {
  const rows = logs.map((log, index) => {
    const prompt = oneLine(log.prompt);
    const mark = logs.length > 1 && index === logs.length - 1 ? '(most recent)' : '';
    return withComment(renderResumeCommand(log, goingOn), prompt, mark);
  });
  if (rows.length < 2) return rows.map((row) => `${indent}${row}`).join('\n');
  return [`\nRestored ${rows.length} sessions. ${lead}`, ...rows.map((row) => `  ${row}`)].join('\n');
}
