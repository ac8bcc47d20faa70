import { constants } from 'node:os';
import { AGENTS, type AgentName, parseAgentName } from '../../../agents/names.ts';
import { findAgents } from '../../../agents/presence.ts';
import { headlessAgents } from '../../../agents/registry.ts';
import type { TurnEvent } from '../../../agents/shared/headless/headless.ts';
import { describeError, EntireError } from '../../../base/errors.ts';
import type { SessionId } from '../../../base/ids.ts';
import { asText } from '../../../base/text/json.ts';
import { collapse, truncate } from '../../../base/text/text.ts';
import { adoptAgentSession } from '../../../conversation/adopt.ts';
import { CliAgent } from '../../../conversation/cli/agent.ts';
import { mintRunId } from '../../../conversation/runs/run-id.ts';
import { Session } from '../../../conversation/session.ts';
import type { TurnReport } from '../../../conversation/session-options.ts';
import { textOf } from '../../../conversation/turn-messages.ts';
import { defineCommand, type FlagsOf } from '../../command.ts';
import { exclusive } from '../../messages.ts';
import { plain, warn } from '../../ui/terminal.ts';
import { findSession, openSessions, requireFreeName } from '../find.ts';
import { parseAgentFlag } from '../flags.ts';
import { RunLog } from '../run-log.ts';
import { SavedSession } from '../saved-session.ts';
import * as text from '../text.ts';
import { converse } from './converse.ts';
import { type ChatView, jsonView, textView } from './view.ts';

const DEFAULT_SILENCE_MINUTES = 30;

const options = {
  agent: { type: 'string', describe: 'The agent to talk to' },
  resume: { type: 'string', describe: 'Go on with this session' },
  fork: { type: 'string', describe: 'Go on with a copy of this session; it stays as it is' },
  branch: { type: 'string', describe: 'With --fork: what the copy is called' },
  silence: {
    type: 'number',
    default: DEFAULT_SILENCE_MINUTES,
    describe: 'Stop an agent after this many silent minutes (0: never)',
  },
  json: { type: 'boolean', describe: 'Print what happens as JSON, a line for each event' },
} as const;

type ChatFlags = Partial<FlagsOf<typeof options>>;

export const chatCommand = defineCommand({
  positionals: { message: { type: 'string', array: true, describe: 'What to say first' } },
  options,
  completes: { message: 'file', agent: Object.keys(AGENTS), resume: 'session', fork: 'session' },
  examples: [
    'entire session chat --agent codex',
    'entire session chat "Add a test for the parser"',
    'entire session chat --resume 7f3a91c2',
  ],
  run: ({ message = [], ...flags }, { words }) => chat(message.join(' '), flags, words),
});

/**
 * Talks with an agent: in a terminal until somebody leaves, else one message.
 *
 * @param message what is said first; without one stdin says it, where that is no terminal
 * @param words more arguments for the agent's own command
 */
export async function chat(message: string, flags: ChatFlags, words: readonly string[]): Promise<void> {
  if (flags.resume !== undefined && flags.fork !== undefined)
    throw new EntireError('BAD_FLAGS', exclusive('resume', 'fork'));
  if (flags.branch !== undefined && flags.fork === undefined)
    throw new EntireError('BAD_FLAGS', text.NO_FORK);
  if (flags.silence !== undefined && !(flags.silence >= 0))
    throw new EntireError('BAD_FLAGS', '--silence takes a number of minutes.');
  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY) && !flags.json;
  const first = message === '' && !isTerminal ? await readStdin() : message;
  if (first.trim() === '' && !isTerminal)
    throw new EntireError('BAD_FLAGS', text.NO_MESSAGE.message, { hint: text.NO_MESSAGE.hint });

  const view = flags.json ? jsonView() : textView(isTerminal);
  let log: RunLog | undefined;
  const event = (one: TurnEvent): void => {
    if (one.type !== 'notice' && one.type !== 'usage') noteAnswer(saved.session);
    log?.event(one);
    view.event(one);
    saved.saveSoon();
  };
  const onTurn = (end: TurnReport): void => {
    log?.turn(end);
    ensureTitle(saved.session, textOf(end.messages[0]?.content ?? ''));
    view.turn(end);
    saved.onTurn();
  };
  const { session, runId } = await openSession(flags, words, { event }, onTurn);
  const saved = new SavedSession(session, view);
  log = new RunLog(runId, saved);
  view.begin(AGENTS[saved.session.agent.name as AgentName].type);
  saved.session.metadata = { cwd: process.cwd(), ...saved.session.metadata };
  ensureTitle(saved.session, first);
  await untilTold(saved, () => (isTerminal ? converse(saved, view, first) : sayOnce(saved, view, first)));
  if (!flags.json) warn(text.goOn(saved.session.sessionId));
  const lost = log.close();
  if (lost) warn(plain(text.notLogged(describeError(lost))));
  if (!saved.isSafe) process.exitCode = 1;
}

