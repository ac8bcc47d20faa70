import { basename } from 'node:path';
import { beginningWith, MIN_BEGINNING, type SessionId } from '../../base/ids.ts';
import type { Branch } from '../../history/branch.ts';
import { listStoredSessionIds } from '../../restore/resume/sessions.ts';
import { listStepped } from '../../restore/stepped.ts';
import { listStateFiles, readStateIfReadable, sessionOfStateFile } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { findTitled } from './titles.ts';

/** Sessions that this repository knows, without those that only a checkpoint tells of. No state is opened. */
export const listKnownSessions = ({ repo }: Pick<Branch, 'repo'>): SessionId[] => [
  ...new Set([
    ...listStateFiles(sessionsDir(repo.commonDir)).flatMap(
      (file) => sessionOfStateFile(basename(file)) ?? [],
    ),
    ...listStepped(repo),
  ]),
];

/** Sessions whose ids begin so: those that are known here, or else those that checkpoints tell of. */
export function sessionsBeginning(branch: Branch, word: string): SessionId[] {
  const here = beginningWith(listKnownSessions(branch), word, MIN_BEGINNING);
  return here.length > 0
    ? here
    : beginningWith(listStoredSessionIds(branch.store, word), word, MIN_BEGINNING);
}

/** Sessions whose first prompt is called so, begins so, or has it somewhere. */
export function sessionsAbout({ repo }: Branch, word: string): SessionId[] {
  const dir = sessionsDir(repo.commonDir);
  const states = listStateFiles(dir).flatMap((file) => {
    const id = sessionOfStateFile(basename(file));
    return (id && readStateIfReadable(dir, id)) ?? [];
  });
  return findTitled(states, word, ({ firstPrompt }) => firstPrompt).map(({ sessionId }) => sessionId);
}
