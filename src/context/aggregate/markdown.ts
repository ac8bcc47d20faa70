import { asText, describeJson, isObject } from '../../base/text/json.ts';
import type { AggregationStrategy } from '../config/config-schema.ts';
import { buildBeadsSection } from './beads.ts';
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

/** One turn of a conversation: a text, or who said what. */
export type DiscussionEntry = string | { readonly role?: unknown; readonly content?: unknown };

/** Between sections, and between the turns of a conversation. */
export const SEPARATOR = '\n\n---\n\n';

/** The turns of a conversation, numbered from 1; the empty text where there are none. Without the heading of the section. */
export const buildDiscussionSection = (history: readonly DiscussionEntry[]): string =>
  history.map((entry, at) => `### Discussion Excerpt ${at + 1}\n\n${textOf(entry)}`).join(SEPARATOR);

/** The whole section with its heading, to be put after a static prefix and a separator; the empty text without turns. */
export const buildDiscussionText = (history: readonly DiscussionEntry[]): string =>
  history.length === 0 ? '' : `## Discussion History\n\n${buildDiscussionSection(history)}`;

function textOf(entry: unknown): string {
  if (!isObject(entry)) return describeJson(entry).trim();
  return `${asText(entry.role) || 'Unknown'}: ${describeJson(entry.content ?? '').trim()}`;
}
