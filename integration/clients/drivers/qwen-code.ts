import { join } from 'node:path';
import type { ClientDriver } from '../driver.ts';
import { ensureInstalled, PLATFORM } from '../install.ts';

const NODE = `node-${PLATFORM}`;

/** Qwen Code. It needs a Node of its own. */
export const qwenCode: ClientDriver = {
  agent: 'qwen-code',
  type: 'Qwen Code',
  install: () =>
    ensureInstalled({
      agent: 'qwen-code',
      packages: { '@qwen-code/qwen-code': '0.24.4', [NODE]: '22.23.3' },
      command: [`${NODE}/bin/node`, '.bin/qwen'],
    }),
  files: ({ home }) => ({
    [join(home, '.qwen/settings.json')]: JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  }),
  env: ({ url }) => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'mock-model' }),
  args: ({ prompt, resume, more = [] }) => [
    ...['--yolo', '--auth-type', 'openai', '--output-format', 'json'],
    ...(resume === 'last' ? ['--continue'] : resume === undefined ? [] : ['--resume', resume]),
    ...more,
    ...['-p', prompt],
  ],
  readAnswer({ lines }) {
    const events = JSON.parse(lines.slice(lines.findIndex((line) => line.startsWith('['))).join('\n')) as {
      readonly type: string;
      readonly session_id: string;
      readonly result?: string;
    }[];
    const result = events.findLast(({ type }) => type === 'result');
    return result && { sessionId: result.session_id, text: result.result ?? '' };
  },
  calls: {
    create: ({ repo }, name, content) => [
      { call: 'write_file', input: { file_path: join(repo, name), content } },
    ],
    // The client refuses an edit of a file that the model has not read.
    edit: ({ repo }, name, old_string, new_string) => {
      const file_path = join(repo, name);
      return [
        { call: 'read_file', input: { file_path } },
        { call: 'edit', input: { file_path, old_string, new_string } },
      ];
    },
    shell: (command) => [
      { call: 'run_shell_command', input: { command, description: 'Run it', is_background: false } },
    ],
  },
};
