import { fence } from '../../base/text/text.ts';
import { shownUsage } from '../message-facts.ts';
import type { ExportEnvelope } from './envelope.ts';
import { changeNote, type FileChange } from './file-changes.ts';
import { containMarkup } from './markup.ts';
import { type Outline, type OutlineItem, type OutlineTurn, outlineOf, type ToolItem } from './outline.ts';
import { shown, shownCode, shownLine, shownTime } from './shown-text.ts';

/** A session as Markdown that reads well on GitHub: tool calls are folded, and nothing in it can get out of its place. */
export function renderMarkdown(envelope: ExportEnvelope): string {
  const outline = outlineOf(envelope);
  const parts = [
    `# ${lineOf(outline.title)}`,
    factsOf(outline),
    outline.system === undefined ? '' : folded('System prompt', fence(shown(outline.system), 'text')),
    ...outline.turns.flatMap(turnOf),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function factsOf({
  agent,
  sessionId,
  parentId,
  createdAt,
  updatedAt,
  models,
  usage,
  turns,
}: Outline): string {
  const times = [...new Set([shownTime(createdAt), shownTime(updatedAt)])].filter(Boolean);
  const facts: readonly [string, string][] = [
    ['Agent', lineOf(agent)],
    ['Model', models.map(code).join(', ')],
    ['Session', code(sessionId)],
    ['Forked from', parentId === undefined ? '' : code(parentId)],
    ['Time', times.join(' to ')],
    ['Turns', `${turns.filter(({ number }) => number > 0).length}`],
    ['Tokens', usage ? shownUsage(usage) : ''],
  ];
  return facts.flatMap(([name, value]) => (value === '' ? [] : `- **${name}:** ${value}`)).join('\n');
}

function turnOf(turn: OutlineTurn): string[] {
  const { number, title, startedAt, items, usage, stopped } = turn;
  const notes = [usage ? shownUsage(usage) : '', stopped ? `**The turn was ${STOPPED[stopped]}.**` : ''];
  return [
    number > 0 ? `## ${number}. ${lineOf(title)}` : '',
    number > 0 && startedAt !== undefined ? `<sub>${shownTime(startedAt)}</sub>` : '',
    ...items.map(itemOf),
    ...notes.filter(Boolean).map((note) => (note.startsWith('**') ? note : `<sub>${note}</sub>`)),
  ];
}

const STOPPED = {
  cancelled: 'cancelled',
  failed: 'broken off by a failure',
  'timed-out': 'stopped after a time-out',
  unfinished: 'not over when this was kept',
};

function itemOf(item: OutlineItem): string {
  switch (item.kind) {
    case 'prompt':
      return quoted(item.text);
    case 'steered':
      return `${quoted('*while the agent was at work:*')}\n>\n${quoted(item.text)}`;
    case 'answer':
      return saidOf(item.text);
    case 'thinking':
      return folded('Thinking', saidOf(item.text));
    case 'compacted':
      return folded('The conversation was compacted to this', saidOf(item.text));
    case 'tool':
      return toolOf(item);
    case 'attachment':
      return `*${lineOf(`${item.name || 'A file'} (${item.mediaType || 'of an unknown type'})`)}*`;
    case 'other':
      return folded(item.name, fence(shown(item.text), 'text'));
  }
}

const saidOf = (text: string): string => containMarkup(shown(text).trim()) ?? fence(shown(text), 'text');

const quoted = (text: string): string =>
  saidOf(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

function toolOf({ name, detail, input, changes, result, failed }: ToolItem): string {
  const parts = [
    ...changes.map(changeOf),
    changes.length === 0 && input !== '' && input !== '{}' ? fence(shown(input), '') : '',
    result === undefined ? '*No answer is on record.*' : '',
    result ? fence(shown(result), 'text') : '',
  ];
  return folded(name, parts.filter(Boolean).join('\n\n'), `${failed ? 'failed: ' : ''}${detail}`);
}

function changeOf(change: FileChange): string {
  const { path, movedTo, lines } = change;
  const note = changeNote(change);
  const name = [path, movedTo ?? ''].filter(Boolean).map(code).join(' → ') + (note && ` (${note})`);
  const text = lines.map(({ sign, text }) =>
    sign === '@' ? `@@ ${text}`.trimEnd() : `${sign}${shownCode(text)}`,
  );
  return [name, lines.length === 0 ? '' : fence(text.join('\n'), 'diff')].filter(Boolean).join('\n\n');
}

/** Within `<summary>` GitHub reads HTML, so that all of it is text. */
const folded = (name: string, content: string, detail = ''): string =>
  `<details>\n<summary><b>${htmlOf(name)}</b>${detail === '' ? '' : ` ${htmlOf(detail)}`}</summary>\n\n${content}\n\n</details>`;

const htmlOf = (text: string): string =>
  shownLine(text).replace(/[&<>"'`*_[\]\\!|~$@#]/g, (char) => `&#${char.charCodeAt(0)};`);

/** A line of text in which no character means anything. */
const lineOf = (text: string): string => shownLine(text).replace(/[\\`*_{}[\]<>#|~!&$@]/g, '\\$&');

function code(text: string): string {
  const line = shownLine(text);
  const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const mark = '`'.repeat(longest + 1);
  const space = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${mark}${space}${line}${space}${mark}`;
}
