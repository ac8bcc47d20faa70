import { AGENTS } from '../../agents/names.ts';
import type { ObjectId } from '../../base/ids.ts';
import type { BlamedLine } from '../../git/commit/blame.ts';
import { GIT_AI_REF, listNotes, readNotes } from '../../git/commit/foreign-notes.ts';
import type { Git } from '../../git/run.ts';
import type { LineOrigin } from '../classify.ts';
import type { BlamedSession } from '../context.ts';
import { type GitAiClaims, type NoteRefusal, parseGitAiNote } from './git-ai-note.ts';

/** What is larger is not even read. */
const MAX_BYTES = 4 << 20;

/** The notes of some commits, or of all that have one; of each what it says, or why it is not believed. Three processes. */
export function readGitAiNotes(
  git: Git,
  commits?: ReadonlySet<ObjectId>,
): Map<ObjectId, GitAiClaims | NoteRefusal> {
  const notes = [...listNotes(git, GIT_AI_REF)].filter(([commit]) => commits?.has(commit) ?? true);
  const contents = readNotes(
    git,
    notes.map(([, blob]) => blob),
    MAX_BYTES,
  );
  return new Map(
    notes.map(([commit, blob]) => {
      const bytes = contents.get(blob);
      return [commit, bytes ? parseGitAiNote(bytes) : 'too large'];
    }),
  );
}

type Origin = LineOrigin<BlamedSession>;

/** Of commits of which there is no record of ours, what notes of git-ai say; all else stays as it was judged. */
export function tellByGitAi(git: Git, lines: readonly BlamedLine[], origins: readonly Origin[]): Origin[] {
  const isOpen = (at: number): boolean => origins[at]?.reason === 'no-record';
  const asked = new Set(lines.flatMap(({ commit }, at) => (commit && isOpen(at) ? [commit] : [])));
  const notes = asked.size === 0 ? new Map() : readGitAiNotes(git, asked);
  const sessions = new Map<string, BlamedSession>();
  const sessionOf = (tool: string, id: string): BlamedSession => {
    const known = sessions.get(`${tool}:${id}`);
    const session = known ?? { sessionId: id, agent: typeOf(tool), checkpoint: undefined, prompt: undefined };
    sessions.set(`${tool}:${id}`, session);
    return session;
  };
  return origins.map((origin, at) => {
    const { commit, path, original } = lines[at] as BlamedLine;
    const note = commit && isOpen(at) ? notes.get(commit) : undefined;
    if (!note || typeof note === 'string' || original === undefined) return origin;
    const owner = (note as GitAiClaims).ownerOf(path, original);
    if (!owner) return origin;
    const { kind, tool, id } = owner;
    return { kind, reason: 'git-ai', session: kind === 'agent' ? sessionOf(tool, id) : undefined };
  });
}

/** An agent as our metadata call it, where it is one that we know. */
const typeOf = (tool: string): string =>
  Object.values(AGENTS).find((agent) => (agent.tool ?? agent.program) === tool)?.type ?? tool;
