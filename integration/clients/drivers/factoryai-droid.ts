import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Answer, ClientDriver } from '../driver.ts';
import { ensureInstalled, PLATFORM } from '../install.ts';

const NAME = `@factory/cli-${PLATFORM}`;
const MODEL = 'custom:Mock-Claude-0';

const settings = (url: string) => ({
  customModels: [
    {
      model: 'mock-claude',
      displayName: 'Mock Claude',
      baseUrl: url,
      apiKey: 'dummy',
      provider: 'anthropic',
    },
  ],
  cloudSessionSync: false,
});

/** Factory droid, over JSON-RPC: without a login, only so it can go on with a session. */
export const factoryaiDroid: ClientDriver = {
  agent: 'factoryai-droid',
  type: 'Factory AI Droid',
  install: () => {
    const installed = ensureInstalled({
      agent: 'factoryai-droid',
      packages: { [NAME]: '0.225.2' },
      command: [`${NAME}/bin/droid`],
    });
    if ('reason' in installed) return installed;
    return {
      command: [process.execPath, resolve(import.meta.dirname, 'droid-turn.mjs'), ...installed.command],
    };
  },
  files: ({ home, url }) => ({ [join(home, '.factory/settings.json')]: JSON.stringify(settings(url)) }),
  env: () => ({ FACTORY_API_KEY: 'fk-dummy', FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' }),
  args: ({ prompt, resume = '', more = [] }, { home }) => [
    resume === 'last' ? findLastSession(home) : resume,
    prompt,
    ...more,
  ],
  readAnswer({ lines }) {
    const { sessionId, text } = JSON.parse(lines.at(-1) ?? '{}') as Answer;
    return { sessionId, text };
  },
  calls: {
    create: ({ repo }, name, content) => [
      { call: 'Create', input: { file_path: join(repo, name), content } },
    ],
    edit: ({ repo }, name, old_str, new_str) => {
      const file_path = join(repo, name);
      return [
        { call: 'Read', input: { file_path } },
        { call: 'Edit', input: { file_path, old_str, new_str } },
      ];
    },
    // The client refuses a commit in a command that stages something, too.
    shell: (line) =>
      line.split(' && ').map((command) => ({
        call: 'Execute',
        input: { command, summary: 'Run it', riskLevel: 'medium', riskLevelReason: 'Local' },
      })),
  },
};

/** The same as `droid exec`, which tells no hook of its prompt. What goes on with a session is said over JSON-RPC. */
export const factoryaiDroidExec: ClientDriver = {
  ...factoryaiDroid,
  args: (turn, place) =>
    turn.resume === undefined
      ? ['exec', turn.prompt, '--model', MODEL, '--output-format', 'json', ...(turn.more ?? [])]
      : factoryaiDroid.args(turn, place),
  readAnswer(output) {
    const said = JSON.parse(output.lines.at(-1) ?? '{}') as {
      readonly session_id?: string;
      readonly result?: string;
    };
    return said.result === undefined
      ? factoryaiDroid.readAnswer(output)
      : { sessionId: said.session_id, text: said.result };
  },
};

function findLastSession(home: string): string {
  const dir = join(home, '.factory/sessions');
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const [last = ''] = files.sort((a, b) => statSync(join(dir, b)).mtimeMs - statSync(join(dir, a)).mtimeMs);
  return basename(last, '.jsonl');
}
