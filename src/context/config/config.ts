import { dirname, resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { JsonObject } from '../../base/text/json.ts';
import { FileItem } from '../file-item.ts';
import { parseList, parsePath } from '../preset/preset.ts';
import { type AggregationStrategy, type ContextConfigDict, checkConfig } from './config-schema.ts';
import { parseDocument, readDocument, renderDocument } from './document.ts';
import { below, type ContextWarning, inFile, pick, unknownKeys, type Warn, warnOfGone } from './warning.ts';

/** A part of a discussion: a text, or who said what. */
export type HistoryEntry =
  | string
  | {
      readonly role?: string | null | undefined;
      readonly content?: string | null | undefined;
      readonly [key: string]: unknown;
    };

/** What goes into a context, and where it comes out. Absent fields have the defaults that stand beside them. */
export interface ContextConfig {
  readonly project: {
    readonly name?: string | undefined;
    /** Names the output, unless {@link ContextConfig.output} does. */
    readonly namespace?: string | undefined;
    /** Summaries of all files. False. */
    readonly summaryOnly: boolean;
    /** `beads` adds the section on progress. `standard`. */
    readonly executionMode: string;
    /** `auto`. */
    readonly aggregationStrategy: AggregationStrategy;
    readonly unknown: JsonObject;
  };
  readonly output: {
    /** The folder for what is made. `.` */
    readonly outputDir: string;
    readonly namespace?: string | undefined;
    readonly unknown: JsonObject;
  };
  readonly files: {
    /** The folder that paths begin in. `.` */
    readonly baseDir: string;
    readonly paths: readonly FileItem[];
    readonly unknown: JsonObject;
  };
  readonly screenshots: {
    /** `.` */
    readonly baseDir: string;
    readonly paths: readonly string[];
    readonly unknown: JsonObject;
  };
  readonly history: readonly HistoryEntry[];
  /** Where relative folders begin: that of the file it was read from, absolute. Not written. */
  readonly folder?: string | undefined;
  /** Keys of other versions, written back as they were read: of the file, and of its table `discussion`. */
  readonly unknown: JsonObject;
  readonly unknownOfDiscussion: JsonObject;
}

export interface ReloadedConfig {
  readonly config: ContextConfig;
  /** What is not used as it stands in the file, and each file that is gone. */
  readonly warnings: readonly ContextWarning[];
}

const KEYS = {
  top: new Set(['project', 'output', 'files', 'screenshots', 'discussion', 'history']),
  project: new Set(['name', 'namespace', 'summary_only', 'execution_mode', 'aggregation_strategy']),
  output: new Set(['output_dir', 'namespace']),
  paths: new Set(['base_dir', 'paths']),
  discussion: new Set(['history']),
};

/**
 * The configuration in a text, whose relative folders are those beside `file`: JSON where `file` ends in `.json`, else TOML. Of the items of files, what is not of its type is the
 * default, with a warning.
 *
 * @throws {EntireError} `CONFIG_UNREADABLE`, with the file, the line or the key, and what to do
 */
export function parseContextConfig(text: string, file: string, warn: Warn = () => {}): ContextConfig {
  return toConfig(checkConfig(parseDocument(text, file), file), file, warn);
}

/** @throws {EntireError} `NOT_FOUND`, or as {@link parseContextConfig} */
export function readContextConfig(file: string, warn: Warn = () => {}): ContextConfig {
  const document = readDocument(file);
  if (document === undefined)
    throw new EntireError('NOT_FOUND', `${file} is not there`, { hint: 'Look at the name of the file.' });
  return toConfig(checkConfig(document.values, file), file, warn);
}

/**
 * {@link readContextConfig}, with a warning for each file that is gone. Relative folders are those beside the configuration.
 */
export function reloadContextConfig(file: string): ReloadedConfig {
  const warnings: ContextWarning[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const config = readContextConfig(file, warn);
  const { files, screenshots } = config;
  const folder = (baseDir: string): string => resolve(config.folder ?? '', baseDir);
  const paths = files.paths.map((item) => item.path);
  warnOfGone(folder(files.baseDir), 'files.paths', paths, inFile(warn, file));
  warnOfGone(folder(screenshots.baseDir), 'screenshots.paths', screenshots.paths, inFile(warn, file));
  return { config, warnings };
}

/** The text of a configuration for `file`, TOML or JSON. Comments of people are not in it. @throws {EntireError} `UNSUPPORTED` */
export const renderContextConfig = (config: ContextConfig, file: string): string =>
  renderDocument(toDict(config), file);

/** Replaces `file` by {@link renderContextConfig}. @throws {EntireError} `UNSUPPORTED`, or the system error */
export const writeContextConfig = (file: string, config: ContextConfig): void =>
  writeFileAtomic(file, renderContextConfig(config, file), { mode: 0o644 });

function toConfig(dict: ContextConfigDict, file: string, hear: Warn): ContextConfig {
  const warn = inFile(hear, file);
  const [project, output] = [dict.project ?? {}, dict.output ?? {}];
  const [files, screenshots, discussion] = [dict.files ?? {}, dict.screenshots ?? {}, dict.discussion ?? {}];
  const rest = (table: JsonObject, known: ReadonlySet<string>, key: string): JsonObject =>
    unknownKeys(table, known, below(warn, key));
  return {
    project: {
      name: project.name ?? undefined,
      namespace: project.namespace ?? undefined,
      summaryOnly: project.summary_only ?? false,
      executionMode: project.execution_mode ?? 'standard',
      aggregationStrategy: project.aggregation_strategy ?? 'auto',
      unknown: rest(project, KEYS.project, 'project'),
    },
    output: {
      outputDir: output.output_dir ?? '.',
      namespace: output.namespace ?? undefined,
      unknown: rest(output, KEYS.output, 'output'),
    },
    files: {
      baseDir: files.base_dir ?? '.',
      paths: parseList(files.paths, 'paths', FileItem.fromDict, below(warn, 'files')),
      unknown: rest(files, KEYS.paths, 'files'),
    },
    screenshots: {
      baseDir: screenshots.base_dir ?? '.',
      paths: parseList(screenshots.paths, 'paths', parsePath, below(warn, 'screenshots')),
      unknown: rest(screenshots, KEYS.paths, 'screenshots'),
    },
    history: discussion.history ?? dict.history ?? [],
    folder: resolve(dirname(file)),
    unknown: rest(dict, KEYS.top, ''),
    unknownOfDiscussion: rest(discussion, KEYS.discussion, 'discussion'),
  };
}

/** Keys that nobody set stay out, or every file would have all of them. */
function toDict({ project, output, files, screenshots, history, ...more }: ContextConfig): JsonObject {
  return {
    ...more.unknown,
    project: whatIsSet({
      name: project.name,
      namespace: project.namespace,
      summary_only: project.summaryOnly,
      execution_mode: project.executionMode,
      aggregation_strategy: project.aggregationStrategy,
      ...project.unknown,
    }),
    output: whatIsSet({ output_dir: output.outputDir, namespace: output.namespace, ...output.unknown }),
    files: {
      base_dir: files.baseDir,
      ...files.unknown,
      paths: files.paths.map((item) => item.toDict()),
    },
    screenshots: { base_dir: screenshots.baseDir, paths: screenshots.paths, ...screenshots.unknown },
    discussion: { ...more.unknownOfDiscussion, history },
  };
}

const whatIsSet = (table: JsonObject): JsonObject => pick(table, (_, value) => value !== undefined);
