import { describe, expect, test } from 'vitest';
import { AGENT_NAMES, transcriptsOf } from '../../../../integration/support/agent/agent-fixtures.ts';
import { formatOf, transcriptFormatOf } from '../../registry.ts';

const account = '"type": "service_account", "project_id": "p", "private_key": "-----BEGIN"';

/** What lies in people's homes, and no agent has written. */
const OTHERS: Readonly<Record<string, string>> = {
  'a list of users': 'root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000::/home/ada:/bin/sh\n',
  'a private key': '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n',
  'credentials of a cloud': '[default]\naws_access_key_id = AKIA\naws_secret_access_key = x\n',
  'an environment': 'API_KEY=abc\nDATABASE_URL=postgres://u:p@h/d\n',
  'a manifest': '{\n  "name": "x",\n  "type": "module",\n  "version": "1.0.0"\n}\n',
  'a manifest on one line': '{"name":"x","type":"module","version":"1.0.0"}\n',
  'a service account': `{\n  ${account}\n}\n`,
  'a service account on one line': `{${account}}`,
  'tokens of a client': '{"claudeAiOauth":{"accessToken":"a","refreshToken":"b"}}',
  'tokens of a client, cut': `{"claudeAiOauth":{"accessToken":"${'a'.repeat(70_000)}`,
  'a login': '{"auths":{"https://index.docker.io/v1/":{"auth":"YWRh"}}}',
  'a log': '{"level":30,"time":1700000000000,"pid":1,"msg":"hello","id":7}\n',
  'a list': '[{"user":"ada","password":"x"}]\n',
  'a table': 'name,password\nada,x\n',
  'a program': '\u007fELF\u0002\u0001\u0001\0\0\0',
  'a shell’s history': 'export TOKEN=abc\nls\n',
};

describe.each(AGENT_NAMES)('%s', (agent) => {
  const { looksLike } = formatOf(agent);
  const transcripts = [...transcriptsOf(agent)].filter(([path]) => !path.endsWith('.settings.json'));
  const agentsOwn = transcripts.filter(([path]) => !path.endsWith('.meta.json'));

  test('what it has written looks like one of its transcripts, whole and however it is cut', () => {
    expect(agentsOwn.length).toBeGreaterThan(0);
    for (const [path, text] of agentsOwn) {
      expect(looksLike(text.slice(0, 8192)), path).toBe(true);
      expect(looksLike(`\ufeff${text}`), path).toBe(true);
      expect(looksLike(`\0\0\0\n${text}`), path).toBe(true);
      for (let end = 0; end < Math.min(text.length, 600); end += 7)
        expect(looksLike(text.slice(0, end)), `${path} cut at ${end}`).toBe(true);
    }
  });

  test('so does one that is empty, and one whose first line is torn', () => {
    expect(['', '\n', '  \n\n', '\0'.repeat(100)].map(looksLike)).toEqual([true, true, true, true]);
    for (const [path, text] of agentsOwn.filter(([name]) => name.endsWith('.jsonl')))
      expect(looksLike(text.slice(20)), path).toBe(true);
  });

  test.each(Object.entries(OTHERS))('%s does not', (_, text) => {
    expect(looksLike(text.slice(0, 64 * 1024))).toBe(false);
  });
});

test('of an agent that is not built in nobody knows how it writes, but it is a text', () => {
  const { looksLike } = transcriptFormatOf('Somebody’s agent');
  expect(looksLike('# A chat\n')).toBe(true);
  expect(looksLike(OTHERS['a program'] as string)).toBe(false);
});
