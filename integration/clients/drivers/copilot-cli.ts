import { join } from 'node:path';
import type { ClientDriver } from '../driver.ts';
import { ensureInstalled } from '../install.ts';

interface Event {
  readonly type: string;
  readonly sessionId?: string;
  readonly data?: { readonly content?: string; readonly sessionId?: string };
}

/** Copilot CLI. */
export const copilotCli: ClientDriver = {
  agent: 'copilot-cli',
  type: 'Copilot CLI',
  install: () =>
    ensureInstalled({
      agent: 'copilot-cli',
      packages: { '@github/copilot': '1.0.102' },
      command: ['.bin/copilot'],
    }),
  files: () => ({}),
  env: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_PROVIDER_WIRE_API: 'completions',
    COPILOT_MODEL: 'mock-model',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_ALLOW_ALL: 'true', // the hooks of a resumed session run only with it
  }),
  args: ({ prompt, resume, more = [] }) => [
    ...['--allow-all-tools', '--allow-all-paths', '--disable-builtin-mcps', '--output-format', 'json'],
    ...(resume === undefined
      ? ['--trust-folder']
      : resume === 'last'
        ? ['--continue']
        : [`--resume=${resume}`]),
    ...more,
    ...['-p', prompt],
  ],
  readAnswer({ lines }) {
    const events = lines.map((line) => JSON.parse(line) as Event);
    const said = events.findLast(({ type, data }) => type === 'assistant.message' && data?.content);
    const sessionId = events.map(({ sessionId, data }) => sessionId ?? data?.sessionId).find(Boolean);
    return { sessionId, text: said?.data?.content ?? '' };
  },
  calls: {
    create: ({ repo }, name, file_text) => [{ call: 'create', input: { path: join(repo, name), file_text } }],
    edit: ({ repo }, name, old_str, new_str) => [
      { call: 'edit', input: { path: join(repo, name), old_str, new_str } },
    ],
    shell: (command) => [{ call: 'bash', input: { command, description: 'Run it' } }],
  },
};
