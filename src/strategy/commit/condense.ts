import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { joinTranscript } from '../../checkpoint/chunks.ts';
import { writeCheckpoint } from '../../checkpoint/committed.ts';
import { type CommitEvidence, ofSession } from '../../checkpoint/evidence.ts';
import type { InitialAttribution } from '../../checkpoint/initial-attribution.ts';
import { metadataDir, type ShadowBranch } from '../../checkpoint/shadow-branch.ts';
import { type Change, type Identity, readObjects, type TreeEntry } from '../../git/object/objects.ts';
import { inBatchesBySize } from '../../git/object/sizes.ts';
import type { SessionState } from '../../session/state.ts';
import { noteMissingRules } from '../../settings/unruled.ts';
import { liveFromText, readLive } from '../transcript/live.ts';
import { countItems } from '../transcript/part.ts';
import { type RedactedTranscript, redactLive } from '../transcript/redacted.ts';
import { describeSlot, listFiles } from '../transcript/slot-metadata.ts';
import { slotTexts } from '../transcript/slot-texts.ts';
import type { Work } from '../work.ts';

/** What a session's slot is made of. */
export interface Condensation {
  readonly id: CheckpointId;
  /** The commit, whose id also says which algorithm the repository uses. */
  readonly commit: ObjectId;
  /** Paths of the commit that are this session's. */
  readonly files: readonly RepoPath[];
  readonly transcript: RedactedTranscript;
  readonly shadow: ShadowBranch;
  /** The session's metadata folder in the shadow tree. */
  readonly shadowEntries: ReadonlyMap<string, TreeEntry>;
  readonly branch: string | undefined;
  readonly author: Identity;
  /** Metadata of the session's tasks, by path in the checkpoint. */
  readonly tasks: readonly Change[];
  /** Who wrote its lines, where the session has steps to hold it against. */
  readonly attribution: InitialAttribution | undefined;
  /** What its commit holds; there need be none. */
  readonly evidence?: CommitEvidence | undefined;
}

/**
 * Turns a session's pending work into a committed checkpoint: the whole transcript and all prompts, redacted, and
 * what the commit holds of it. A session whose transcript cannot be had is condensed without one: the trailer that
 * the commit already carries must lead somewhere.
 */
export async function condense(work: Work, state: SessionState, condensation: Condensation): Promise<void> {
  const { transcript, commit, shadowEntries, evidence } = condensation;
  const own = new Set<string>(condensation.files);
  const texts = await slotTexts(transcript, state.firstPrompt, commit);
  noteMissingRules(work.repo.commonDir);
  writeCheckpoint(work.git, {
    metadata: {
      ...describeSlot(state, transcript, {
        id: condensation.id,
        strategy: 'manual-commit',
        branch: condensation.branch ?? '',
        start: state.checkpointTranscriptStart,
        attribution: condensation.attribution,
      }),
      checkpointsCount: state.checkpointCount,
      filesTouched: listFiles(condensation.files),
      transcriptIdentifierAtStart: state.transcriptIdentifierAtStart,
    },
    texts,
    ephemeralBranch: condensation.shadow.name,
    author: condensation.author,
    evidence: evidence && ofSession(evidence, (path) => own.has(path)),
    files: condensation.tasks,
    known: shadowEntries,
  });
}

/**
 * The session's transcript with its secrets replaced: the live one, what the cache kept of it, or the copy on its
 * shadow branch.
 *
 * @throws {EntireError} `REDACTION_FAILED`
 */
export async function redactForCheckpoint(
  work: Work,
  state: SessionState,
  shadow: ShadowBranch,
  entries: ReadonlyMap<string, TreeEntry>,
): Promise<RedactedTranscript> {
  const live = readLive(work.repo.commonDir, state);
  if (countItems(live) > 0) return redactLive(live);
  return redactLive(liveFromText(readShadowTranscript(work, state, shadow, entries), live.format));
}

/** The copy on the shadow branch, for a session whose live transcript is gone. */
function readShadowTranscript(
  work: Work,
  state: SessionState,
  shadow: ShadowBranch,
  entries: ReadonlyMap<string, TreeEntry>,
): string {
  const dir = `${metadataDir(state.sessionId)}/`;
  const paths = [...entries.keys()].filter(
    (path) => path.startsWith(dir) && /^full\.(jsonl(\.\d+)?|log)$/.test(path.slice(dir.length)),
  );
  const [batch = []] = inBatchesBySize(
    work.git,
    paths.flatMap((path) => entries.get(path)?.oid ?? []),
  );
  const isRead = new Set<string>(batch);
  const read = paths.filter((path) => isRead.has(entries.get(path)?.oid ?? ''));
  if (read.length < paths.length)
    log('warn', 'only the beginning of a long transcript was left', { session_id: state.sessionId });
  const objects = readObjects(
    work.git,
    read.map((path) => `${shadow.tip}:${path}`),
  );
  return joinTranscript([...objects].map(([name, { data }]) => ({ name, data })));
}
