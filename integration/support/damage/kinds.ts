import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NAMES } from '../../../src/agents/names.ts';
import { setupOf } from '../../../src/agents/setups.ts';
import { SESSION, type Stage } from './stage.ts';

/** Long on purpose: an entry for each format. */

/** One of the files that we read. */
export interface Kind {
  readonly name: string;
  /** The row of ARCHITECTURE's table of formats; none for what others write. */
  readonly row?: string;
  /** Where it is, on a stage that was set. It need not be there. */
  place(stage: Stage): string;
  /** Commands and hooks run in the linked worktree. */
  readonly inSide?: true;
  /** Without it git finds no repository, and refuses by itself. */
  readonly isOfGit?: true;
  /** Of these damages git itself hangs, or takes what it can get: only the others are tried, and why. */
  readonly onlyFor?: { readonly damages: readonly string[]; readonly why: string };
  /** Of these damages git itself hangs, or takes what it can get, while our own hooks and commands must not: git is not run. */
  readonly endlessForGit?: readonly string[];
  /** These damages are what somebody may mean, and why. */
  readonly notFor?: { readonly damages: readonly string[]; readonly why: string };
}

const inRoot = (path: string) => (stage: Stage) => join(stage.root, path);
const inCommon = (path: string) => (stage: Stage) => join(stage.root, '.git', path);
const inHome = (path: string) => (stage: Stage) => join(stage.home, path);
const inCache = (name: string) => inCommon(`entire/transcripts/${SESSION}/${name}`);
const inStore = (path: string) => inCommon(`entire/snapshots/${SESSION}/${path}`);

/** The first file of a folder that is called so, or the name given where there is none. */
const firstIn = (folder: string, pattern: RegExp, otherwise: string) => (stage: Stage) => {
  const dir = join(stage.root, '.git', folder);
  const names = existsSync(dir) ? readdirSync(dir).sort() : [];
  return join(dir, names.find((name) => pattern.test(name)) ?? otherwise);
};

const OID = 'a'.repeat(64);

