// The arrows of the house. One table; scripts/check-arrows.ts runs it and refuses to pass an empty look.
const MAY_IMPORT = {
  base: [],
  git: ['base'],
  agents: ['base'],
  settings: ['base'],
  session: ['base', 'git'],
  checkpoint: ['base', 'git', 'session', 'settings'],
  snapshot: ['base', 'git', 'session'],
  strategy: ['base', 'git', 'session', 'agents', 'checkpoint', 'snapshot', 'settings'],
  origin: ['base', 'git', 'session', 'agents', 'checkpoint', 'snapshot', 'strategy', 'history'],
  history: ['base', 'git', 'session', 'agents', 'checkpoint', 'settings'],
  sync: ['base', 'git', 'session', 'checkpoint', 'settings'],
  restore: [
    'base',
    'git',
    'session',
    'agents',
    'checkpoint',
    'strategy',
    'history',
    'sync',
    'snapshot',
    'settings',
  ],
  context: ['base', 'git', 'session'],
  conversation: ['base', 'git', 'session', 'agents', 'checkpoint', 'context', 'history', 'origin'],
  hooks: [
    'base',
    'git',
    'session',
    'agents',
    'strategy',
    'history',
    'sync',
    'snapshot',
    'settings',
    'context',
    'origin',
  ],
  worktree: ['base', 'git', 'session', 'agents', 'checkpoint', 'strategy', 'settings', 'hooks'],
  search: ['base', 'git', 'session', 'agents', 'checkpoint', 'settings', 'strategy', 'conversation'],
  doctor: [
    'base',
    'git',
    'session',
    'agents',
    'checkpoint',
    'snapshot',
    'strategy',
    'origin',
    'history',
    'sync',
    'restore',
    'context',
    'hooks',
    'settings',
    'worktree',
  ],
  cli: [
    'base',
    'git',
    'session',
    'agents',
    'checkpoint',
    'snapshot',
    'strategy',
    'origin',
    'history',
    'sync',
    'restore',
    'context',
    'hooks',
    'settings',
    'doctor',
    'conversation',
    'search',
    'worktree',
  ],
};

/** Folders of the strategy: one for each thing that happens, on top of what they share. */
const STRATEGY_MAY_IMPORT = {
  transcript: [],
  attribution: [],
  pause: ['transcript', 'commit', 'turn', 'attribution'],
  task: ['transcript'],
  commit: ['transcript', 'task', 'attribution'],
  turn: ['transcript', 'commit', 'attribution'],
  auto: ['attribution', 'transcript', 'task', 'commit', 'turn'],
};

/** Files of the hot path: they may load each other and `node:` built-ins, nothing else. */
const HOT = [
  '^src/base/(errors|hash|ids|memory|repo-path|log|clock|room|text/(json|text)|file/(append-lines|disk|small-file|write-file-atomic))\\.ts$',
  '^src/git/locate\\.ts$',
  '^src/settings/(enabled|keys|layers|salvage)\\.ts$',
  '^src/session/(tracking-file|record/(introduction|reads|pause|glance|newest))\\.ts$',
  '^src/snapshot/(turn/(record-edit|note-look|note-shell)|store/(blobs|file-state))\\.ts$',
  '^src/agents/(names|event)\\.ts$',
  '^src/agents/(shared/(apply-patch|payload)|[^/]+/hook-input)\\.ts$',
  '^src/cli/statusline/(run|facts|format)\\.ts$',
  '^src/hooks/(fail-open|stdin|session-home|post-file-edit|post-file-read)\\.ts$',
];

/** Packages that live behind one door. */
const DOORS = {
  'simple-git': '^src/git/run\\.ts$',
  yargs: '^src/cli/',
  '@clack/prompts': '^src/cli/',
  'proper-lockfile': '^src/session/lock\\.ts$',
  'jsonc-parser':
    '^src/(agents/shared/hook-table/settings|settings/settings-file|context/config/document)\\.ts$',
  'smol-toml': '^src/(agents/codex/hook-trust|context/config/(document|toml-edit))\\.ts$',
  diff: '^src/(strategy/attribution/line-diff|conversation/export/diff-lines)\\.ts$',
  '@secretlint/[^/]+': '^src/checkpoint/redact/',
  tinyglobby: '^src/context/aggregate/resolve-paths\\.ts$',
  'web-tree-sitter': '^src/context/skeleton/',
  '(@vscode/tree-sitter-wasm|tree-sitter-c)': '^src/context/skeleton/wasm-files\\.ts$',
  'string-width': '^src/cli/ui/width\\.ts$',
  'markdown-it': '^src/conversation/export/markup\\.ts$',
  re2js: '^src/checkpoint/redact/custom\\.ts$',
  libsql: '^src/conversation/storage/sqlite-driver\\.ts$',
};

