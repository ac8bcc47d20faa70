import { expect, test } from 'vitest';
import { redactTranscript } from '../redact.ts';

const called = (command: string) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command } }] },
});
const printed = (stdout: string) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: stdout }] },
  toolUseResult: { stdout, stderr: '', interrupted: false },
});
const codex = (output: string) => ({
  type: 'response_item',
  payload: { type: 'function_call_output', output: `Exit code: 0\nWall time: 0 seconds\nOutput:\n${output}` },
});
const redacted = async (...records: unknown[]) =>
  (await redactTranscript(records.map((record) => `${JSON.stringify(record)}\n`).join(''), [])).text;

test.each([
  'printenv DB_PASSWORD',
  'cd /srv && echo "$DEPLOY_TOKEN"',
  'cat /run/secrets/db_password',
  'vault kv get -field=password secret/app',
  'op read op://prod/db/password',
  'pass show mail/ada',
  "kubectl -n prod get secret db -o jsonpath='{.data.password}' | base64 -d",
  'aws secretsmanager get-secret-value --secret-id db --query SecretString --output text',
  'terraform output -raw db_password',
])('what %j printed is found in the record behind it', async (command) => {
  const secret = 'Tiger-88!x';
  expect(await redacted(called(command), printed(`${secret}\n`))).not.toContain(secret);
  expect(await redacted(called(command), codex(`${secret}\n`))).not.toContain(secret);
});

test.each([
  ['ls /run/secrets', 'db_password1'],
  ['cat package.json', 'tiger-88x9'],
  ['git rev-parse --abbrev-ref HEAD', 'feature-88x9'],
  ['kubectl get secret db', 'db-88x9q'],
  ['printenv DB_PASSWORD', ''],
  ['printenv DB_PASSWORD', 'not set'],
  ['cat /run/secrets/db_password', '/run/secrets/db2'],
  ['vault kv get -field=password secret/app', 'Error: 403'],
])('%j and %j stay', async (command, output) => {
  const records = [called(command), printed(output)];
  expect(await redacted(...records)).toBe(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
});

test('what a later command printed stays', async () => {
  const text = await redacted(called('printenv DB_PASSWORD'), printed('not set'), printed('Tiger-88!x'));
  expect(text).not.toContain('REDACTED');
});
