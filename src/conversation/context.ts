import type { Message } from '../agents/session/message.ts';

/** What a model is given in a session. */
export class Context {
  /** What stands above the conversation; `undefined` for nothing. */
  system: string | undefined;
  /** The conversation, oldest first. */
  messages: Message[];

  constructor(system: string | undefined, messages: readonly Message[]) {
    this.system = system;
    this.messages = [...messages];
  }

  /** A copy that shares nothing with this one. */
  copy(): Context {
    return new Context(this.system, structuredClone(this.messages));
  }
}
