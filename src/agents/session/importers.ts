import { findTranscript } from '../cursor/find-transcript.ts';
import type { AgentName } from '../names.ts';
import { importTranscript } from '../opencode/import-transcript.ts';

/**
 * Puts what a payload hands over of a transcript where we read it.
 *
 * @returns the transcript of the payload's session; `undefined` where there is none. Never throws.
 */
type Importer = (worktreeRoot: string, payload: unknown) => string | undefined;

/**
 * Agents that have no transcript on the disk: their payloads hand over what was said. And those that do not always say where
 * theirs is.
 */
export const IMPORTERS: Readonly<Partial<Record<AgentName, Importer>>> = {
  cursor: findTranscript,
  opencode: importTranscript,
};
