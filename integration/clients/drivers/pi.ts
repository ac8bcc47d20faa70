import { join } from 'node:path';
import type { ClientDriver } from '../driver.ts';
import { ensureInstalled } from '../install.ts';

interface Event {
  readonly type: string;
  /** On the header, which comes first. */
  readonly id?: string;
  readonly message?: {
    readonly role: string;
    readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  };
}

const models = (url: string) => ({
  providers: {
    mock: {
      baseUrl: `${url}/v1`,
      api: 'openai-completions',
      apiKey: 'dummy',
      models: [{ id: 'mock-model', name: 'Mock', contextWindow: 128_000, maxTokens: 8_000 }],
    },
  },
});

/** Pi. */
export const pi: ClientDriver = {
  agent: 'pi',
  type: 'Pi',
  install: () =>
    ensureInstalled({
      agent: 'pi',
      packages: { '@mariozechner/pi-coding-agent': '0.73.1' },
      command: ['.bin/pi'],
    }),
  files: ({ home, url }) => ({ [join(home, '.pi/agent/models.json')]: JSON.stringify(models(url)) }),
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
  args: ({ prompt, resume, more = [] }) => [
    ...['--provider', 'mock', '--model', 'mock-model', '--mode', 'json'],
    ...(resume === 'last' ? ['--continue'] : resume === undefined ? [] : ['--session', resume]),
    ...more,
    ...['-p', prompt],
  ],
  readAnswer({ lines }) {
    const events = lines.map((line) => JSON.parse(line) as Event);
    const said = events.findLast(
      ({ type, message }) => type === 'message_end' && message?.role === 'assistant',
    );
    const content = said?.message?.content ?? '';
    return {
      sessionId: events.find(({ type }) => type === 'session')?.id,
      text: typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''),
    };
  },
  calls: {
    create: (_, path, content) => [{ call: 'write', input: { path, content } }],
    edit: (_, path, oldText, newText) => [{ call: 'edit', input: { path, edits: [{ oldText, newText }] } }],
    shell: (command) => [{ call: 'bash', input: { command } }],
  },
};