/** One message, and what came of it as the exit code: 0, 1 when it failed, 130 when it was cancelled. */
async function sayOnce(saved: SavedSession, view: ChatView, message: string): Promise<void> {
  const { session } = saved;
  const cancel = (): void => session.cancel();
  process.on('SIGINT', cancel);
  try {
    const turn = session.chat(message);
    await saved.save();
    const { stopped } = await turn;
    if (stopped === 'cancelled') process.exitCode ??= 130;
  } finally {
    process.off('SIGINT', cancel);
    await saved.save();
    view.end(session.sessionId);
  }
}

async function openSession(
  { agent: named, resume, fork, branch, silence = DEFAULT_SILENCE_MINUTES }: ChatFlags,
  words: readonly string[],
  { event: onEvent }: Pick<ChatView, 'event'>,
  onTurn: (end: TurnReport) => void,
): Promise<{ session: Session; runId: SessionId }> {
  await requireFreeName(branch);
  const storage = openSessions();
  const env = { cwd: process.cwd(), variables: process.env };
  const word = resume ?? fork;
  const known = word === undefined ? undefined : await findSession(storage, word);
  const data = known && ('ours' in known ? await storage.load(known.ours) : undefined);
  const talked = known && 'agents' in known ? known.agents.cliOrigin : asText(data?.metadata.agent);
  const name = chooseAgent(named, talked);
  const agent = new CliAgent(name, { words, silenceMs: silence * 60_000 });
  agent.requireProgram(env.cwd, env.variables);
  const runId = mintRunId(name);
  const options = { env, onEvent, onTurn, storage };
  const begun = { ...options, metadata: UNANSWERED };
  if (!known) return { session: new Session(agent, { ...begun, sessionId: runId }), runId };
  const session =
    'ours' in known
      ? await Session.resume(known.ours, agent, storage, options)
      : Session.from(adoptAgentSession(known.agents, fork === undefined ? runId : undefined), agent, begun);
  if (fork === undefined) return { session, runId };
  const forked = await session.fork({ sessionId: runId, ...(branch === undefined ? {} : { branch }) });
  forked.metadata = { ...forked.metadata, ...UNANSWERED };
  return { session: forked, runId };
}

/** @throws {EntireError} `BAD_FLAGS` for a name that is none; `NOT_FOUND` when no agent is installed */
function chooseAgent(named: string | undefined, talked: string): AgentName {
  const usable = headlessAgents();
  const name = parseAgentFlag(named, usable) ?? parseAgentName(talked);
  if (name) return name;
  const presence = findAgents(process.cwd(), process.env);
  const found =
    usable.find((one) => presence.get(one) === 'here') ??
    usable.find((one) => presence.get(one) === 'installed');
  if (found) return found;
  throw new EntireError('NOT_FOUND', text.NO_AGENT.message, { hint: text.NO_AGENT.hint });
}

/** What `entire resume` passes over: somebody asked for an agent, and got none. */
const UNANSWERED = { unanswered: true };

function noteAnswer(session: Session): void {
  if (!('unanswered' in session.metadata)) return;
  const { unanswered: _, ...metadata } = session.metadata;
  session.metadata = metadata;
}

const TITLE_LENGTH = 80;

/** A session is called after what was said first. */
function ensureTitle(session: Session, said: string): void {
  const title = truncate(collapse(said), TITLE_LENGTH, '...');
  if (title !== '' && asText(session.metadata.title) === '')
    session.metadata = { ...session.metadata, title };
}

async function readStdin(): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of process.stdin) parts.push(part as Buffer);
  } catch (error) {
    throw new EntireError('BAD_FLAGS', `stdin cannot be read: ${describeError(error)}`);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A terminal that is closed and a machine that goes down say so by these. */
const LEAVING = ['SIGTERM', 'SIGHUP'] as const;

/** Longer than an agent may take that has to be killed, and a save behind it. */
const LEAVE_MS = 25_000;

/**
 * Runs a conversation that ends early when this process is told to: the agent is stopped, which has a process group of its own
 * and would work on, and what was said is kept. It leaves at once when it is told again, and after a while whatever is going on: the
 * agent is then killed, and what was said in the last second or so may be lost.
 */
export async function untilTold(saved: SavedSession, body: () => Promise<void>): Promise<void> {
  let isLeaving = false;
  const leave = (name: NodeJS.Signals): void => {
    if (isLeaving) process.exit();
    isLeaving = true;
    setTimeout(() => process.exit(), LEAVE_MS).unref();
    process.exitCode = 128 + constants.signals[name];
    process.stdin.destroy(); // nobody types any more
    void saved.session.cancelAll();
  };
  for (const name of LEAVING) process.on(name, leave);
  try {
    await body();
  } finally {
    for (const name of LEAVING) process.off(name, leave);
  }
}
