import { AGENTS } from '../../../agents/names.ts';
import type { Message, MessageUsage } from '../../../agents/shared/session/message.ts';
import { localMinute } from '../../../base/clock.ts';
import { asText } from '../../../base/text/json.ts';
import { counted } from '../../../base/text/text.ts';
import type { MessageFacts } from '../../../conversation/message-facts.ts';
import type { ReadSession } from '../../../conversation/walk/read-session.ts';
import type { SessionRecord } from '../../../conversation/walk/session-record.ts';
import type { SessionWork } from '../../../conversation/walk/session-work.ts';
import { oneLine } from '../../ui/terminal.ts';
import { ago } from '../../ui/time.ts';
import { cutTo } from '../../ui/width.ts';
import { toolLine } from '../chat/view.ts';
import { tellMisfits } from '../list/view.ts';
import { LOG_ONLY, STOPPED } from '../text.ts';

/** A session, and what can be said of it. */
export interface ShownSession {
  readonly record: SessionRecord;
  readonly read: ReadSession;
  readonly facts: MessageFacts;
  /** `undefined` where nobody looked: it was begun elsewhere. */
  readonly work: SessionWork | undefined;
}

/** A session for people: what is known of it, then the conversation. */
export const renderSession = (shown: ShownSession): string =>
  [...renderHead(shown), ...shown.read.messages.flatMap(renderMessage)].join('\n').trimEnd();

function renderHead({ record, read, facts, work }: ShownSession): string[] {
  const { cliOrigin, runId, agentSessionId, sessionId } = record;
  const rows: [string, string | undefined][] = [
    ['Session', sessionId],
    ['Name', record.branch],
    ['Title', record.summary.title],
    ['Origin', cliOrigin === '' ? undefined : `${AGENTS[cliOrigin].type} (${cliOrigin})`],
    ['Run', runId === sessionId ? undefined : runId],
    ["Agent's id", agentSessionId === sessionId ? undefined : agentSessionId],
    ['Kept', record.kind === 'run' && !record.isStored ? LOG_ONLY : undefined],
    ['Folder', record.folder],
    ['Started', record.startedAt && localMinute(record.startedAt)],
    ['Last', `${localMinute(record.updatedAt)} (${ago(record.updatedAt)})`],
    ['Parent', read.data?.parent_id ?? undefined],
    ['Model', facts.models.join(', ')],
    ['Turns', `${facts.turns}`],
    ['Tokens', renderTokens(facts.usage)],
    ['Cost', facts.usage.cost_usd === undefined ? undefined : renderCost(facts.usage.cost_usd)],
    ['Checkpoints', work && [`${work.checkpoints.length}`, ...work.checkpoints].join(' ')],
    ['Commits', work && [`${work.commits.length}`, ...work.commits.map((oid) => oid.slice(0, 7))].join(' ')],
    ...(work ? tellMisfits(work).map((told): [string, string] => ['Problem', told]) : []),
    ['Lines', work && renderLines(work)],
    ['From', read.from],
  ];
  const told = rows.filter(([, value]) => value);
  const width = Math.max(...told.map(([name]) => name.length));
  return told.map(([name, value]) => `${`${name}:`.padEnd(width + 1)} ${oneLine(value ?? '')}`);
}

const renderLines = ({ survivingLines }: SessionWork): string =>
  survivingLines === undefined
    ? 'not known: history is cut off'
    : `${counted(survivingLines, 'line')} in HEAD ${survivingLines === 1 ? 'comes' : 'come'} from its commits; \`entire blame\` shows who wrote each`;

function renderTokens(usage: MessageUsage): string | undefined {
  const { input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens } = usage;
  const cached = cache_creation_tokens + cache_read_tokens;
  if (input_tokens + output_tokens + cached === 0) return undefined;
  const cache = cached === 0 ? '' : `, ${renderCount(cached)} cached`;
  return `${renderCount(input_tokens)} in, ${renderCount(output_tokens)} out${cache}`;
}

/** `1,234,567`. */
export const renderCount = (count: number): string => Math.round(count).toLocaleString('en-US');

/** In US dollars; a cent is not told from nothing where there are many. */
export const renderCost = (usd: number): string => `$${usd.toFixed(usd !== 0 && usd < 0.1 ? 4 : 2)}`;

const MAX_ERROR = 200;

/** Who speaks, then what is said; a line for each tool. */
function renderMessage({ role, content, timestamp, steered, compacted, stopped }: Message): string[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const lines = blocks.flatMap((block): string[] => {
    if (block.type === 'text') return [block.text ?? ''];
    if (block.type === 'tool_use' && 'name' in block)
      return [`* ${toolLine(asText(block.name), block.input)}`];
    if (block.type === 'tool_result' && 'is_error' in block && block.is_error)
      return [`  failed: ${cutTo(oneLine(asText(block.content)), MAX_ERROR)}`];
    return [];
  });
  const end = stopped === undefined ? [] : [STOPPED[stopped] ?? String(stopped)];
  const said = [...lines.filter((line) => line.trim() !== ''), ...end];
  if (said.length === 0) return [];
  const isTool = typeof content !== 'string' && blocks.every(({ type }) => type === 'tool_result');
  if (isTool) return said;
  const who = role === 'user' ? (compacted ? 'Summary' : steered ? 'User, into the turn' : 'User') : 'Agent';
  const at = renderTime(timestamp);
  return ['', `[${role === 'user' || role === 'assistant' ? who : oneLine(role)}]${at}`, ...said];
}

const renderTime = (seconds: number | undefined): string => {
  const time = localMinute((seconds ?? Number.NaN) * 1000);
  return time === '' ? '' : ` ${time}`;
};

/** How a session is coloured. */
export const TONES: readonly RegExp[] = [
  /^(?<you>\[User[^\]]*\])(?: (?<quiet>\d{4}-\d\d-\d\d \d\d:\d\d))?/d,
  /^(?<agent>\[Agent\])(?: (?<quiet>\d{4}-\d\d-\d\d \d\d:\d\d))?/d,
  /^(?<warning>Problems?:)/d,
  /^Session: +(?<id>\S+)/d,
];
