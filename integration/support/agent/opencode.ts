import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;
interface Message {
  readonly info: Json & { readonly id: string; readonly role: string };
  readonly parts: Json[];
}
type Call = (input: Json, output: Json) => Promise<void>;
/** What a plugin gives to the client. */
interface Plugin {
  readonly event: (input: { event: Json }) => Promise<void>;
  readonly 'chat.message': Call;
  readonly 'tool.execute.before': Call;
  readonly 'tool.execute.after': Call;
  readonly 'experimental.session.compacting': Call;
  readonly 'experimental.chat.messages.transform': Call;
  readonly dispose: () => Promise<void>;
}

/**
 * OpenCode as a plugin sees it: its messages, its events and its calls, in the order of the real client (`_order.txt` of the
 * captured payloads), for a plugin that is loaded from where it was installed.
 */
export class FakeOpenCode {
  readonly sessions = new Map<string, { info: Json; messages: Message[] }>();
  /** How many messages the plugin has asked for. */
  asked = 0;
  plugin: Partial<Plugin> = {};
  private readonly dir: string;
  private count = 0;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** As the client does at its start. Each load is a fresh process, as far as the plugin can tell. */
  async load(file: string): Promise<this> {
    const source = `data:text/javascript,${encodeURIComponent(readFileSync(file, 'utf8'))}#${Math.random()}`;
    const { EntirePlugin } = (await import(/* @vite-ignore */ source)) as {
      EntirePlugin: (context: unknown) => Promise<Partial<Plugin>>;
    };
    const found = (id: string) => this.sessions.get(id);
    const session = {
      get: async ({ path }: { path: { id: string } }) => ({ data: found(path.id)?.info }),
      messages: async ({ path, query }: { path: { id: string }; query: { limit?: number } }) => {
        const all = found(path.id)?.messages ?? [];
        const data = query.limit === undefined ? all : all.slice(-query.limit);
        this.asked += data.length;
        return { data };
      },
      message: async ({ path }: { path: { id: string; messageID: string } }) => {
        this.asked++;
        return { data: found(path.id)?.messages.find(({ info }) => info.id === path.messageID) };
      },
    };
    this.plugin = await EntirePlugin({ client: { session }, directory: this.dir, worktree: this.dir });
    return this;
  }

  begin(id: string, parentID?: string): void {
    const info = { id, ...(parentID ? { parentID } : {}), directory: this.dir, title: 'A session' };
    this.sessions.set(id, { info, messages: [] });
    this.tell('session.created', { sessionID: id, info });
  }

  async prompt(id: string, said: string): Promise<void> {
    const parts = [{ id: `prt_${++this.count}`, type: 'text', text: said }];
    const message = { id: this.newId(), role: 'user', sessionID: id, time: { created: this.count } };
    await this.plugin['chat.message']?.({ sessionID: id }, { message, parts });
    this.add(id, { info: message, parts });
  }

  say(id: string, said: string): void {
    this.answer(id, [{ id: `prt_${++this.count}`, type: 'text', text: said }]);
  }

  /** A tool that writes a file, in a message of its own. */
  async write(id: string, filePath: string, content: string): Promise<void> {
    const args = { filePath, content };
    await this.use(id, 'write', args, { filepath: filePath }, () =>
      writeFileSync(join(this.dir, filePath), content),
    );
  }

  /** A tool that does something between the two calls of the plugin. */
  async use(id: string, tool: string, args: Json, metadata: Json, act: () => unknown): Promise<void> {
    const callID = `call_${++this.count}`;
    await this.plugin['tool.execute.before']?.({ tool, sessionID: id, callID }, { args });
    await act();
    await this.plugin['tool.execute.after']?.(
      { tool, sessionID: id, callID, args },
      { title: '', output: '', metadata },
    );
    const state = { status: 'completed', input: args, output: '', metadata };
    this.answer(id, [{ id: `prt_${++this.count}`, type: 'tool', tool, callID, state }]);
  }

  /** What was said is replaced by a summary, and the conversation goes on behind it. */
  async compact(id: string): Promise<void> {
    await this.plugin['experimental.session.compacting']?.({ sessionID: id }, { context: [] });
    const asked = { id: this.newId(), role: 'user', sessionID: id, time: { created: this.count } };
    this.add(id, { info: asked, parts: [{ id: `prt_${++this.count}`, type: 'compaction', auto: true }] });
    const said = [{ id: `prt_${++this.count}`, type: 'text', text: 'The summary.' }];
    // The call that made it was given what is gone now.
    const tokens = { total: 999, input: 900, output: 99, reasoning: 0, cache: { read: 0, write: 0 } };
    this.answer(id, said, { parentID: asked.id, summary: true, finish: 'stop', tokens });
    this.tell('session.compacted', { sessionID: id });
  }

  /** The texts of the next request of the model: what was said since the last compaction, as the plugin leaves it. */
  async request(id: string): Promise<unknown[]> {
    const all = this.sessions.get(id)?.messages ?? [];
    const from = all.findLastIndex(({ parts }) => parts[0]?.type === 'compaction');
    const messages = all.slice(Math.max(0, from));
    await this.plugin['experimental.chat.messages.transform']?.({}, { messages });
    return messages.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []));
  }

  idle(id: string): void {
    this.tell('session.status', { sessionID: id, status: { type: 'idle' } });
    this.tell('session.idle', { sessionID: id });
  }

  /** Takes back the last message. */
  revert(id: string): void {
    const gone = this.sessions.get(id)?.messages.pop();
    this.tell('message.removed', { sessionID: id, messageID: gone?.info.id });
  }

  exit(): Promise<void> {
    return this.plugin.dispose?.() ?? Promise.resolve();
  }

  tell(type: string, properties: Json): void {
    void this.plugin.event?.({ event: { id: `evt_${++this.count}`, type, properties } });
  }

  private answer(id: string, parts: Json[], more: Json = {}): void {
    const time = { created: ++this.count, completed: this.count };
    const tokens = { total: 12, input: 10, output: 2, reasoning: 0, cache: { read: 0, write: 0 } };
    const path = { cwd: this.dir, root: this.dir };
    const info = { id: this.newId(), role: 'assistant', sessionID: id, time, tokens, path, ...more };
    this.add(id, { info, parts });
  }

  private add(id: string, message: Message): void {
    this.sessions.get(id)?.messages.push(message);
    this.tell('message.updated', { sessionID: id, info: message.info });
    for (const part of message.parts)
      this.tell('message.part.updated', { sessionID: id, part: { ...part, messageID: message.info.id } });
    this.tell('message.updated', { sessionID: id, info: message.info });
  }

  private newId = (): string => `msg_${String(++this.count).padStart(12, '0')}`;
}
