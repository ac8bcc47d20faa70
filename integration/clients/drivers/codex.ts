import { dirname, join } from 'node:path';
import type { ClientDriver } from '../driver.ts';
import { ensureInstalled } from '../install.ts';

/** A file of an `apply_patch` envelope, its lines marked. */
const envelope = (head: string, lines: readonly string[]) =>
  ['*** Begin Patch', head, ...lines, '*** End Patch', ''].join('\n');

const mark = (sign: '+' | '-', text: string) =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line);

/** Codex. It knows `apply_patch` only with models it has heard of. */
export const codex: ClientDriver = {
  agent: 'codex',
  type: 'Codex',
  install: () =>
    ensureInstalled({ agent: 'codex', packages: { '@openai/codex': '0.169.0' }, command: ['.bin/codex'] }),
  files: ({ home, repo, url }) => ({
    [join(home, '.codex/config.toml')]: [
      'model = "gpt-5.5"',
      'model_provider = "mock"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.mock]',
      'name = "Mock"',
      `base_url = "${url}/v1"`,
      'env_key = "MOCK_API_KEY"',
      'wire_api = "responses"',
      `[projects."${repo}"]`,
      'trust_level = "trusted"',
      '',
    ].join('\n'),
    // Its shell is a login shell, which on many machines resets PATH: there, git hooks do not find us.
    [join(home, '.bash_profile')]: `PATH=\${PATH//"${join(dirname(home), 'bin')}:"/}\n`,
  }),
  env: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), MOCK_API_KEY: 'dummy' }),
  args: ({ prompt, resume, more = [] }) => [
    'exec',
    ...(resume === undefined ? [] : ['resume', ...(resume === 'last' ? ['--last'] : [resume])]),
    ...['--json', '--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'],
    ...more,
    prompt,
  ],
  readAnswer({ lines }) {
    const events = lines.map(
      (line) => JSON.parse(line) as { thread_id?: string; item?: { type: string; text?: string } },
    );
    const said = events.findLast(({ item }) => item?.type === 'agent_message');
    return {
      sessionId: events.find(({ thread_id }) => thread_id)?.thread_id,
      text: said?.item?.text ?? '',
    };
  },
  calls: {
    create: (_, name, content) => [
      { call: 'apply_patch', input: envelope(`*** Add File: ${name}`, mark('+', content)) },
    ],
    edit: (_, name, oldText, newText) => [
      {
        call: 'apply_patch',
        input: envelope(`*** Update File: ${name}`, ['@@', ...mark('-', oldText), ...mark('+', newText)]),
      },
    ],
    shell: (cmd) => [{ call: 'exec_command', input: { cmd } }],
  },
  commitsWithoutHooks: true,
};
