import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { asText, isObject, parseJson } from '../../base/text/json.ts';
import { collapse, counted } from '../../base/text/text.ts';
import { readFileForContext } from './read-file.ts';

/** Where the tracker Beads keeps its issues for others to read: one JSON object on each line. */
const ISSUES = ['.beads', 'issues.jsonl'] as const;

/** Many issues with long descriptions. */
const MAX_BYTES = 20_000_000;
const NONE = { status: 'missing' } as const;

const COMPLETED = new Set(['closed', 'completed', 'done']);
/** What is deleted stays in the file for the other clones. */
const DELETED = new Set(['tombstone', 'deleted']);

interface Bead {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly description: string;
}

/**
 * How far the work is that the tracker Beads knows of: what is completed in one line, what is not as a list with title, id
 * and description. The empty text where the project has no such tracker, or no issues. Without the heading of the section.
 */
export function buildBeadsSection(baseDir: string): string {
  const file = join(baseDir, ...ISSUES);
  // A folder of that name is none of the tracker's.
  const reading =
    disk.existsSync(file) && disk.statSync(file).isDirectory() ? NONE : readFileForContext(file, MAX_BYTES);
  if (reading.status === 'missing') return '';
  if (reading.status !== 'text') return `(${ISSUES.join('/')} is not shown: ${reading.reason})`;
  const lines = reading.text.split('\n').filter((line) => line.trim() !== '');
  const issues = lines.map(parseBead);
  const beads = [...new Map(issues.flatMap((bead) => (bead ? [[bead.id, bead]] : []))).values()];
  const alive = beads.filter(({ status }) => !DELETED.has(status));
  const completed = alive.filter(({ status }) => COMPLETED.has(status));
  const active = alive.filter(({ status }) => !COMPLETED.has(status));
  const broken = issues.filter((bead) => bead === undefined).length;
  return [
    ...(completed.length > 0
      ? [`**Completed:** ${completed.map(({ title, id }) => `${title} (${id})`).join(', ')}`]
      : []),
    ...(active.length > 0 ? [`**Active:**\n\n${active.map(renderActive).join('\n')}`] : []),
    ...(broken > 0 ? [`(${counted(broken, 'line')} of ${ISSUES.join('/')} could not be read)`] : []),
  ].join('\n\n');
}

/** The last line of an issue counts. */
function parseBead(line: string): Bead | undefined {
  const value = parseJson(line);
  if (!isObject(value) || asText(value.id) === '') return undefined;
  const text = (key: string): string => collapse(asText(value[key]));
  return {
    id: text('id'),
    title: text('title') || '(no title)',
    status: text('status').toLowerCase(),
    description: text('description'),
  };
}

const renderActive = ({ title, id, description }: Bead): string =>
  `- **${title}** (${id})${description === '' ? '' : `: ${description}`}`;
