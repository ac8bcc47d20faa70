import { join } from 'node:path';
import type { ClientDriver, Output } from '../driver.ts';
import { ensureInstalled, PLATFORM } from '../install.ts';
import type { Step } from '../model/scene.ts';

/** The document that `--output-format json` prints, and that ends the event stream. */
export interface ClaudeResult {
  readonly type: 'result';
  readonly session_id: string;
  readonly is_error: boolean;
  readonly result: string;
  /** What the main conversation has cost, sub-agents left out. */
  readonly usage: {
    readonly input_tokens: number;
    readonly cache_creation_input_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly output_tokens: number;
  };
}

const NAME = `@anthropic-ai/claude-code-${PLATFORM}`;

/** Claude Code. The platform package is the native binary itself: it needs no newer Node and no install script. */
export const claudeCode: ClientDriver = {
  agent: 'claude-code',
  type: 'Claude Code',
  install: () =>
    ensureInstalled({
      agent: 'claude-code',
      packages: { [NAME]: '2.1.330' },
      command: [join(NAME, process.platform === 'win32' ? 'claude.exe' : 'claude')],
    }),
  files: () => ({}),
  env: ({ temp, url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_TMPDIR: temp,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_INSTALLATION_CHECKS: '1',
    IS_SANDBOX: '1', // without it --dangerously-skip-permissions is refused to root
  }),
  args: ({ prompt, resume, more = [] }) => [
    ...['-p', prompt, '--dangerously-skip-permissions'],
    ...['--output-format', 'stream-json', '--verbose', '--include-hook-events'],
    ...(resume === 'last' ? ['--continue'] : resume === undefined ? [] : ['--resume', resume]),
    ...more,
  ],
  readAnswer(output) {
    const result = readClaudeResult(output);
    return result && { sessionId: result.session_id, text: result.result };
  },
  calls: {
    create: ({ repo }, name, content) => [{ call: 'Write', input: { file_path: join(repo, name), content } }],
    // The client refuses an Edit without a Read before it.
    edit: ({ repo }, name, oldText, newText): readonly Step[] => {
      const file_path = join(repo, name);
      return [
        { call: 'Read', input: { file_path } },
        { call: 'Edit', input: { file_path, old_string: oldText, new_string: newText } },
      ];
    },
    shell: (command) => [{ call: 'Bash', input: { command, description: 'Run it' } }],
  },
};

export function readClaudeResult({ lines }: Pick<Output, 'lines'>): ClaudeResult | undefined {
  return lines.map((line) => JSON.parse(line) as ClaudeResult).findLast(({ type }) => type === 'result');
}
