import type { AgentName } from '../../agents/names.ts';
import { formatOf } from '../../agents/registry.ts';
import { readHead } from '../../agents/shared/transcript/kept-transcripts.ts';
import { shortenLine } from '../../base/text/text.ts';
import { readTitle } from '../read-title.ts';
import type { SessionRecord } from './session-record.ts';

/** A listing needs no more of a prompt. */
export const TITLE_BYTES = 200;

/**
 * The first prompt in the beginning of a transcript, as `readTitle` finds it, for thousands of them: only lines in which a user
 * speaks are parsed. Of Codex there is none: what it tells the model stands first, and is longer than any beginning.
 */
export function findTitle(agent: AgentName, head: string): string | undefined {
  if (agent === 'codex') return undefined;
  const format = formatOf(agent);
  for (let at = head.search(USER); at >= 0; ) {
    const start = head.lastIndexOf('\n', at) + 1;
    const end = head.indexOf('\n', at);
    if (end === -1) {
      const cut = readTitle(agent, head.slice(start));
      return cut?.startsWith('<') ? undefined : cut; // what clients wrap in tags is known by its end
    }
    const title = format.readPrompts(head.slice(start, end))[0]?.replace(/\s+/g, ' ').trim();
    if (title) return title;
    const next = head.slice(end).search(USER);
    at = next < 0 ? next : end + next;
  }
  return undefined;
}

const USER = /"user["._]/;

/** Some clients write what they tell the model before what somebody says. */
const LONGER_BYTES = 128 * 1024;

/** A record with a title from further down in the transcript, where its beginning has none. For what is shown: it costs a read. */
export function withLongerTitle(record: SessionRecord): SessionRecord {
  const { summary, transcript, cliOrigin } = record;
  if (summary.title !== undefined || transcript === undefined || cliOrigin === '') return record;
  const title = readTitle(cliOrigin, readHead(transcript, LONGER_BYTES) ?? '');
  return title === undefined ? record : { ...record, summary: { title: shortenLine(title, TITLE_BYTES) } };
}
