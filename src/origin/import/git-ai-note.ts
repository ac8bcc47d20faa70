import { isUtf8 } from 'node:buffer';
import { asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';

/** Who wrote a line, as a note of git-ai says. */
export interface NotedOwner {
  readonly kind: 'agent' | 'human';
  /** What git-ai calls the agent, and its conversation; empty for a person's line. */
  readonly tool: string;
  readonly id: string;
}

/** A note that can be read. */
export interface GitAiClaims {
  /** Who wrote a line of a file, both as the commit of the note has them; `undefined` where the note does not say. */
  ownerOf(path: string, line: number): NotedOwner | undefined;
}

/** Why a note is not believed, whole: as git-ai itself takes none of it, or because nobody could tell what it means. */
export type NoteRefusal =
  | 'too large'
  | 'not text'
  | 'without a divider'
  | 'with lines that are not of the format'
  | 'without the fields it must have'
  | 'of another version of the format';

/** Notes of git-ai are some kilobytes. */
const MAX_BYTES = 4 << 20;
/** A line is looked for in all ranges of its file. */
const MAX_RANGES = 20_000;

interface Entry {
  readonly key: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a note as git-ai's own `blame` does: what that refuses is refused whole, what that passes over says nothing, and of two entries for
 * a line the last one counts. Takes any bytes.
 *
 * @see https://github.com/git-ai-project/git-ai/blob/main/specs/git_ai_standard_v3.0.0.md
 */
export function parseGitAiNote(bytes: Buffer): GitAiClaims | NoteRefusal {
  if (bytes.length > MAX_BYTES) return 'too large';
  if (!isUtf8(bytes)) return 'not text';
  const rows = bytes.toString('utf8').split(/\r?\n/);
  const divider = rows.indexOf('---');
  if (divider === -1) return 'without a divider';
  const files = readFiles(rows.slice(0, divider));
  if (typeof files === 'string') return files;
  const text = rows.slice(divider + 1).join('\n');
  const document = hasDoubleKeys(text) ? undefined : parseJson(text);
  if (!isObject(document)) return 'without the fields it must have';
  const owners = readOwners(document);
  if (typeof owners === 'string') return owners;
  return {
    ownerOf: (path, line) => {
      const entry = files.get(path)?.findLast(({ first, last }) => first <= line && line <= last);
      return entry && owners.get(entry.key.split('::')[0] as string);
    },
  };
}

const ENTRY = /^ {2}(\S+) (\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*)$/;

/** Of a file that is named twice the first counts. */
function readFiles(rows: readonly string[]): Map<string, Entry[]> | NoteRefusal {
  const files = new Map<string, Entry[]>();
  let open: Entry[] = [];
  let count = 0;
  for (const row of rows) {
    if (row.trim() === '') continue;
    if (!row.startsWith('  ')) {
      const path = /^".*"$/.test(row) ? row.slice(1, -1) : row;
      open = [];
      if (!files.has(path)) files.set(path, open);
      continue;
    }
    const [, key, ranges] = ENTRY.exec(row) ?? [];
    if (key === undefined || ranges === undefined) return 'with lines that are not of the format';
    for (const range of ranges.split(',')) {
      const [first = '', last = first] = range.split('-');
      open.push({ key, first: Number(first), last: Number(last) });
      if (++count > MAX_RANGES) return 'too large';
    }
  }
  return files;
}

/** By the keys of entries, the part before `::`. */
function readOwners(document: JsonObject): Map<string, NotedOwner> | NoteRefusal {
  const { schema_version: version, base_commit_sha: base, prompts, humans, sessions } = document;
  if (typeof version !== 'string' || typeof base !== 'string' || !isObject(prompts))
    return 'without the fields it must have';
  if (version !== 'authorship/3.0.0') return 'of another version of the format';
  const owners = new Map<string, NotedOwner>();
  for (const [key, agent] of [...entriesOf(prompts), ...entriesOf(sessions)]) {
    const told = isObject(agent) && hasTexts(agent.custom_attributes) ? agent.agent_id : undefined;
    if (!isObject(told) || !['tool', 'id', 'model'].every((name) => typeof told[name] === 'string'))
      return 'without the fields it must have';
    owners.set(key, { kind: 'agent', tool: asText(told.tool), id: asText(told.id) });
  }
  for (const [key, human] of entriesOf(humans)) {
    if (!isObject(human) || typeof human.author !== 'string') return 'without the fields it must have';
    owners.set(key, { kind: 'human', tool: '', id: '' });
  }
  return owners;
}

const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

const hasTexts = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (isObject(value) && Object.values(value).every((one) => typeof one === 'string'));

/** A parser takes the last of two members of one name, and git-ai neither. */
function hasDoubleKeys(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{}]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const keys = open.at(-1);
      const key = token.slice(0, token.lastIndexOf('"') + 1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}
