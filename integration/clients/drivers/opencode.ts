import { join } from 'node:path';
import type { ClientDriver } from '../driver.ts';
import { ensureInstalled, PLATFORM } from '../install.ts';

interface Event {
  readonly type: string;
  readonly sessionID?: string;
  readonly part?: { readonly text?: string };
}

const NAME = `opencode-${PLATFORM}`;

const config = (url: string) => ({
  $schema: 'https://opencode.ai/config.json',
  model: 'mock/mock-model',
  autoupdate: false,
  share: 'disabled',
  provider: {
    mock: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Mock',
      options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
      models: {
        'mock-model': { name: 'Mock', tool_call: true, limit: { context: 128_000, output: 8_000 } },
      },
    },
  },
});

/** OpenCode. The platform package is the native binary itself. */
export const opencode: ClientDriver = {
  agent: 'opencode',
  type: 'OpenCode',
  install: () =>
    ensureInstalled({
      agent: 'opencode',
      packages: { [NAME]: '1.18.33' },
      command: [`${NAME}/bin/opencode`],
    }),
  files: ({ home, url }) => ({ [join(home, 'opencode.json')]: JSON.stringify(config(url)) }),
  env: ({ home }) => ({
    OPENCODE_CONFIG: join(home, 'opencode.json'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  }),
  args: ({ prompt, resume, more = [] }) => [
    ...['run', '--format', 'json', '--auto'],
    ...(resume === 'last' ? ['--continue'] : resume === undefined ? [] : ['--session', resume]),
    ...more,
    prompt,
  ],
  readAnswer({ lines }) {
    const events = lines.map((line) => JSON.parse(line) as Event);
    const said = events.findLast(({ type }) => type === 'text');
    return { sessionId: events.find(({ sessionID }) => sessionID)?.sessionID, text: said?.part?.text ?? '' };
  },
  calls: {
    create: ({ repo }, name, content) => [{ call: 'write', input: { filePath: join(repo, name), content } }],
    // The client refuses an edit of a file that the model has not read.
    edit: ({ repo }, name, oldString, newString) => {
      const filePath = join(repo, name);
      return [
        { call: 'read', input: { filePath } },
        { call: 'edit', input: { filePath, oldString, newString } },
      ];
    },
    shell: (command) => [{ call: 'bash', input: { command, description: 'Run it' } }],
  },
};
