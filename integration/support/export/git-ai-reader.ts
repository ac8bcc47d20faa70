import * as z from 'zod';

/**
 * Reads notes of git-ai as their standard 3.0.0 has them, and nothing more: what is not in the grammar is refused. It shares nothing with
 * what writes them.
 *
 * @see https://github.com/git-ai-project/git-ai/blob/main/specs/git_ai_standard_v3.0.0.md
 */

const AGENT = z.object({ tool: z.string(), id: z.string(), model: z.string() });

const DOCUMENT = z.object({
  schema_version: z.literal('authorship/3.0.0'),
  base_commit_sha: z.string(),
  prompts: z.record(z.string(), z.object({ agent_id: AGENT })),
  git_ai_version: z.nullish(z.string()),
  humans: z.optional(
    z.record(z.string().regex(/^h_[0-9a-f]{14}$/), z.object({ author: z.string().regex(/^.* <.*>$/) })),
  ),
  sessions: z.optional(
    z.record(
      z.string().regex(/^s_[0-9a-f]{14}$/),
      z.strictObject({
        agent_id: AGENT,
        human_author: z.nullish(z.string()),
        custom_attributes: z.optional(z.record(z.string(), z.string())),
      }),
    ),
  ),
});

export interface ReadFile {
  readonly path: string;
  readonly entries: readonly {
    readonly key: string;
    readonly ranges: readonly (readonly [number, number])[];
  }[];
}

export interface ReadNote {
  readonly files: readonly ReadFile[];
  readonly document: z.infer<typeof DOCUMENT>;
}

const ENTRY =
  /^ {2}(s_[0-9a-f]{14}::t_[0-9a-f]{14}|h_[0-9a-f]{14}|[0-9a-f]{16}) (\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)$/;

/** @throws {Error} for what is no note */
export function readGitAiNote(text: string): ReadNote {
  const rows = text.split('\n');
  const divider = rows.indexOf('---');
  if (divider === -1) throw new Error('no divider');
  const files: { path: string; entries: { key: string; ranges: (readonly [number, number])[] }[] }[] = [];
  for (const row of rows.slice(0, divider)) {
    if (!row.startsWith('  ')) {
      files.push({ path: row.startsWith('"') ? row.slice(1, -1) : row, entries: [] });
      continue;
    }
    const [, key, ranges] = ENTRY.exec(row) ?? [];
    const file = files.at(-1);
    if (!key || !ranges || !file) throw new Error(`no entry: ${row}`);
    file.entries.push({ key, ranges: ranges.split(',').map(readRange) });
  }
  const document = DOCUMENT.parse(JSON.parse(rows.slice(divider + 1).join('\n')));
  for (const { path, entries } of files) {
    if (entries.length === 0) throw new Error(`a file without entries: ${path}`);
    const all = entries.flatMap(({ ranges }) => ranges).sort(([a], [b]) => a - b);
    for (const [at, [first]] of all.entries())
      if (at > 0 && first <= (all[at - 1]?.[1] ?? 0)) throw new Error(`ranges overlap: ${path}`);
    for (const { key, ranges } of entries) {
      if (ranges.some(([first], at) => at > 0 && first <= (ranges[at - 1]?.[1] ?? 0)))
        throw new Error(`ranges do not ascend: ${path}`);
      const [owner = ''] = key.split('::');
      const known = { ...document.sessions, ...document.humans, ...document.prompts };
      if (!(owner in known)) throw new Error(`nobody is told of ${key}`);
    }
  }
  if (new Set(files.map(({ path }) => path)).size < files.length) throw new Error('a file twice');
  return { files, document };
}

function readRange(text: string): readonly [number, number] {
  const [first = '', last = first] = text.split('-');
  if (Number(first) < 1 || Number(last) < Number(first)) throw new Error(`no range: ${text}`);
  return [Number(first), Number(last)];
}

/** The note again, from what was read of it. */
export const renderReadNote = ({ files, document }: ReadNote): string =>
  [
    ...files.flatMap(({ path, entries }) => [
      /[ \t]|^"/.test(path) ? `"${path}"` : path,
      ...entries.map(
        ({ key, ranges }) =>
          `  ${key} ${ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',')}`,
      ),
    ]),
    '---',
    JSON.stringify(document, undefined, 2),
    '',
  ].join('\n');