/** Unit tests lie beside the code and may use what they need. */
const TEST = '\\.test\\.ts$';

const rooms = Object.entries(MAY_IMPORT).map(([room, allowed]) => ({
  name: `room-${room}`,
  severity: 'error',
  comment: `src/${room} may import ${allowed.length === 0 ? 'no other room' : allowed.join(', ')}`,
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
}));

const strategyFolders = Object.entries(STRATEGY_MAY_IMPORT).map(([folder, allowed]) => ({
  name: `strategy-${folder}`,
  severity: 'error',
  from: { path: `^src/strategy/${folder}/` },
  to: { path: '^src/strategy/[^/]+/', pathNot: `^src/strategy/(${[folder, ...allowed].join('|')})/` },
}));

const doors = Object.entries(DOORS).map(([name, path]) => ({
  name: `door-${name.replace(/\W+/g, '-')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: [path, TEST] },
  to: { path: `node_modules/${name}/` },
}));

export default {
  forbidden: [
    ...rooms,
    ...strategyFolders,
    ...doors,
    {
      name: 'base-is-a-leaf',
      severity: 'error',
      from: { path: '^src/base/', pathNot: TEST },
      to: { dependencyTypes: ['npm', 'npm-dev'] },
    },
    {
      name: 'hot-path',
      severity: 'error',
      comment: 'hot files load hot files and node: built-ins only',
      from: { path: HOT },
      to: { pathNot: HOT, dependencyTypesNot: ['core', 'type-only'] },
    },
    {
      name: 'hot-path-no-child-process',
      severity: 'error',
      from: { path: HOT },
      to: { path: 'child_process' },
    },
    {
      name: 'one-door-to-processes',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/git/run\\.ts$', '^src/base/process/(open-)?program\\.ts$', TEST],
      },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'one-door-to-files',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/base/file/disk\\.ts$', TEST] },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'one-door-to-hashes',
      severity: 'error',
      comment: 'to load the module takes the native build longer than all else that the edit hook does',
      from: { path: '^src/', pathNot: TEST },
      to: { path: '^(node:)?crypto$' },
    },
    {
      name: 'one-door-to-the-index',
      severity: 'error',
      comment: 'only auto-commit changes the index of the user, and looks at it for that',
      from: { path: '^src/', pathNot: ['^src/strategy/auto/', '^src/git/worktree/user-index\\.ts$', TEST] },
      to: { path: '^src/git/worktree/user-index\\.ts$' },
    },
    {
      name: 'one-door-to-checkout',
      severity: 'error',
      comment: 'only a command that was asked to switch branches does',
      from: { path: '^src/', pathNot: ['^src/cli/', TEST] },
      to: { path: '^src/git/worktree/switch\\.ts$' },
    },
    {
      name: 'parser-is-lazy',
      severity: 'error',
      comment:
        'the parser and its grammars are loaded with the first source file that is read, never with a module',
      from: { path: '^src/', pathNot: ['^src/context/skeleton/(grammar|wasm-files)\\.ts$', TEST] },
      to: {
        path: ['^src/context/skeleton/(grammar|wasm-files)\\.ts$', 'node_modules/web-tree-sitter/'],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sqlite-is-lazy',
      severity: 'error',
      comment: 'SQLite is loaded when a database is needed, never with a module',
      from: { path: '^src/', pathNot: TEST },
      to: {
        path: ['node_modules/libsql/', '^bun:sqlite$'],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'door-bun-sqlite',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/conversation/storage/sqlite-driver\\.ts$' },
      to: { path: '^bun:' },
    },
    { name: 'zod-is-not-hot', severity: 'error', from: { path: HOT }, to: { path: 'node_modules/zod/' } },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { path: '^integration/|\\.test\\.ts$|node_modules/(vitest|fast-check)/' },
    },
    {
      name: 'library-entry',
      severity: 'error',
      from: { path: '^src/(index\\.ts$|library/)' },
      to: { path: '^src/(cli|hooks)/' },
    },
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^bun:' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
