import { parseSessionData, renderSessionData, type SessionData } from '../session-data.ts';
import { requireExpected, requireId, requireOwn, type Storage } from './storage.ts';

interface Kept {
  /** As JSON, as everywhere: what comes back is what any storage would give back. */
  readonly text: string;
  readonly updatedAt: number;
}

/** Keeps sessions as long as the process lives. */
export class InMemoryStorage implements Storage {
  private readonly kept = new Map<string, Kept>();

  async save(sessionId: string, data: SessionData, expected?: number | null): Promise<void> {
    const id = requireOwn(requireId(sessionId), data);
    const text = renderSessionData(data);
    requireExpected(id, this.kept.get(id)?.updatedAt, expected);
    this.kept.delete(id); // the newest stands last
    this.kept.set(id, { text, updatedAt: data.updated_at });
  }

  async load(sessionId: string): Promise<SessionData | undefined> {
    const id = requireId(sessionId);
    const kept = this.kept.get(id);
    return kept && parseSessionData(kept.text, `session ${id}`);
  }

  async listSessions(): Promise<string[]> {
    return [...this.kept.keys()].reverse();
  }

  async delete(sessionId: string): Promise<void> {
    this.kept.delete(requireId(sessionId));
  }
}
