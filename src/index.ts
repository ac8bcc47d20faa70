/**
 * What programs may read of a repository's record, the store of snapshots, what keeps files in a model's mind when
 * its context is compacted, the files that make up a context, views of source code, and sessions: conversations with agents that can
 * be kept, gone on with and forked. Nothing here prints or asks; only `FileSnapshotStore`, `ContextPresetManager`,
 * `writeContextConfig`, `DiskStructureCache`, `run`, storages and agents write.
 *
 * @packageDocumentation
 */

export type { AgentName } from './agents/names.ts';
export { patchedPaths } from './agents/shared/apply-patch.ts';
export type { TurnEvent } from './agents/shared/headless/headless.ts';
export type {
  AttachmentBlock,
  ContentBlock,
  Message,
  MessageUsage,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  TurnStop,
} from './agents/shared/session/message.ts';
export { EntireError, type ErrorCode } from './base/errors.ts';
export { type CheckpointId, parseCheckpointId, parseSessionId, type SessionId } from './base/ids.ts';
export type { RepoPath } from './base/repo-path.ts';
export { buildBeadsSection } from './context/aggregate/beads.ts';
export {
  type AggregatedFile,
  type AggregateOptions,
  buildFileItems,
  type FileEntry,
} from './context/aggregate/file-items.ts';
export { computeFileStats, type FileStats, groupFilesByDir } from './context/aggregate/file-stats.ts';
export { buildSummaryMarkdown } from './context/aggregate/files-section.ts';
export {
  buildDiscussionSection,
  buildDiscussionText,
  buildMarkdown,
  buildMarkdownFromItems,
  buildMarkdownNoHistory,
  type DiscussionEntry,
  type MarkdownOptions,
  type StaticOptions,
} from './context/aggregate/markdown.ts';
export { findNextIncrement } from './context/aggregate/output-file.ts';
export { resolvePaths } from './context/aggregate/resolve-paths.ts';
export { type AggregateConfig, type AggregateRun, run } from './context/aggregate/run.ts';
export { buildScreenshotsSection } from './context/aggregate/screenshots.ts';
export {
  DiskStructureCache,
  InMemoryStructureCache,
  type StructureCache,
  structureKey,
} from './context/aggregate/structure-cache.ts';
export { summariseFile } from './context/aggregate/summary.ts';
export { buildTier3Context, type Tier3Options } from './context/aggregate/tier3.ts';
export type { View } from './context/aggregate/view.ts';
export {
  type CompactionDict,
  type CompactionFields,
  CompactionMetadata,
  type CompactionStrategy,
  type FileAware,
  FileAwareCompaction,
} from './context/compaction/compaction.ts';
export { FileTracker } from './context/compaction/file-tracker.ts';
export { type Summarise, SummaryCompaction } from './context/compaction/summary-compaction.ts';
export { type RecordedToolCall, recordToolCall } from './context/compaction/tool-recorder.ts';
export {
  type ContextConfig,
  type HistoryEntry,
  parseContextConfig,
  type ReloadedConfig,
  readContextConfig,
  reloadContextConfig,
  renderContextConfig,
  writeContextConfig,
} from './context/config/config.ts';
export { AGGREGATION_STRATEGIES, type AggregationStrategy } from './context/config/config-schema.ts';
export type { ContextWarning, Warn } from './context/config/warning.ts';
export {
  appendFileIdsFooter,
  collectFileIdsFromNodes,
  extractFileIds,
  extractFileIdsFromMessages,
} from './context/file-ids.ts';
export {
  FileItem,
  type FileItemDict,
  type FileItemFields,
  type MaskMode,
  VIEW_MODES,
  type ViewMode,
} from './context/file-item.ts';
export type { ContextMessage, MessagePart, SummaryNode } from './context/message.ts';
export { ContextPreset, type ContextPresetDict, type ContextPresetFields } from './context/preset/preset.ts';
export {
  ContextPresetManager,
  type ContextPresetManagerOptions,
  type PresetScope,
  type ReloadedPresets,
} from './context/preset/presets.ts';
export { LANGUAGES, type Language, languageOf } from './context/skeleton/language.ts';
export { MAX_SOURCE_LENGTH, readStructure, type SourceReading } from './context/skeleton/read-structure.ts';
export {
  type ShownSource,
  type SourceView,
  showStructure,
  type ViewRequest,
  viewSource,
} from './context/skeleton/source-view.ts';
export {
  type LineRange,
  type SourceStructure,
  type SourceSymbol,
  STRUCTURE_VERSION,
  type SymbolKind,
} from './context/skeleton/structure.ts';
export type { SymbolMask } from './context/skeleton/views.ts';
export type { CustomSlice, CustomSliceFields } from './context/slice/custom-slice.ts';
export {
  FuzzyAnchor,
  type LineRange as SliceLines,
  type SliceLabels,
  type SliceResolution,
} from './context/slice/fuzzy-anchor.ts';
export type { AnchoredSlice } from './context/slice/slice-anchor.ts';
export type { Agent, AgentMemory, Environment, Turn } from './conversation/agent.ts';
export { CancellationToken } from './conversation/agent.ts';
export { CliAgent, type CliAgentOptions } from './conversation/cli/agent.ts';
export { Context } from './conversation/compact-context.ts';
export type { ExportEnvelope, ExportedTranscript } from './conversation/export/envelope.ts';
export { renderEnvelope } from './conversation/export/envelope.ts';
export { type ExportOptions, exportSession } from './conversation/export/export-session.ts';
export { renderPage } from './conversation/export/html/render-page.ts';
export {
  type ImportOptions,
  type ImportOutcome,
  importSession,
} from './conversation/export/import-session.ts';
export { renderMarkdown } from './conversation/export/markdown.ts';
export { parseEnvelope } from './conversation/export/read-envelope.ts';
export { redactEnvelope } from './conversation/export/redact-envelope.ts';
export { modelsIn, readConversation } from './conversation/read-conversation.ts';
export { readTitle } from './conversation/read-title.ts';
export { EventLog, type RunStart } from './conversation/runs/event-log.ts';
export type { RecordedEvent, RunEvent } from './conversation/runs/events.ts';
export {
  KNOWN_CLI_ORIGINS,
  mintRunId,
  parseCliOrigin,
  parseRunId,
  type RunId,
} from './conversation/runs/run-id.ts';
export { Session } from './conversation/session.ts';
export type { SessionData } from './conversation/session-data.ts';
export type { SessionOptions, TurnOutcome, TurnReport } from './conversation/session-options.ts';
export { SessionTree, type SessionTreeDict } from './conversation/session-tree.ts';
export {
  buildStats,
  type StatsOptions,
  type StatsReport,
  type StatsRow,
  type StatsSums,
} from './conversation/stats/report.ts';
export { FileStorage, type FileStorageOptions } from './conversation/storage/file.ts';
export { InMemoryStorage } from './conversation/storage/in-memory.ts';
export { SQLiteStorage, type SQLiteStorageOptions } from './conversation/storage/sqlite.ts';
export type { Storage } from './conversation/storage/storage.ts';
export type { SessionRecord, SessionSummary } from './conversation/walk/session-record.ts';
export {
  findSessionDir,
  iterAllSessions,
  iterSessionsForCli,
  type WalkOptions,
} from './conversation/walk/walker.ts';
export { locateRepo, type Repo } from './git/locate.ts';
export type { Phase } from './session/phase.ts';
export { readVerdicts, type Verdict, type VerdictReason } from './session/record/verdicts.ts';
export type { SessionState, TokenUsage } from './session/state.ts';
export { listStates, readState, type StateListing } from './session/state-store.ts';
export { readFilesTouched, sessionsDir } from './session/tracking-file.ts';
export {
  defaultSnapshotRoot,
  type FileSnapshot,
  FileSnapshotStore,
  type FileSnapshotStoreOptions,
  type RestoredSnapshot,
} from './snapshot/store/file-snapshot-store.ts';
export type { FileState } from './snapshot/store/file-state.ts';
export { type FileSources, resolveFilesTouched } from './strategy/resolve-files-touched.ts';
