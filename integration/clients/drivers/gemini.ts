import { join } from 'node:path';
import type { ClientDriver } from '../driver.ts';
import { ensureInstalled } from '../install.ts';

/** Gemini CLI. */
export const gemini: ClientDriver = {
  agent: 'gemini',
  type: 'Gemini CLI',
  install: () =>
    ensureInstalled({
      agent: 'gemini',
      packages: { '@google/gemini-cli': '0.61.0' },
      command: ['.bin/gemini'],
    }),
  files: ({ home }) => ({
    [join(home, '.gemini/settings.json')]: JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  }),
  env: ({ url }) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  args: ({ prompt, resume, more = [] }) => [
    ...['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-o', 'json'],
    ...(resume === undefined ? [] : ['--resume', resume === 'last' ? 'latest' : resume]),
    ...more,
    ...['-p', prompt],
  ],
  readAnswer({ lines }) {
    const { session_id, response } = JSON.parse(lines.slice(lines.indexOf('{')).join('\n')) as {
      readonly session_id?: string;
      readonly response: string;
    };
    return { sessionId: session_id, text: response };
  },
  calls: {
    create: ({ repo }, name, content) => [
      { call: 'write_file', input: { file_path: join(repo, name), content } },
    ],
    edit: ({ repo }, name, old_string, new_string) => [
      {
        call: 'replace',
        input: { file_path: join(repo, name), old_string, new_string, instruction: 'Change it' },
      },
    ],
    shell: (command) => [{ call: 'run_shell_command', input: { command, description: 'Run it' } }],
  },
  commitsWithoutHooks: true,
};
