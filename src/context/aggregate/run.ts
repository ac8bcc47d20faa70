import { resolve } from 'node:path';
import type { AggregationStrategy } from '../config/config-schema.ts';
import { type AggregatedFile, type AggregateOptions, buildFileItems, type FileEntry } from './file-items.ts';
import type { DiscussionEntry } from './markdown.ts';
import { buildMarkdownFromItems } from './markdown.ts';
import { asNamespace, isOutput, writeNextOutput } from './output-file.ts';

/** What {@link run} makes a context of: a `ContextConfig`, or less. */
export interface AggregateConfig {
  readonly project?:
    | {
        readonly name?: string | undefined;
        /** Names the files that are written, where `output` does not; else `name` does. */
        readonly namespace?: string | undefined;
        readonly summaryOnly?: boolean | undefined;
        readonly aggregationStrategy?: AggregationStrategy | undefined;
        readonly executionMode?: string | undefined;
      }
    | undefined;
  readonly output: { readonly outputDir: string; readonly namespace?: string | undefined };
  readonly files: { readonly baseDir: string; readonly paths: readonly FileEntry[] };
  readonly screenshots?:
    | { readonly baseDir?: string | undefined; readonly paths?: readonly string[] | undefined }
    | undefined;
  readonly history?: readonly DiscussionEntry[] | undefined;
  /** Where relative folders begin. Default: the folder that the process is in. */
  readonly folder?: string | undefined;
}

export interface AggregateRun {
  readonly markdown: string;
  /** The absolute path of what was written: `{namespace}_{NNN}.md`. */
  readonly outputFile: string;
  /** The files as they were read, for callers that want to know more of them. */
  readonly fileItems: readonly AggregatedFile[];
}

/**
 * Makes the text of a context, and writes it under the next number. Globs do not stand for what earlier runs wrote: each
 * would have the one before it in it.
 *
 * @param aggregationStrategy outranks the configuration's; `auto` where neither says anything
 * @throws {EntireError} `BAD_FLAGS` where the name can be no part of a file's name; system errors of the output as they are
 */
export async function run(
  config: AggregateConfig,
  aggregationStrategy: AggregationStrategy | undefined = config.project?.aggregationStrategy,
  options: AggregateOptions = {},
): Promise<AggregateRun> {
  const { project = {}, output, files, screenshots = {}, history, folder = '' } = config;
  const outputDir = resolve(folder, output.outputDir);
  const baseDir = resolve(folder, files.baseDir);
  const namespace = output.namespace ?? project.namespace ?? asNamespace(project.name || 'context');
  const leaveOut = (path: string): boolean =>
    isOutput(outputDir, namespace, path) || options.leaveOut?.(path) === true;
  const fileItems = await buildFileItems(baseDir, files.paths, { ...options, leaveOut });
  const markdown = buildMarkdownFromItems(fileItems, {
    baseDir,
    screenshotBaseDir: resolve(folder, screenshots.baseDir ?? files.baseDir),
    screenshots: screenshots.paths,
    history,
    summaryOnly: project.summaryOnly,
    aggregationStrategy,
    executionMode: project.executionMode,
  });
  return { markdown, outputFile: writeNextOutput(outputDir, namespace, markdown), fileItems };
}
