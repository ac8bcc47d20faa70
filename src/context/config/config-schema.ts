import { z } from 'zod';
import { EntireError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/text/json.ts';
import { describeValue } from './warning.ts';

/** How files are shown: as each of them says (or all as summaries, by `summary_only`), as summaries, or whole. */
export const AGGREGATION_STRATEGIES = ['auto', 'summarize', 'full'] as const;
export type AggregationStrategy = (typeof AGGREGATION_STRATEGIES)[number];

// What is wrong is said by describeIssue; the words here say what to do.
const text = z.string({ error: 'Write a text in quotes, or leave the key out.' }).nullish();
const flag = z.boolean({ error: 'Write true or false, or leave the key out.' }).nullish();
/** Becomes part of the name of a file. */
const namespace = z
  .string({ error: 'Write a text in quotes, or leave the key out.' })
  .regex(/^[^/\\\p{Cc}]+$/u, { error: 'Write a word that can begin the name of a file, without slashes.' })
  .nullish();
const list = <T extends z.ZodType>(item: T, what: string) =>
  z.array(item, { error: `Write a list of ${what}: [ … ].` }).nullish();
const section = <T extends z.ZodRawShape>(shape: T) =>
  z.looseObject(shape, { error: 'Write a table with keys of its own.' }).nullish();

const entry = z.union(
  [z.string(), z.looseObject({ role: z.string().nullish(), content: z.string().nullish() })],
  {
    error: 'Write a text, or a table with the texts `role` and `content`.',
  },
);
const history = list(entry, 'texts, or of tables with `role` and `content`');

/** Keys that we do not know stay where they are. */
interface Unknown {
  [key: string]: unknown;
}

type Nullish<T> = T | null | undefined;

/** A list of what was said: a text, or who said it and what. */
type HistoryDict = Nullish<(string | (Unknown & { role?: Nullish<string>; content?: Nullish<string> }))[]>;

/** A configuration as it stands in its file. Spelt out, so that the types of the library need no package. */
export interface ContextConfigDict extends Unknown {
  project?: Nullish<
    Unknown & {
      name?: Nullish<string>;
      namespace?: Nullish<string>;
      summary_only?: Nullish<boolean>;
      execution_mode?: Nullish<string>;
      aggregation_strategy?: Nullish<AggregationStrategy>;
    }
  >;
  output?: Nullish<Unknown & { output_dir?: Nullish<string>; namespace?: Nullish<string> }>;
  files?: Nullish<Unknown & { base_dir?: Nullish<string>; paths?: Nullish<unknown[]> }>;
  screenshots?: Nullish<Unknown & { base_dir?: Nullish<string>; paths?: Nullish<string[]> }>;
  discussion?: Nullish<Unknown & { history?: HistoryDict }>;
  history?: HistoryDict;
}

const schema: z.ZodType<ContextConfigDict> = z.looseObject({
  project: section({
    name: text,
    namespace,
    summary_only: flag,
    execution_mode: text,
    aggregation_strategy: z
      .enum(AGGREGATION_STRATEGIES, { error: 'Write "auto", "summarize" or "full".' })
      .nullish(),
  }),
  output: section({ output_dir: text, namespace }),
  files: section({ base_dir: text, paths: list(z.unknown(), 'paths, or of tables with `path`') }),
  screenshots: section({ base_dir: text, paths: list(z.string({ error: 'Write a path.' }), 'paths') }),
  discussion: section({ history }),
  history,
});

/** @throws {EntireError} `CONFIG_UNREADABLE`, with the file, the key and what to do */
export function checkConfig(values: JsonObject, file: string): ContextConfigDict {
  const result = schema.safeParse(values);
  const issue = result.success ? undefined : result.error.issues[0];
  if (issue !== undefined) throw wrong(file, issue.path, valueAt(values, issue.path), issue.message);
  const dict = values as ContextConfigDict; // not zod's copy: it has no key `__proto__`
  if (dict.history && dict.discussion?.history) {
    const hint = 'Put all of it into one of them, `[discussion] history`.';
    throw new EntireError(
      'CONFIG_UNREADABLE',
      `${file}: both \`history\` and \`discussion.history\` are there`,
      {
        hint,
      },
    );
  }
  return dict;
}

const wrong = (file: string, path: readonly PropertyKey[], value: unknown, hint: string): EntireError =>
  new EntireError('CONFIG_UNREADABLE', `${file}: \`${renderKey(path)}\` is ${describeValue(value)}`, {
    hint,
  });

const renderKey = (path: readonly PropertyKey[]): string =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('');

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], values);
