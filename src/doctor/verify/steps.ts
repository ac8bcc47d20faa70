import type { ObjectId } from '../../base/ids.ts';
import { type ListedBranch, listShadowBranches } from '../../checkpoint/shadow-branch.ts';
import { isSessionName, judgeChunks } from './checkpoint.ts';
import type { Verification } from './problem.ts';
import { readTexts, type StoredText } from './texts.ts';
import { findBroken, readAll, walkTree } from './trees.ts';

/** What a step's commit says. */
export interface StepFacts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly sessions: readonly string[];
  /** Folder of metadata that its message names; empty for a remainder that was carried forward. */
  readonly folder: string | undefined;
}

/** Reads a commit object as git stores it, with the trailers that v0.4.4 gives a step. */
export function parseStep(commit: string): StepFacts {
  const end = commit.indexOf('\n\n');
  const [head, message] = end === -1 ? [commit, ''] : [commit.slice(0, end), commit.slice(end + 2)];
  const values = (name: string): string[] =>
    [...message.matchAll(new RegExp(`^${name}:[ \\t]*(.*)$`, 'gm'))].map(([, value = '']) => value.trim());
  return {
    tree: /^tree ([0-9a-f]+)$/m.exec(head)?.[1] ?? '',
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, oid = '']) => oid),
    sessions: values('Entire-Session'),
    folder: values('Entire-Metadata-Task').at(-1) ?? values('Entire-Metadata').at(-1),
  };
}

/** Steps of a branch are few; a longer chain is none of ours. */
const MAX_STEPS = 10_000;

/** Every step of every shadow branch, and what its message names. */
export async function checkSteps(verification: Verification): Promise<void> {
  const { work, look, looked, report, step } = verification;
  const branches = listShadowBranches(work.git);
  const texts = new Map<ObjectId, StoredText>();
  for (const [index, branch] of branches.entries()) {
    step('Verifying steps', index, branches.length);
    const steps = await readSteps(verification, branch);
    looked.steps += steps.length;
    for (const { name, facts } of steps) {
      const session = facts.sessions.at(-1) ?? '';
      if (!isSessionName(session)) report({ code: 'session-id-invalid', where: name, detail: session });
      for (const text of await readFolder(verification, name, facts)) texts.set(text.oid, text);
    }
    const how = steps.length > 0 ? await findDamage(look, branch) : undefined;
    if (how) report({ code: `object-${how}`, where: `${branch.name}^{tree}` });
  }
  const broken = findBroken(work.git, [...texts.keys()]);
  for (const { oid, where } of texts.values()) {
    const how = broken.get(oid);
    if (how) report({ code: `object-${how}`, where });
  }
  const readable = [...texts.values()].filter(({ oid }) => !broken.has(oid));
  if (verification.readData) await readTexts(verification, readable);
}

/** From the tip down, as long as they are steps; below the first one 0.4.4 may have the user's own commits. */
async function readSteps(
  { look, report }: Verification,
  { name: branch, tip }: ListedBranch,
): Promise<Array<{ readonly name: string; readonly facts: StepFacts }>> {
  const steps: Array<{ name: string; facts: StepFacts }> = [];
  for (let name: string | undefined = tip; name !== undefined && steps.length < MAX_STEPS; ) {
    const where = steps.length === 0 ? branch : `${branch}~${steps.length}`;
    const [read] = await readAll(look, [{ name }]);
    const data: Buffer | 'missing' | 'damaged' = read?.data ?? 'missing';
    if (typeof data === 'string') {
      report({ code: `object-${data}`, where });
      break;
    }
    const facts = parseStep(data.toString('utf8'));
    if (facts.sessions.length === 0) {
      if (steps.length === 0) report({ code: 'step-unmarked', where });
      break;
    }
    steps.push({ name: where, facts });
    name = facts.parents[0];
  }
  return steps;
}

/** The metadata folder that a step names, in its own tree. */
async function readFolder(
  { look, report }: Verification,
  where: string,
  { tree, folder }: StepFacts,
): Promise<StoredText[]> {
  if (!folder) return [];
  const { files, unreadable } = await walkTree(look, `${tree}:${folder}`, tree.length);
  if (unreadable.has('')) {
    report({ code: 'step-metadata-missing', where: `${where}:${folder}` });
    return [];
  }
  for (const [path, how] of unreadable)
    report({ code: `object-${how}`, where: `${where}:${folder}/${path}` });
  for (const problem of judgeChunks([...files.keys()]))
    report({ ...problem, where: `${where}:${folder}/${problem.where}` });
  return [...files].map(([path, oid]) => ({
    path: `${tree}/${folder}/${path}`,
    oid,
    where: `${where}:${folder}/${path}`,
  }));
}

/** Whether the tree of the tip can be read; below it lie the user's files. */
async function findDamage(
  look: Verification['look'],
  { tip }: ListedBranch,
): Promise<'missing' | 'damaged' | undefined> {
  const [read] = await readAll(look, [{ name: `${tip}^{tree}` }]);
  const data = read?.data ?? 'missing';
  return typeof data === 'string' ? data : undefined;
}
