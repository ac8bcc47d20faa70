import type { ToldCommit } from './attribution.ts';

/** A commit in our own form, with why each line is known or not; documented in docs/json.md. */
export const toOwnRecord = ({ commit, files, sessions }: ToldCommit): object => ({
  commit: commit.oid,
  author: `${commit.authorAsWritten.name} <${commit.authorAsWritten.email}>`,
  authored_at: commit.authoredAt,
  sessions: [...sessions.values()].map(({ sessionId, agent, model, checkpoints }) => ({
    session_id: sessionId,
    agent,
    model: model || null,
    checkpoints,
  })),
  files: files.map(({ path, ranges }) => ({
    path,
    ranges: ranges.map(({ first, last, kind, reason, session, checkpoint, person }) => ({
      first,
      last,
      class: kind,
      reason,
      session_id: session ?? null,
      checkpoint: checkpoint ?? null,
      person: person ? `${person.name} <${person.email}>` : null,
    })),
  })),
});
