/**
 * The library: what programs may read of a repository's record, and the classes and functions that most of them want. The rest of each
 * stands in `entire/context`, `entire/snapshots` and `entire/conversations`, which have those names as well. Nothing here
 * prints or asks.
 *
 * What is read of a repository is read at once, by functions that return no promise; times in it are RFC 3339.
 *
 * @packageDocumentation
 */

export { EntireError, type ErrorCode } from './base/errors.ts';
export { type CheckpointId, parseCheckpointId, parseSessionId, type SessionId } from './base/ids.ts';
export type { RepoPath } from './base/repo-path.ts';
export { locateRepo, type Repo } from './git/locate.ts';
export {
  type AggregationStrategy,
  appendFileIdsFooter,
  buildBeadsSection,
  buildDiscussionSection,
  buildDiscussionText,
  buildFileItems,
  buildMarkdown,
  buildMarkdownFromItems,
  buildMarkdownNoHistory,
  buildScreenshotsSection,
  buildSummaryMarkdown,
  buildTier3Context,
  CompactionMetadata,
  type CompactionStrategy,
  ContextPreset,
  ContextPresetManager,
  collectFileIdsFromNodes,
  computeFileStats,
  extractFileIds,
  extractFileIdsFromMessages,
  FileAwareCompaction,
  FileItem,
  FileTracker,
  FuzzyAnchor,
  findNextIncrement,
  groupFilesByDir,
  patchedPaths,
  recordToolCall,
  resolvePaths,
  run,
  SummaryCompaction,
  type SummaryNode,
  summariseFile,
  type ViewMode,
} from './library/context.ts';
export {
  type Agent,
  CancellationToken,
  CliAgent,
  Context,
  type Environment,
  FileStorage,
  findSessionDir,
  InMemoryStorage,
  iterAllSessions,
  iterSessionsForCli,
  KNOWN_CLI_ORIGINS,
  type Message,
  parseCliOrigin,
  Session,
  type SessionData,
  type SessionRecord,
  SessionTree,
  SQLiteStorage,
  type Storage,
  type Turn,
} from './library/conversations.ts';
export { defaultSnapshotRoot, type FileSnapshot, FileSnapshotStore } from './library/snapshots.ts';
export type { Phase } from './session/phase.ts';
export type { PromptAttribution } from './session/record/prompt-attribution.ts';
export { readVerdicts, type Verdict, type VerdictReason } from './session/record/verdicts.ts';
export type { SessionState, TokenUsage } from './session/state.ts';
export { listStates, readState, type StateListing, type StateQuery } from './session/state-store.ts';
export { readFilesTouched, sessionsDir } from './session/tracking-file.ts';
export { type FileSources, resolveFilesTouched } from './strategy/resolve-files-touched.ts';
