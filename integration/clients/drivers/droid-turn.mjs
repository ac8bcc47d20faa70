/**
 * Plays one turn of droid over JSON-RPC on its stdin and stdout: `droid exec -s` wants a login, this does not.
 * Arguments: the executable, the session to go on with or nothing, the prompt, and more arguments for droid. Prints
 * the messages of droid as they come, and an answer at the end. With `exec` in the place of a session, `droid exec` as it is.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [program, sessionId, text, ...more] = process.argv.slice(2);
if (sessionId === 'exec') {
  const child = spawn(program, ['exec', '--auto', 'high', ...more, text], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.on('SIGTERM', () => child.kill('SIGKILL'));
  process.exit(await new Promise((resolve) => child.on('close', resolve)));
}
const format = ['--input-format', 'stream-jsonrpc', '--output-format', 'stream-jsonrpc'];
const droid = spawn(program, ['exec', ...format, '--auto', 'high', ...more], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const exited = new Promise((resolve) => droid.on('close', resolve));
process.on('SIGTERM', () => droid.kill('SIGKILL'));
const envelope = { jsonrpc: '2.0', factoryApiVersion: '1.0.0', factoryProtocolVersion: '1.0.0' };
const send = (message) => droid.stdin.write(`${JSON.stringify({ ...envelope, ...message })}\n`);
const waiting = new Map();
let said = '';
let endTurn = () => {};
const turnEnd = new Promise((resolve) => {
  endTurn = resolve;
});

createInterface({ input: droid.stdout }).on('line', (line) => {
  console.log(line);
  const { type, id, result, error, params } = JSON.parse(line);
  if (type === 'response') waiting.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
  if (type === 'request') send({ type: 'response', id, result: { selectedOption: 'proceed_once' } });
  const { notification } = params ?? {};
  if (notification?.type === 'create_message' && notification.message?.role === 'assistant') {
    said = notification.message.content.map((block) => block.text ?? '').join('') || said;
  }
  if (notification?.type === 'agent_turn_completed') endTurn();
});

let count = 0;
const call = (method, params) =>
  new Promise((resolve) => {
    count += 1;
    waiting.set(String(count), resolve);
    send({ type: 'request', id: String(count), method, params });
  });

const model = { modelId: 'custom:Mock-Claude-0', autonomyLevel: 'high', autonomyMode: 'auto-high' };
const begun = sessionId
  ? await call('droid.load_session', { sessionId })
  : await call('droid.initialize_session', { machineId: 'mock', cwd: process.cwd(), ...model });
// Where that is asked for, another session begins, with a summary of this one.
const compacted = text === '/compact' ? await call('droid.compact_session', {}) : undefined;
if (!compacted) {
  await call('droid.add_user_message', { text });
  await Promise.race([turnEnd, exited]);
}
await call('droid.close_session', {});
droid.stdin.end();
process.exitCode = await exited;
const answered = compacted?.newSessionId || sessionId || begun.sessionId;
console.log(JSON.stringify({ type: 'answer', sessionId: answered, text: said }));
