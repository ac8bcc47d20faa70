import { type BlamedLine, runsOf } from '../git/commit/blame.ts';
import type { Work } from '../strategy/work.ts';
import { type ReadCommits, rememberCommits } from './blamed-commits.ts';
import {
  type FindElsewhere,
  fillRuns,
  joinRuns,
  judgeLines,
  type LineOrigin,
  type Suspect,
} from './classify.ts';
import { type BlamedSession, type Context, judgeCommitted, openContext, type Texts } from './context.ts';
import { findFormer } from './former-commits.ts';
import { openKeptLines } from './kept-lines.ts';
import { openAllSeen, openLive } from './live-edits.ts';
import { type Others, openOthers, SEEN } from './others.ts';

/** What is asked of lines. */
interface Question {
  /** Whose history they are in. */
  readonly revision: string;
  /** Hooks are on here: what no commit has yet and no session wrote is a person's. */
  readonly isOn: boolean;
  /** What is known of commits already. */
  readonly commitsOf?: ReadCommits;
}

type Origin = LineOrigin<BlamedSession>;

/**
 * Judges lines of a file by the commits that brought them there. Of a commit that was replayed nothing is known but what is known of the one
 * that it was made of: its lines are led back to that, as long as something of it is there.
 *
 * @param lines all of the file, in order
 */
export async function judgeLineage(
  work: Work,
  lines: readonly BlamedLine[],
  question: Question,
): Promise<Origin[]> {
  const judge = openJudge(work, question);
  const { origins, context } = await judge(lines);
  const judged = new Map(lines.map((line, at) => [line, origins[at] as Origin]));
  const open = lines.filter((line) => judged.get(line)?.kind === 'unknown');
  const led = findFormer(work, open, question.revision).flatMap(({ line, commits }) => {
    const commit = commits.find((oid) => SEEN.has(context.verdict(oid)?.reason));
    return commit ? [{ line, former: { ...line, commit } }] : [];
  });
  if (led.length === 0) return origins;
  const anew = new Set<BlamedLine>();
  const again = await judge(led.map(({ former }) => former));
  led.forEach(({ line }, at) => {
    const origin = again.origins[at];
    if (!origin || origin.kind === 'unknown') return;
    judged.set(line, origin);
    anew.add(line);
  });
  const toJudged = (line: BlamedLine) => ({
    text: line.text,
    origin: judged.get(line) as Origin,
    isAnew: anew.has(line),
  });
  return fillRuns(runsOf(lines).map((run) => run.map(toJudged)));
}

/** What the hooks know here is looked up once, for all lines. */
function openJudge(work: Work, { isOn, revision, commitsOf }: Question) {
  const { git, repo } = work;
  const read = commitsOf ?? rememberCommits(git);
  const keptOf = openKeptLines(work);
  const live = openLive(work, keptOf);
  const isAllSeen = openAllSeen(work);
  return async (lines: readonly BlamedLine[]): Promise<{ origins: Origin[]; context: Context }> => {
    const commits = read([...new Set(lines.flatMap(({ commit }) => commit ?? []))]);
    const context = await openContext(repo, git, lines, commits, keptOf);
    const judgeWaiting = (path: string, { run, all }: Texts, elsewhere: FindElsewhere<BlamedSession>) => {
      const suspects: Suspect<BlamedSession>[] = live(path);
      const isAllTold = isOn && isAllSeen(suspects) && !context.isForgottenWork(undefined, path);
      return judgeLines(run, suspects, { all, elsewhere, isAllTold });
    };
    const byPlace = new Map<string, BlamedLine[]>(lines.map((line) => [placeOf(line), []]));
    for (const line of lines) byPlace.get(placeOf(line))?.push(line);
    const judgeRun = (run: readonly BlamedLine[], others: Others) => {
      const first = run[0] as BlamedLine;
      const { commit, path } = first;
      const texts = { run: textsOf(run), all: textsOf(byPlace.get(placeOf(first)) ?? []) };
      const elsewhere = others(commit, path);
      const origins: Origin[] =
        commit === undefined
          ? judgeWaiting(path, texts, elsewhere)
          : judgeCommitted(context, commit, commits.get(commit)?.links, path, texts, elsewhere);
      const madeMs = commit ? Date.parse(commits.get(commit)?.committedAt ?? '') || 0 : Infinity;
      return { place: placeOf(first), madeMs, texts: texts.run, origins };
    };
    const runs = runsOf(lines);
    const judge = (others: Others) => joinRuns(runs.map((run) => judgeRun(run, others)));
    const first = judge(() => () => undefined);
    // Other commits tell of lines that their own does not: a line is a person's only where it is no session's for another one.
    const doubtful = lines.filter((_, at) => first[at]?.kind !== 'agent');
    const origins =
      doubtful.length === 0 ? first : judge(await openOthers(git, context, doubtful, commits, revision));
    return { origins, context };
  };
}

const placeOf = ({ commit, path }: BlamedLine): string => `${commit ?? ''}:${path}`;

const textsOf = (lines: readonly BlamedLine[]): string[] => lines.map(({ text }) => text);