export const KINDS: readonly Kind[] = [
  { name: 'settings', row: 'settings', place: inRoot('.entire/settings.json') },
  { name: 'local settings', row: 'settings', place: inRoot('.entire/settings.local.json') },
  { name: 'settings of the user', row: 'settings', place: inHome('.config/entire/settings.json') },
  { name: 'ignore file', row: 'ignore file', place: inRoot('.entire/.gitignore') },
  {
    name: 'list of what git ignores',
    row: 'the same for git alone',
    place: inCommon('info/exclude'),
    onlyFor: {
      damages: ['nothing in it', 'half of it', 'a folder', 'NULs', 'random bytes'],
      why: 'git opens it, and reads it without a limit',
    },
  },
  { name: 'what was squashed', row: 'what was squashed', place: inCommon('entire-squashed') },
  { name: 'log', row: 'log', place: inRoot('.entire/logs/entire.log') },
  { name: 'older log', row: 'log', place: inRoot('.entire/logs/entire.log.1') },
  ...AGENT_NAMES.map((agent) => ({
    name: `hooks of ${agent}`,
    row: 'agent hooks',
    place: inRoot(setupOf(agent).settings.file),
  })),
  ...[
    '.claude/settings.json',
    '.codex/config.toml',
    '.codex/hooks.json',
    '.gemini/settings.json',
    '.gemini/projects.json',
    '.qwen/settings.json',
    '.factory/settings.json',
    '.copilot/config.json',
  ].map((path) => ({ name: `~/${path}`, place: inHome(path) })),
  { name: 'transcript', place: (stage) => stage.transcript },
  {
    name: 'tracking file',
    row: 'tracking file, claims',
    place: inCommon(`entire-sessions/${SESSION}.files`),
  },
  {
    name: 'claim',
    row: 'tracking file, claims',
    place: inCommon(`entire-sessions/${SESSION}.files.claim-0123456789ab`),
  },
  {
    name: 'introduction',
    row: 'introduction of a session',
    place: inCommon(`entire/introductions/${SESSION}.json`),
  },
  { name: 'session state', row: 'session state', place: inCommon(`entire-sessions/${SESSION}.json`) },
  {
    name: 'archived state',
    row: 'session state, archived',
    place: inCommon('entire/archive/6b1f0000-0000-4000-8000-00000000000f.json'),
  },
  { name: 'index of sessions', row: 'index of settled sessions', place: inCommon('entire/sessions.json') },
  { name: 'owed checkpoint', row: 'owed checkpoints', place: inCommon('entire/owed/0123456789ab.json') },
  { name: 'open commit', row: 'commits that are being made', place: inCommon('entire/open-commits/1') },
  { name: 'transcript cache, index', row: 'transcript cache', place: inCache('index.json') },
  { name: 'transcript cache, lines', row: 'transcript cache', place: inCache('redacted.jsonl') },
  { name: 'long transcript', row: 'long transcript, how far', place: inCache('unfinished.json') },
  { name: 'calls of sub-agents', row: 'calls of sub-agents', place: inCache('agents.json') },
  { name: 'tokens so far', row: 'tokens so far', place: inCache('totals.json') },
  { name: 'lock', row: 'lock', place: inCommon(`entire-sessions/${SESSION}.lock`) },
  { name: 'pre-prompt', row: 'pre-prompt', place: inRoot(`.entire/tmp/pre-prompt-${SESSION}.json`) },
  { name: 'pre-task', row: 'pre-task', place: inRoot('.entire/tmp/pre-task-toolu_01task.json') },
  { name: 'task record', row: 'task record', place: inCommon(`entire/tasks/${SESSION}.json`) },
  { name: 'turn baseline', row: 'turn baseline', place: inCommon(`entire/turns/${SESSION}.json`) },
  { name: 'ledger of pushes', row: 'ledger of pushes', place: inCommon('entire/pushes.jsonl') },
  {
    name: 'mark of missing rules',
    row: 'mark of checkpoints that lack rules of redaction',
    place: inCommon('entire/unruled'),
  },
  { name: 'remotes', row: 'URLs of remotes when asked', place: inCommon('entire/remote-urls.json') },
  { name: 'push notice', row: 'note that pushing was explained', place: inCommon('entire/push-notice.json') },
  {
    name: 'replaced log',
    row: 'logs that a restored one replaced',
    place: inCommon(`entire/replaced-logs/${SESSION}/2026-01-01T00-00-00Z-0123456789ab.jsonl`),
  },
  {
    name: 'names of read files',
    row: 'names of files that were read',
    place: inCommon(`entire/reads/${SESSION}.json`),
  },
  { name: 'compaction', row: 'last compaction', place: inCommon(`entire/compactions/${SESSION}.json`) },
  {
    name: 'look for a compaction',
    row: 'looked through for a compaction',
    place: inCommon(`entire/compaction-looks/${SESSION}.json`),
  },
  { name: 'lines of the user', row: "user's lines", place: inCommon(`entire/user-lines/${SESSION}.json`) },
  {
    name: 'session with the last prompt',
    row: 'session with the last prompt',
    place: inCommon('entire/newest/@'),
  },
  { name: 'pauses', row: 'private stretches that go on', place: inCommon('entire/paused.json') },
  {
    name: 'begin of a pause',
    row: 'what one began with, whom it met',
    place: inCommon('entire/pauses/0123456789ab/begin.json'),
  },
  {
    name: 'what was forgotten',
    row: 'what was forgotten',
    place: inCommon(`entire/forgotten/${SESSION}.json`),
  },
  {
    name: 'what may not be stored',
    row: 'what may not be stored',
    place: inCommon(`entire/private/${SESSION}.json`),
  },
  ...['mark', 'head'].map((name) => ({
    name: `${name} of nobody at work`,
    row: 'mark that nobody is at work',
    place: inCommon(`entire/idle/@/${name}`),
  })),
  { name: 'verdicts', row: 'verdicts', place: inCommon('entire/verdicts.jsonl') },
  { name: 'older verdicts', row: 'verdicts', place: inCommon('entire/verdicts.1.jsonl') },
  { name: 'tried summaries', row: 'tried summaries, their lock', place: inCommon('entire/summaries.json') },
  { name: 'lock of summaries', row: 'tried summaries, their lock', place: inCommon('entire/summaries.lock') },
  { name: 'lock of restoring', row: 'locks of commands', place: inCommon('entire/restore.lock') },
  { name: 'lock of settings', row: 'locks of commands', place: inCommon('entire/settings.lock') },
  { name: 'lock of scrubbing', row: 'locks of commands', place: inCommon('entire/scrub.lock') },
  { name: 'lock of notes', row: 'lock of links made afterwards', place: inCommon('entire/notes.lock') },
  {
    name: 'manifest of worktrees',
    row: 'manifest of worktrees, its lock',
    place: inHome('.entire/worktrees/index.json'),
  },
  {
    name: 'lock of the manifest',
    row: 'manifest of worktrees, its lock',
    place: inHome('.entire/worktrees/index.lock'),
  },
  {
    name: 'mark of a worktree',
    row: 'mark of a worktree',
    place: inCommon('worktrees/side/entire-worktree'),
  },
  {
    name: 'removal under way',
    row: 'removals of worktrees under way',
    place: inCommon('entire/removals/0123456789ab.json'),
  },
  {
    name: 'agent settings record',
    row: 'agent settings record',
    place: inCommon('entire/agent-settings/claude-code.json'),
  },
  {
    name: 'end of a transcript',
    row: 'where a transcript ended',
    place: inCommon(`entire/positions/${SESSION}.json`),
  },
  {
    name: 'working copy of the transcript',
    row: 'working copy of the transcript',
    place: inRoot(`.entire/metadata/${SESSION}/full.jsonl`),
  },
  {
    name: 'transcript of an external agent',
    row: 'transcript of an external agent',
    place: inRoot(`.entire/tmp/${SESSION}.jsonl`),
  },
  { name: 'messages of OpenCode', row: "OpenCode's messages", place: inRoot(`.entire/tmp/${SESSION}.jsonl`) },
  {
    name: 'content',
    row: 'contents of files',
    place: firstIn(`entire/snapshots/${SESSION}/blobs`, /^[0-9a-f]{64}$/, OID),
  },
  { name: 'parts of a content', row: 'contents of files', place: inStore(`blobs/${OID}.parts`) },
  { name: 'edits', row: 'ledger of edits', place: inStore('edits.jsonl') },
  {
    name: 'edits of a turn',
    row: 'ledger of edits',
    place: firstIn(`entire/snapshots/${SESSION}/edits`, /jsonl$/, 'edits-0.jsonl'),
  },
  {
    name: 'record of a turn',
    row: 'turns, undos, redos',
    place: firstIn(`entire/snapshots/${SESSION}/snaps`, /json$/, '0.json'),
  },
  { name: 'digests of read files', row: 'digests of files that were read', place: inStore('looks.jsonl') },
  { name: 'begin of a turn', row: 'what a turn began with', place: inStore('start.json') },
  { name: 'journal of a step back', row: 'step back under way', place: inStore('journal.json') },
  { name: 'marks of steps', place: inStore('steps') },
  {
    name: 'number of a forgotten turn',
    row: 'number of a turn that was forgotten',
    place: inStore('snaps/1790000000000-0123456789ab.forgotten'),
  },
  { name: 'time of gc', row: 'when gc last ran', place: inCommon('entire/last-gc') },
  {
    name: 'run',
    row: 'runs',
    place: inHome('.entire/eventlog/codex-2026-01-01T00-00-00-000Z-0123abcd/run.json'),
  },
  {
    name: 'events of a run',
    row: 'runs',
    place: inHome('.entire/eventlog/codex-2026-01-01T00-00-00-000Z-0123abcd/events.jsonl'),
  },
  {
    name: 'beginnings of transcripts',
    row: 'beginnings of transcripts, a cache',
    place: inHome('.entire/session-heads.json'),
  },
  {
    name: 'totals of sessions',
    row: 'totals of sessions, a cache',
    place: inHome('.entire/stats-cache.json'),
  },
  {
    name: 'imported transcripts',
    row: 'transcripts of an imported session',
    place: inHome(`.entire/imports/${SESSION}/import.json`),
  },
  {
    name: 'session with messages',
    row: 'sessions in files, their locks',
    place: inHome(`.entire/sessions/${SESSION}.json`),
  },
  {
    name: 'lock of a session with messages',
    row: 'sessions in files, their locks',
    place: inHome(`.entire/sessions/${SESSION}.lock`),
  },
  {
    name: 'index of entire search',
    row: 'index of entire search, a cache',
    place: inCommon('entire/search.db'),
  },
  {
    name: 'index of entire search, all folders',
    row: 'index of entire search, a cache',
    place: inHome('.entire/search.db'),
  },
  { name: 'database of sessions', row: 'sessions in SQLite', place: inHome('.entire/sessions.db') },
  { name: 'presets', row: 'presets of contexts, their lock', place: inRoot('.entire/context.toml') },
  { name: 'presets as JSON', row: 'presets of contexts, their lock', place: inRoot('.entire/context.json') },
  {
    name: 'presets of the user',
    row: 'presets of contexts, their lock',
    place: inHome('.config/entire/context.toml'),
  },
  {
    name: 'export of a session',
    row: 'export of a session',
    place: (stage) => stage.exported,
    notFor: { damages: ['a pipe'], why: 'who imports from a pipe waits for its writer' },
  },
  { name: 'git hook', row: 'git hook scripts, backups', place: inCommon('hooks/post-commit.pre-entire') },
  {
    name: 'reflog',
    place: inCommon('logs/HEAD'),
    onlyFor: { damages: ['nothing in it', 'half of it'], why: 'git appends to it' },
  },
  { name: 'file .git', place: (stage) => join(stage.side, '.git'), inSide: true, isOfGit: true },
  {
    name: 'commondir',
    place: inCommon('worktrees/side/commondir'),
    inSide: true,
    isOfGit: true,
    onlyFor: {
      damages: [
        'a link to /dev/zero',
        'a link to /dev/tty',
        'a pipe',
        'a folder',
        'a link that leads nowhere',
        'nothing in it',
        'NULs',
        'random bytes',
      ],
      why: 'git reads it without a limit',
    },
    endlessForGit: ['a link to /dev/zero', 'a link to /dev/tty', 'a pipe'],
  },
];
