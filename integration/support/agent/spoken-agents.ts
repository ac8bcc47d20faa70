import type { TurnEvent } from '../../../src/agents/shared/headless/headless.ts';
import type { Agent, Turn } from '../../../src/conversation/agent.ts';
import type { Session } from '../../../src/conversation/session.ts';

/** Says again what was said, in capitals: an agent of ten lines. */
export const echo: Agent = {
  name: 'echo',
  async *run({ message }) {
    yield { type: 'text', text: message.toUpperCase() };
  },
};

/** Does in each turn what the next of these bodies does. */
export function scripted(...bodies: ((turn: Turn) => AsyncIterable<TurnEvent>)[]): Agent {
  return { name: 'scripted', run: (turn) => (bodies.shift() ?? echo.run)(turn) };
}

/** Who said what in a session. */
export const spokenIn = (session: Session): string[] =>
  session.messages.map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : '…'}`);
