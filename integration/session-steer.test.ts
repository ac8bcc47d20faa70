/** What is said into a turn of an agent that joins messages, or never says that it has heard one. Nothing hangs, nothing is said twice. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CliAgent } from '../src/conversation/cli-agent.ts';
import { Session } from '../src/conversation/session.ts';

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
  if (type !== 'user') return;
  told.push(message.content);
  if (told.length === 1) answer(told[0]);
  if (told.length !== ${messages}) return;
  end();
  const words = told.slice(1).filter((said) => !said.startsWith('/')).join('\\n');
  if (words !== '') answer(words);
  end();
});`;

const talk = async (code: string, ...late: readonly string[]) => {
  const script = join(folder, 'agent.cjs');
  writeFileSync(script, code);
  const agent = new CliAgent('claude-code', { command: [process.execPath, script], silenceMs: 60_000 });
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
  const { stopped, session } = await talk(joining(2), '/cost');
  expect(stopped).toBeUndefined();
  expect(session.messages.map(({ content }) => content)).toEqual(['hello', 'HELLO', '/cost']);
  expect(session.isRunning).toBe(true);
  session.cancel();
  await session.idle();
}, 50_000);
