import type { SessionData } from '../session-data.ts';
import { requireExpected, requireId, type Storage } from './storage.ts';

/** Keeps sessions as long as the process lives. */
export class InMemoryStorage implements Storage {
  private readonly kept = new Map<string, SessionData>();

  async save(sessionId: string, data: SessionData, expected?: number | null): Promise<void> {
    const id = requireId(sessionId);
    requireExpected(id, this.kept.get(id)?.updated_at, expected);
    const copy = structuredClone(data); // before the old one goes: not everything can be copied
    this.kept.delete(id); // the newest stands last
    this.kept.set(id, copy);
  }

  async load(sessionId: string): Promise<SessionData | undefined> {
    return structuredClone(this.kept.get(requireId(sessionId)));
  }

  async listSessions(): Promise<string[]> {
    return [...this.kept.keys()].reverse();
  }

  async delete(sessionId: string): Promise<void> {
    this.kept.delete(requireId(sessionId));
  }
}
