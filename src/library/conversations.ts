/**
 * `entire/conversations`: sessions with agents that can be kept, gone on with and forked; where they are kept; those of other clients
 * on this machine; exports, imports and statistics. Storages, agents, run logs and imports write; lists and statistics keep caches in `~/.entire`.
 *
 * What is stored, exchanged or printed as JSON (messages, `SessionData`, exports, statistics) has the names that it has there, in snake case; all
 * else is in camel case. A message and `SessionData` tell times in seconds since 1970 (`timestamp`, `created_at`), all others RFC 3339
 * (`at`, `startedAt`, `until`). Whatever may wait for an agent or a storage is a promise; an `EventLog` writes at once.
 *
 * @packageDocumentation
 */

export type { AgentName } from '../agents/names.ts';
export type { TurnEvent } from '../agents/shared/headless/headless.ts';
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
} from '../agents/shared/session/message.ts';
export { EntireError, type ErrorCode } from '../base/errors.ts';
export type { SessionId } from '../base/ids.ts';
export type { CompactionStrategy } from '../context/compaction/compaction.ts';
export {
  type Agent,
  type AgentMemory,
  CancellationToken,
  type Environment,
  type Turn,
} from '../conversation/agent.ts';
export { CliAgent, type CliAgentOptions } from '../conversation/cli/agent.ts';
export { Context } from '../conversation/compact-context.ts';
export {
  type ExportEnvelope,
  type ExportedTranscript,
  renderEnvelope,
} from '../conversation/export/envelope.ts';
export { type ExportOptions, exportSession } from '../conversation/export/export-session.ts';
export { renderPage } from '../conversation/export/html/render-page.ts';
export {
  type ImportOptions,
  type ImportOutcome,
  importSession,
} from '../conversation/export/import-session.ts';
export { renderMarkdown } from '../conversation/export/markdown.ts';
export { parseEnvelope } from '../conversation/export/read-envelope.ts';
export { redactEnvelope } from '../conversation/export/redact-envelope.ts';
export { modelsIn, readConversation } from '../conversation/read-conversation.ts';
export { readTitle } from '../conversation/read-title.ts';
export { EventLog, type RunStart } from '../conversation/runs/event-log.ts';
export type { RecordedEvent, RunEvent } from '../conversation/runs/events.ts';
export {
  KNOWN_CLI_ORIGINS,
  mintRunId,
  parseCliOrigin,
  parseRunId,
  type RunId,
} from '../conversation/runs/run-id.ts';
export { Session } from '../conversation/session.ts';
export type { SessionData } from '../conversation/session-data.ts';
export type { SessionOptions, TurnOutcome, TurnReport } from '../conversation/session-options.ts';
export { SessionTree, type SessionTreeDict } from '../conversation/session-tree.ts';
export {
  buildStats,
  type StatsOptions,
  type StatsReport,
  type StatsRow,
  type StatsSums,
} from '../conversation/stats/report.ts';
export { FileStorage, type FileStorageOptions } from '../conversation/storage/file.ts';
export { InMemoryStorage } from '../conversation/storage/in-memory.ts';
export { SQLiteStorage, type SQLiteStorageOptions } from '../conversation/storage/sqlite.ts';
export type { Storage } from '../conversation/storage/storage.ts';
export type { OnProblem } from '../conversation/walk/own-sessions.ts';
export type { SessionRecord, SessionSummary } from '../conversation/walk/session-record.ts';
export {
  findSessionDir,
  iterAllSessions,
  iterSessionsForCli,
  type WalkOptions,
} from '../conversation/walk/walker.ts';
