import type { Message } from '../agents/shared/session/message.ts';
import { nowInSeconds } from '../base/clock.ts';
import { EntireError } from '../base/errors.ts';
import { asObject, asText } from '../base/text/json.ts';
import type { Agent } from './agent.ts';
import { RunningTurn } from './cli/running-turn.ts';
import { Context, compactIfLong } from './compact-context.ts';
import type { SessionData } from './session-data.ts';
import type { SessionOptions, TurnOutcome } from './session-options.ts';
import { InMemoryStorage } from './storage/in-memory.ts';
import { requireId, type Storage } from './storage/storage.ts';
import { wordsOf } from './turn-messages.ts';

/**
 * A conversation with an agent, turn by turn; can be kept, gone on with, and forked. One turn runs at a time: others wait.
 *
 * Nothing is stored before {@link save}.
 */
export class Session {
  readonly agent: Agent;
  private readonly options: SessionOptions;
  private readonly storage: Storage;
  private id: string;
  private parent: string | undefined;
  private createdAt: number;
  /** `updated_at` of what the storage has of us; `null` for nothing. */
  private savedAt: number | null = null;
  private current: Context;
  private kept: Readonly<Record<string, unknown>>;
  private running: RunningTurn | undefined;
  private line: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private isLeaving = false;
  private saving: Promise<unknown> = Promise.resolve();

  /** @throws {EntireError} `INVALID_ID`, `BAD_FLAGS` for `autoCompact` without a strategy */
  constructor(agent: Agent, options: SessionOptions = {}) {
    if (options.autoCompact && !options.compaction)
      throw new EntireError('BAD_FLAGS', '`autoCompact` needs a `compaction`.');
    this.agent = agent;
    this.options = options;
    this.storage = options.storage ?? new InMemoryStorage();
    this.id = requireId(options.sessionId ?? crypto.randomUUID());
    this.createdAt = nowInSeconds();
    this.current = new Context(options.system, []);
    this.kept = { ...options.metadata };
    options.tree?.add(this.id);
  }

  get sessionId(): string {
    return this.id;
  }

  /** The session that this one was forked from. */
  get parentId(): string | undefined {
    return this.parent;
  }

  /** The conversation, without the system prompt. */
  get messages(): readonly Message[] {
    return this.current.messages;
  }

  get context(): Context {
    return this.current;
  }

  /** What is kept with the session beside its messages; never changed in place. */
  get metadata(): Readonly<Record<string, unknown>> {
    return this.kept;
  }

