/**
 * `entire/context`: what a model is told of files. Texts of contexts, presets and configurations, views of source code, slices that are found
 * again, and the files that stay in mind when a conversation is compacted. It starts nothing; what is written is a context,
 * a preset, a configuration or a cache, where its caller says.
 *
 * What is stored (dicts, slices) has the names that it has in files, in snake case; all else is in camel case. Times (`injectedAt`, `mtime`) are in
 * seconds since 1970.
 *
 * @packageDocumentation
 */

export { patchedPaths } from '../agents/shared/apply-patch.ts';
export { EntireError, type ErrorCode } from '../base/errors.ts';
export type { JsonObject } from '../base/text/json.ts';
export { buildBeadsSection } from '../context/aggregate/beads.ts';
export {
  type AggregatedFile,
  type AggregateOptions,
  buildFileItems,
  type FileEntry,
} from '../context/aggregate/file-items.ts';
export { computeFileStats, type FileStats, groupFilesByDir } from '../context/aggregate/file-stats.ts';
export { buildSummaryMarkdown } from '../context/aggregate/files-section.ts';
export {
  buildDiscussionSection,
  buildDiscussionText,
  buildMarkdown,
  buildMarkdownFromItems,
  buildMarkdownNoHistory,
  type DiscussionEntry,
  type MarkdownOptions,
  type StaticOptions,
} from '../context/aggregate/markdown.ts';
export { findNextIncrement } from '../context/aggregate/output-file.ts';
export { resolvePaths } from '../context/aggregate/resolve-paths.ts';
export { type AggregateConfig, type AggregateRun, run } from '../context/aggregate/run.ts';
export { buildScreenshotsSection } from '../context/aggregate/screenshots.ts';
export {
  DiskStructureCache,
  InMemoryStructureCache,
  type StructureCache,
  structureKey,
} from '../context/aggregate/structure-cache.ts';
export { summariseFile } from '../context/aggregate/summary.ts';
export { buildTier3Context, type Tier3Options } from '../context/aggregate/tier3.ts';
export type { View } from '../context/aggregate/view.ts';
export {
  type CompactionDict,
  type CompactionFields,
  CompactionMetadata,
  type CompactionStrategy,
  type FileAware,
  FileAwareCompaction,
} from '../context/compaction/compaction.ts';
export { FileTracker } from '../context/compaction/file-tracker.ts';
export { type Summarise, SummaryCompaction } from '../context/compaction/summary-compaction.ts';
export { type RecordedToolCall, recordToolCall } from '../context/compaction/tool-recorder.ts';
export {
  type ContextConfig,
  type HistoryEntry,
  parseContextConfig,
  type ReloadedConfig,
  readContextConfig,
  reloadContextConfig,
  renderContextConfig,
  writeContextConfig,
} from '../context/config/config.ts';
export { AGGREGATION_STRATEGIES, type AggregationStrategy } from '../context/config/config-schema.ts';
export type { ContextWarning, Warn } from '../context/config/warning.ts';
export {
  appendFileIdsFooter,
  collectFileIdsFromNodes,
  extractFileIds,
  extractFileIdsFromMessages,
} from '../context/file-ids.ts';
export {
  FileItem,
  type FileItemDict,
  type FileItemFields,
  type MaskMode,
  VIEW_MODES,
  type ViewMode,
} from '../context/file-item.ts';
export type { ContextMessage, MessagePart, SummaryNode } from '../context/message.ts';
export { ContextPreset, type ContextPresetDict, type ContextPresetFields } from '../context/preset/preset.ts';
export {
  ContextPresetManager,
  type ContextPresetManagerOptions,
  type PresetScope,
  type ReloadedPresets,
} from '../context/preset/presets.ts';
export { LANGUAGES, type Language, languageOf } from '../context/skeleton/language.ts';
export { MAX_SOURCE_LENGTH, readStructure, type SourceReading } from '../context/skeleton/read-structure.ts';
export {
  type ShownSource,
  type SourceView,
  showStructure,
  type ViewRequest,
  viewSource,
} from '../context/skeleton/source-view.ts';
export {
  type LineRange,
  type SourceStructure,
  type SourceSymbol,
  STRUCTURE_VERSION,
  type SymbolKind,
} from '../context/skeleton/structure.ts';
export type { SymbolMask } from '../context/skeleton/views.ts';
export type { CustomSlice, CustomSliceFields } from '../context/slice/custom-slice.ts';
export {
  FuzzyAnchor,
  type LineRange as SliceLines,
  type SliceLabels,
  type SliceResolution,
} from '../context/slice/fuzzy-anchor.ts';
export type { AnchoredSlice } from '../context/slice/slice-anchor.ts';
