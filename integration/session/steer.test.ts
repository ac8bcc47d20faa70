/** What is said into a turn of an agent that joins messages, or never says that it has heard one. Nothing hangs, nothing is said twice. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CancellationToken } from '../../src/conversation/agent.ts';
import { CliAgent } from '../../src/conversation/cli/agent.ts';
import { Session } from '../../src/conversation/session.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entire-steer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Ends its first answer when it has been told so many messages, and answers all of them at once then. As Claude Code 2.1.330 does. */
const joining = (messages: number): string => `
const out = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const answer = (said) => {
  out({ type: 'user', isReplay: true, message: { role: 'user', content: said } });
  out({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: said.toUpperCase() }] } });
};
const end = () => out({ type: 'result', session_id: 's', usage: {} });
const told = [];
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, message } = JSON.parse(line);
  if (type === 'control_request') process.exit();
  if (type !== 'user') return;
  told.push(message.content);
  if (told.length === 1) answer(told[0]);
  if (told.length !== ${messages}) return;
  end();
  const words = told.slice(1).filter((said) => !said.startsWith('/')).join('\\n');
  if (words !== '') answer(words);
  end();
});`;

/** As long as such a turn has to be quiet here; everywhere else it is 20 seconds. */
const HEARING_MS = 700;

/** An agent that runs this. */
function start(code: string, silenceMs = 60_000): CliAgent {
  const script = join(folder, 'agent.cjs');
  writeFileSync(script, code);
  const command = [process.execPath, script] as const;
  return new CliAgent('claude-code', { command, silenceMs, hearingMs: HEARING_MS });
}

const talk = async (code: string, ...late: readonly string[]) => {
  const agent = start(code);
  let isSaid = false;
  const session: Session = new Session(agent, {
    env: { cwd: folder },
    onEvent: ({ type }) => {
      if (type !== 'text' || isSaid) return;
      isSaid = true;
      for (const message of late) session.steer(message);
    },
  });
  const { stopped } = await session.chat('hello');
  return { stopped, session };
};

test('messages that the agent joins to one are heard, each of them', async () => {
  const { stopped, session } = await talk(joining(3), 'and more ', 'again');
  await session.idle();
  expect(stopped).toBeUndefined();
  expect(session.messages.map(({ content }) => content)).toEqual([
    ...['hello', 'HELLO', 'and more ', 'again', 'AND MORE \nAGAIN'],
  ]);
});

test('a message that is never said to be heard keeps nobody for ever, and is said again', async () => {
  const begun = performance.now();
  const { stopped, session } = await talk(joining(2), '/cost');
  expect(performance.now() - begun).toBeGreaterThanOrEqual(HEARING_MS); // it might still have been heard
  expect(stopped).toBeUndefined();
  expect(session.messages.map(({ content }) => content)).toEqual(['hello', 'HELLO', '/cost']);
  expect(session.isRunning).toBe(true);
  session.cancel();
  await session.idle();
});

test('a line without an end fails the turn, and what came before it stays', async () => {
  const said = { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'begun' }] } };
  const agent = start(`
    console.log(${JSON.stringify(JSON.stringify(said))});
    const more = () => process.stdout.write('x'.repeat(1_000_000), more);
    more();`);
  const session = new Session(agent, { env: { cwd: folder } });
  await expect(session.chat('hello')).rejects.toMatchObject({
    code: 'AGENT_FAILED',
    message: 'Claude Code printed a line of more than 67,108,864 characters, and was stopped.',
  });
  expect(session.messages.at(-1)).toMatchObject({ content: 'begun', stopped: 'failed' });
});

test('who takes their time over what an agent says does not make it a silent one', async () => {
  const agent = start(joining(1), 1_000);
  const turn = { message: 'hello', messages: [], system: undefined, sessionId: 's', memory: {} };
  const heard: string[] = [];
  const events = agent.run({
    ...{ ...turn, env: { cwd: folder }, token: new CancellationToken() },
    ...{ remember: () => {}, onSteer: () => {} },
  });
  for await (const { type } of events) {
    heard.push(type);
    if (type === 'text') await new Promise((fulfil) => setTimeout(fulfil, 2_500));
  }
  expect(heard).toContain('usage'); // the end of the turn, which would not have come
});