  set metadata(metadata: Readonly<Record<string, unknown>>) {
    this.kept = metadata;
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /**
   * Says something and has the agent answer; waits for turns that were asked for before.
   *
   * @throws {EntireError} why the turn failed: `AGENT_FAILED`, `AGENT_TIMED_OUT`, or what an agent of your own throws. What was said
   * until then stays in the conversation, its last message marked
   */
  chat(message: string): Promise<TurnOutcome> {
    this.waiting += 1;
    const turn = this.line.then(() => this.takeTurn(message));
    this.line = turn.catch(() => {}); // whoever asked for it hears of it
    return turn;
  }

  /** Has a message be said when the current turn is over; the answer may be waited for, and need not be. */
  queue(message: string): Promise<TurnOutcome> {
    const turn = this.chat(message);
    turn.catch(() => {}); // nobody has to listen
    return turn;
  }

  /** Waits until no turn is running and none waits. Never rejects. */
  async idle(): Promise<void> {
    for (let line: Promise<unknown> | undefined; line !== this.line; ) {
      line = this.line;
      await line;
    }
  }

  /**
   * Says something into the running turn, which goes on with it in mind.
   *
   * @returns false when no turn is running, or it cannot hear: then it is queued
   */
  steer(message: string): boolean {
    if (this.running?.steer(message)) return true;
    void this.queue(message);
    return false;
  }

  /** Has the running turn end early; those that wait for it are not cancelled. Does nothing when none is running. */
  cancel(): void {
    this.running?.token.cancel();
  }

  /** Has the running turn end early, and those that wait before their agent hears of them: their words are kept. */
  async cancelAll(): Promise<void> {
    this.isLeaving = true;
    this.cancel();
    await this.idle();
    this.isLeaving = false;
  }

  /**
   * A session of its own that has the same conversation up to here.
   *
   * @param branch its name in the tree; without one it has none, whatever this session is called
   * @throws {EntireError} `SESSION_BUSY` while a turn is running; `INVALID_ID` for an empty name; what the agent throws
   */
  async fork(options: { readonly sessionId?: string; readonly branch?: string } = {}): Promise<Session> {
    this.requireRest('forked');
    if (options.branch?.trim() === '') throw new EntireError('INVALID_ID', 'a branch needs a name.');
    const { agent_memory, branch: _, ...metadata } = structuredClone(this.kept);
    const context = this.current.copy(); // a turn may begin while the agent copies what it keeps
    const memory = await this.agent.fork?.(asObject(agent_memory), this.options.env);
    const { sessionId = crypto.randomUUID(), branch } = options;
    const { tree, ...others } = this.options;
    const fork = new Session(this.agent, { ...others, storage: this.storage, sessionId });
    fork.parent = this.id;
    fork.current = context;
    fork.kept = { ...metadata, ...(branch === undefined ? {} : { branch }) };
    if (memory) fork.kept = { ...fork.kept, agent_memory: memory };
    return fork.joining(tree, branch);
  }

  /**
   * Keeps the session as it is now. A turn that is running is kept as far as it has come, and marked as `unfinished`: that is all of
   * it when this process is killed, and the next save says how it went on.
   *
   * @throws {EntireError} `SESSION_MOVED` when another process has saved it since this one read or saved it; what
   * {@link Storage.save} throws
   */
  save(): Promise<void> {
    const saved = this.saving.then(async () => {
      const data = this.toData();
      await this.storage.save(this.id, data, this.savedAt);
      this.savedAt = data.updated_at;
    });
    this.saving = saved.catch(() => {}); // whoever asked for it hears of it
    return saved;
  }

  /**
   * Goes on with a stored session.
   *
   * @throws {EntireError} `NOT_FOUND`; what {@link Storage.load} throws
   */
  static async resume(
    sessionId: string,
    agent: Agent,
    storage: Storage,
    options: Omit<SessionOptions, 'storage' | 'sessionId' | 'system'> = {},
  ): Promise<Session> {
    const session = new Session(agent, { ...options, storage, sessionId });
    await session.take(sessionId);
    session.kept = { ...session.kept, ...options.metadata };
    return session.joining(options.tree);
  }

  /** A session that is not stored yet, as `data` has it: one that came from elsewhere. @throws {EntireError} `INVALID_ID` */
  static from(
    data: SessionData,
    agent: Agent,
    options: Omit<SessionOptions, 'sessionId' | 'system'> = {},
  ): Session {
    const session = new Session(agent, { ...options, sessionId: data.session_id });
    session.become({ ...data, metadata: { ...data.metadata, ...options.metadata } });
    return session.joining(options.tree);
  }

  /**
   * Makes this session another one of its tree: what it is now is saved, and the other one is read.
   *
   * @param word its id, or the name of its branch
   * @throws {EntireError} `NOT_FOUND`; `SESSION_BUSY` while a turn is running; what {@link save} throws
   */
  async switchBranch(word: string): Promise<void> {
    this.requireRest('switched');
    const { tree } = this.options;
    const sessionId = tree?.find(word);
    if (!tree || sessionId === undefined)
      throw new EntireError('NOT_FOUND', `no session or branch of this tree: ${word}`);
    const switched = this.line.then(async () => {
      if (sessionId === this.id) return;
      await this.save();
      await this.take(sessionId);
    });
    this.line = switched.catch(() => {}); // turns that are asked for meanwhile are said there
    await switched;
    tree.switchTo(sessionId);
  }

  /** The session as it is stored. */
  toData(): SessionData {
    // Later than what is stored, whatever the clock says: that is how others see that it has changed.
    const updated = Math.max(nowInSeconds(), (this.savedAt ?? 0) + 0.001);
    return structuredClone({
      session_id: this.id,
      messages: [...this.current.messages, ...(this.running?.soFar() ?? [])],
      system: this.current.system ?? null,
      parent_id: this.parent ?? null,
      created_at: this.createdAt,
      updated_at: updated,
      metadata: this.kept,
    });
  }

  private async take(sessionId: string): Promise<void> {
    const data = await this.storage.load(sessionId);
    if (!data) throw new EntireError('NOT_FOUND', `no session is kept under ${sessionId}.`);
    this.become(data);
    this.savedAt = data.updated_at;
  }

  private become(data: SessionData): void {
    this.id = data.session_id;
    this.parent = data.parent_id ?? undefined;
    this.createdAt = data.created_at;
    this.current = new Context(data.system ?? undefined, data.messages);
    this.kept = data.metadata;
  }

  private joining(tree: SessionOptions['tree'], branch?: string): this {
    const { id, parent } = this;
    tree?.add(id, parent, branch);
    return this;
  }

  private async takeTurn(message: string): Promise<TurnOutcome> {
    this.waiting -= 1;
    const { agent, options, current } = this;
    const before = current.messages;
    const said: Message = { role: 'user', content: message, timestamp: nowInSeconds() };
    current.messages = [...before, said];
    const isOurs = asText(this.kept.agent) === agent.name;
    this.kept = { ...this.kept, agent: agent.name, ...(isOurs ? {} : { agent_memory: {} }) };
    const turn = new RunningTurn(agent, options.onEvent ?? (() => {}));
    this.running = turn;
    if (this.isLeaving) turn.token.cancel();
    const { messages, stopped, failure, unheard } = await turn.run({
      message,
      messages: before,
      system: current.system,
      sessionId: this.id,
      env: options.env,
      memory: asObject(this.kept.agent_memory),
      remember: (memory) => {
        this.kept = { ...this.kept, agent_memory: memory };
      },
    });
    this.running = undefined;
    current.messages = [...before, said, ...messages];
    for (const text of unheard) void this.queue(text);
    const files = failure === undefined ? await compactIfLong(current, options, this.kept.files) : undefined;
    if (files) this.kept = { ...this.kept, files };
    const outcome = { text: wordsOf(messages), messages: [said, ...messages], stopped };
    options.onTurn?.({ ...outcome, failure });
    if (failure !== undefined) throw failure;
    return outcome;
  }

  private requireRest(what: string): void {
    if (!this.running && this.waiting === 0) return;
    throw new EntireError('SESSION_BUSY', `a session in the middle of a turn cannot be ${what}.`, {
      hint: 'Wait for the turn, or cancel it.',
    });
  }
}
