import type { AggregationStrategy } from '../config/config-schema.ts';
import { buildBeadsSection } from './beads.ts';
import { buildDiscussionText, type DiscussionEntry, SEPARATOR } from './discussion.ts';
import { type AggregatedFile, type AggregateOptions, buildFileItems, type FileEntry } from './file-items.ts';
import { buildFilesSection, buildSummaryMarkdown } from './files-section.ts';
import { buildScreenshotsSection } from './screenshots.ts';

/** What a context has besides its files and the conversation: all that stays the same between turns. */
export interface StaticOptions {
  /** Where images are looked for. Default: nowhere, without images. */
  readonly screenshotBaseDir?: string | undefined;
  readonly screenshots?: readonly string[] | undefined;
  readonly summaryOnly?: boolean | undefined;
  /**
   * Which section the files stand in: in full or in a few lines each. `auto`, the default, decides by `summaryOnly`, and is
   * alone in that. Within `full`, each file is still shown as its own item says.
   */
  readonly aggregationStrategy?: AggregationStrategy | undefined;
  /** `beads`: the progress that the tracker in `baseDir` tells of is part of the text. */
  readonly executionMode?: string | undefined;
  readonly baseDir?: string | undefined;
}

export interface MarkdownOptions extends StaticOptions {
  readonly history?: readonly DiscussionEntry[] | undefined;
}

/**
 * The text of a context: files, images, progress, and the conversation last. All before the conversation is
 * {@link buildMarkdownNoHistory}, byte for byte, so that a provider which keeps prefixes has to read it once.
 */
export const buildMarkdownFromItems = (
  fileItems: readonly AggregatedFile[],
  options: MarkdownOptions = {},
): string =>
  joinSections([buildMarkdownNoHistory(fileItems, options), buildDiscussionText(options.history ?? [])]);

/** The text of a context without the conversation. It depends on nothing but contents, settings and names below the base folder. */
export function buildMarkdownNoHistory(
  fileItems: readonly AggregatedFile[],
  options: StaticOptions = {},
): string {
  return joinSections([filesOf(fileItems, options), ...besidesFiles(options)]);
}

/** Reads files, and makes the text of a context of them. */
export async function buildMarkdown(
  baseDir: string,
  files: readonly FileEntry[],
  options: MarkdownOptions & AggregateOptions = {},
): Promise<string> {
  return buildMarkdownFromItems(await buildFileItems(baseDir, files, options), { baseDir, ...options });
}

function filesOf(
  items: readonly AggregatedFile[],
  { aggregationStrategy = 'auto', summaryOnly }: StaticOptions,
): string {
  const isSummary =
    aggregationStrategy === 'auto' ? summaryOnly === true : aggregationStrategy === 'summarize';
  return isSummary
    ? section('Files (Summary)', buildSummaryMarkdown(items))
    : section('Files', buildFilesSection(items));
}

/** The sections between the files and the conversation. */
export function besidesFiles({
  screenshotBaseDir,
  screenshots = [],
  executionMode,
  baseDir,
}: StaticOptions): string[] {
  const images = screenshotBaseDir ?? baseDir;
  return [
    section('Screenshots', images === undefined ? '' : buildScreenshotsSection(images, screenshots)),
    section(
      'Beads Mode: Progress Track',
      executionMode === 'beads' && baseDir !== undefined ? buildBeadsSection(baseDir) : '',
    ),
  ];
}

/** A section with its heading; the empty text where it has nothing to say. */
export const section = (title: string, body: string): string => (body === '' ? '' : `## ${title}\n\n${body}`);

/** The sections that say something. */
export const joinSections = (sections: readonly string[]): string =>
  sections.filter((text) => text !== '').join(SEPARATOR);
