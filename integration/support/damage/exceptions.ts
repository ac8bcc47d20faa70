/** Kinds of files that something does not see to, by the reason. */
export type Exceptions = Readonly<Record<string, readonly string[]>>;

const SETTINGS = ['settings', 'local settings', 'settings of the user'];
const PRESETS = ['presets', 'presets as JSON', 'presets of the user'];
const OF_OTHERS = ['ignore file', 'list of what git ignores', 'git hook', 'reflog', 'file .git', 'commondir'];
const TRANSCRIPTS = [
  ...['replaced log', 'working copy of the transcript'],
  ...['transcript of an external agent', 'messages of OpenCode'],
];
const LOCKS = [
  ...['lock', 'lock of summaries', 'lock of restoring', 'lock of scrubbing', 'lock of notes'],
  ...['lock of the manifest', 'lock of a session with messages', 'lock of settings'],
];
const IN_HOME = [
  ...['manifest of worktrees', 'run', 'events of a run', 'beginnings of transcripts', 'totals of sessions'],
  ...['imported transcripts', 'session with messages', 'database of sessions'],
  'index of entire search, all folders',
];
const MARKS = [
  ...['mark of missing rules', 'time of gc', 'marks of steps', 'mark of nobody at work'],
  'number of a forgotten turn',
];
const SNAPSHOTS = [
  ...[
    'content',
    'parts of a content',
    'edits',
    'edits of a turn',
    'record of a turn',
    'digests of read files',
  ],
  ...['begin of a turn', 'journal of a step back', 'marks of steps', 'number of a forgotten turn'],
];
const ASKED_FOR = ['transcript', 'export of a session'];

export const NOT_VERIFIED: Exceptions = {
  'every command says that a settings file cannot be read': SETTINGS,
  'the commands that use presets say it': PRESETS,
  'it is written by others: git, its hooks, a client, the user': [...OF_OTHERS, ...ASKED_FOR],
  'a transcript is in the words of its agent, who alone knows what is sound': TRANSCRIPTS,
  'it says all it has to say by being there': [...MARKS, ...LOCKS],
  'it is no part of a repository': IN_HOME,
  'any text is a line for people': ['log', 'older log'],
  'it goes with the commit that is being made': ['open commit', 'what was squashed'],
  'any text is the id of an entry, which is there or not': ['mark of a worktree'],
  'it may name a session that is gone': ['session with the last prompt'],
  'read with the content that is named so': ['parts of a content'],
  'what it says is held against HEAD; where it says anything else the program is started': [
    'head of nobody at work',
  ],
};

export const NOT_COUNTED: Exceptions = {
  'it has the size of its user': [...SETTINGS, ...PRESETS, ...OF_OTHERS, ...ASKED_FOR],
  'a folder, whose file is empty': LOCKS,
  'it is no part of a repository': IN_HOME,
  'ids, in the folder of git that goes with the worktree': ['mark of a worktree', 'what was squashed'],
};

export const KEPT_BY_RESET: Exceptions = {
  'it goes with the commit that is being made': ['what was squashed'],
  'transcripts of an agent, its own and copies of them, are not taken from it': [
    ...TRANSCRIPTS,
    'transcript',
    'imported transcripts',
  ],
  'steps can be taken back when their session is forgotten': SNAPSHOTS,
  'what was forgotten or private stays so': ['what was forgotten', 'what may not be stored'],
  'sessions with messages have a command of their own: `entire session delete`': ['session with messages'],
  'whoever holds it takes it away': LOCKS,
};

/** What scrub leaves although it may hold what was said: each with a part of the sentence in which scrub says so. */
export const OUT_OF_REACH: Exceptions = {
  "the agents' own": ['transcript'],
  'what a restored one replaced': ['replaced log'],
  '.entire/metadata and .entire/tmp': [
    ...['working copy of the transcript', 'transcript of an external agent', 'messages of OpenCode'],
  ],
  'what ~/.entire keeps': [
    ...['run', 'events of a run', 'beginnings of transcripts'],
    ...['imported transcripts', 'session with messages', 'database of sessions'],
  ],
  'in what undo keeps': ['content', 'parts of a content'],
  'exports of your own': ['export of a session'],
};

/** What scrub leaves because nothing that was said is in it. */
export const SAYS_NOTHING: Exceptions = {
  'the user wrote it, or had it written': [...SETTINGS, ...PRESETS, ...OF_OTHERS],
  'it says all it has to say by being there': [...MARKS, ...LOCKS],
  'paths, and digests or numbers': [
    ...[
      'tracking file',
      'claim',
      'pre-prompt',
      'pre-task',
      'turn baseline',
      'names of read files',
      'compaction',
    ],
    ...['look for a compaction', 'lines of the user', 'end of a transcript', 'begin of a pause'],
    ...['edits', 'edits of a turn', 'digests of read files', 'begin of a turn', 'introduction'],
    ...['removal under way', 'mark of a worktree', 'manifest of worktrees', 'totals of sessions'],
  ],
  'ids, times and digests': [
    ...['index of sessions', 'owed checkpoint', 'open commit', 'pauses', 'what was forgotten'],
    ...['head of nobody at work', 'session with the last prompt', 'what was squashed'],
    ...['what may not be stored', 'verdicts', 'older verdicts', 'tried summaries', 'agent settings record'],
  ],
  'places and tips of remotes': ['ledger of pushes', 'remotes', 'push notice'],
};

/** What scrub changes, by the count in its report. */
export const SCRUBBED: Exceptions = {
  states: ['session state', 'archived state'],
  tasks: ['task record'],
  steps: ['record of a turn', 'journal of a step back'],
  logs: ['log', 'older log'],
  caches: [
    ...['transcript cache, index', 'transcript cache, lines', 'long transcript', 'calls of sub-agents'],
    ...['tokens so far', 'index of entire search', 'index of entire search, all folders'],
  ],
};
