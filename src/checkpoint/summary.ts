import { EntireError } from '../base/errors.ts';
import type { CheckpointId } from '../base/ids.ts';
import {
  asList,
  asObject,
  asText,
  isObject,
  type JsonObject,
  omitEmpty,
  parseJson,
  renderPrettyJson,
} from '../base/text/json.ts';
import { readObjects, retryWhenMoved, writeCommit } from '../git/object/objects.ts';
import { readIdentity } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { checkpointDir } from './metadata-branch.ts';
import { METADATA_REF } from './shadow-branch.ts';

/** What a model made of a session: `summary` in a slot's `metadata.json` (format of v0.4.4). */
export interface Summary {
  readonly intent: string;
  readonly outcome: string;
  readonly learnings: {
    readonly repo: readonly string[];
    readonly code: readonly CodeFinding[];
    readonly workflow: readonly string[];
  };
  readonly friction: readonly string[];
  readonly openItems: readonly string[];
}

export interface CodeFinding {
  readonly path: string;
  /** Lines from 1; absent for the whole file. */
  readonly line?: number;
  readonly endLine?: number;
  readonly finding: string;
}

const asTexts = (value: unknown): string[] =>
  asList(value).filter((item): item is string => typeof item === 'string' && item !== '');
const asLine = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;

/** Reads a stored or generated summary as far as it makes sense; `undefined` when it says nothing at all. */
export function parseSummary(value: unknown): Summary | undefined {
  const { intent, outcome, learnings, friction, open_items } = asObject(value);
  const { repo, code, workflow } = asObject(learnings);
  const summary = {
    intent: asText(intent),
    outcome: asText(outcome),
    learnings: {
      repo: asTexts(repo),
      code: asList(code)
        .map(parseFinding)
        .filter(({ finding }) => finding !== ''),
      workflow: asTexts(workflow),
    },
    friction: asTexts(friction),
    openItems: asTexts(open_items),
  };
  const lists = [...Object.values(summary.learnings), summary.friction, summary.openItems];
  const isEmpty =
    summary.intent === '' && summary.outcome === '' && lists.every(({ length }) => length === 0);
  return isEmpty ? undefined : summary;
}

function parseFinding(value: unknown): CodeFinding {
  const { path, line, end_line, finding } = asObject(value);
  const from = asLine(line);
  const to = asLine(end_line);
  return {
    path: asText(path),
    ...(from ? { line: from } : {}),
    ...(from && to && to !== from ? { endLine: to } : {}),
    finding: asText(finding),
  };
}

/** The summary in the words of the format. */
export function toStoredSummary(summary: Summary): Record<string, unknown> {
  const { intent, outcome, learnings, friction, openItems } = summary;
  const code = learnings.code.map(({ path, line, endLine, finding }) => ({
    path,
    line: omitEmpty(line),
    end_line: omitEmpty(endLine),
    finding,
  }));
  return {
    intent,
    outcome,
    learnings: { repo: learnings.repo, code, workflow: learnings.workflow },
    friction,
    open_items: openItems,
  };
}

/** Keys that stand behind the summary in a slot's `metadata.json`. */
const BEHIND = ['initial_attribution', 'transcript_path'];

/**
 * Puts a summary into a slot of the local metadata branch, in the place of one that is there. Everything else in its
 * `metadata.json` stays as it is.
 *
 * @param index number of the slot; `undefined` for a checkpoint from before there were slots
 * @throws {EntireError} `NOT_FOUND` when the branch has no readable slot there, `REF_MOVED` when it kept moving
 */
export function writeSummary(git: Git, id: CheckpointId, index: number | undefined, summary: Summary): void {
  const path = [checkpointDir(id), ...(index === undefined ? [] : [index]), 'metadata.json'].join('/');
  retryWhenMoved(() => {
    const name = `${METADATA_REF}:${path}`;
    const found = readObjects(git, [METADATA_REF, name]);
    const before = parseObject(found.get(name)?.data.toString('utf8'));
    const tip = found.get(METADATA_REF)?.oid;
    if (!before || !tip) throw new EntireError('NOT_FOUND', `checkpoint not found: ${id}`);
    const metadata = { ...before };
    const behind = BEHIND.filter((key) => key in metadata).map((key) => [key, metadata[key]]);
    for (const key of ['summary', ...BEHIND]) delete metadata[key];
    const data = renderPrettyJson({
      ...metadata,
      summary: toStoredSummary(summary),
      ...Object.fromEntries(behind),
    });
    writeCommit(git, {
      ref: METADATA_REF,
      parent: tip,
      changes: [{ path, mode: '100644', data }],
      message: `Update summary for checkpoint ${id} (session: ${asText(before.session_id)})`,
      author: readIdentity(git),
    });
  });
}

function parseObject(json: string | undefined): JsonObject | undefined {
  const value = parseJson(json ?? '');
  return isObject(value) ? value : undefined;
}
