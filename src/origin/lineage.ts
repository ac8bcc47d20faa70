import { isDistinctive, isImport } from '../base/text/lines.ts';
import { type BlamedLine, runsOf } from '../git/commit/blame.ts';
import { readObjects } from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';
import type { Verdict } from '../session/record/verdicts.ts';
import type { Work } from '../strategy/work.ts';
import { openAges } from './ages.ts';
import { type ReadCommits, rememberCommits } from './blamed-commits.ts';
import { type FindElsewhere, judgeLines, type LineOrigin, type Suspect } from './classify.ts';
import {
  type BlamedSession,
  type Context,
  type Contexts,
  judgeCommitted,
  openContexts,
  type Texts,
} from './context.ts';
import { keysOf } from './former-commits.ts';
import { tellByGitAi } from './import/git-ai-lines.ts';
import { openKeptLines } from './kept-lines.ts';
import { type Judge, leadBack, type Open } from './led-back.ts';
import { openAllSeen, openLive } from './live-edits.ts';
import { type Others, openOthers, SEEN } from './others.ts';
import { fillRuns, joinRuns } from './runs.ts';

/** What is asked of lines. */
interface Question {
  /** Whose history they are in. */
  readonly revision: string;
  /** Hooks are on here: what no commit has yet and no session wrote is a person's. */
  readonly isOn: boolean;
  /** What is known of commits already. */
  readonly commitsOf?: ReadCommits;
  readonly contexts?: Contexts;
  /** One that has judged such lines before. */
  readonly judge?: AheadJudge;
  /** A line that a person put back is whose it was, as far as the newest commits tell. */
  readonly findsPutBack?: boolean | undefined;
  /** Of commits without a record of ours notes of git-ai count. */
  readonly believesGitAi?: boolean | undefined;
  /** Which lines are of which file, and what that is and was called. */
  readonly files: readonly FileOfLines[];
}

/** Lines of one file, and names that it had. */
export interface FileOfLines {
  readonly lines: readonly BlamedLine[];
  readonly names: readonly string[];
}

type Origin = LineOrigin<BlamedSession>;

/** Names of a file that are looked for; text can have been copied from many more. */
const MAX_NAMES = 20;

/**
 * Judges lines of a file by the commits that brought them there. Of a commit that was replayed nothing is known but what is known of the one
 * that it was made of: its lines are led back to that, as long as something of it is there.
 *
 * @param lines all of the file, in order; or of several, of each those that are asked about
 */
export async function judgeLineage(
  work: Work,
  lines: readonly BlamedLine[],
  question: Question,
): Promise<Origin[]> {
  const judge = question.judge ?? openJudge(work, question);
  const origins = await judge(lines);
  const keys = new Map(runsOf(lines).flatMap((run) => pair(run, keysOf(textsOf(run)))));
  const aboveOf = openAbove(lines);
  const asked = (isAsked: (origin: Origin) => unknown): Open[] =>
    lines.flatMap((line, at) => {
      const origin = origins[at] as Origin;
      return isAsked(origin) ? [{ line, key: keys.get(line), origin, below: aboveOf(line) }] : [];
    });
  const open = asked(({ kind, isFrom }) => kind === 'unknown' || isFrom);
  const { revision, files } = question;
  const reach = { history: revision, namesOf: openNames(files), files: files.length };
  const { found: led, carried } = await leadBack(work, judge, open, { ...reach, among: 'all' });
  // What a commit was made of that is not in the history any more, its hook need not have seen.
  const human = asked(({ kind }) => kind === 'human');
  const others = await leadBack(work, judge, human, { ...reach, among: 'beside' });
  const back = question.findsPutBack ? human.filter(mayBeBack) : [];
  const restored = await leadBack(work, judge, back, { ...reach, among: 'newest' });
  for (const [line, origin] of [...restored.found, ...others.found])
    if (origin.kind !== 'human') led.set(line, origin);
  const judged = new Map(lines.map((line, at) => [line, led.get(line) ?? (origins[at] as Origin)]));
  const toJudged = (line: BlamedLine) => ({
    text: line.text,
    origin: judged.get(line) as Origin,
    isAnew: led.has(line),
    isCarried: carried.has(line) || others.carried.has(line) || restored.carried.has(line),
  });
  const all = led.size === 0 ? origins : fillRuns(runsOf(lines).map((run) => run.map(toJudged)));
  return question.believesGitAi ? tellByGitAi(work.git, lines, all) : [...all];
}

/**
 * Whether a line may be one that a person put back where no session was at work, and its text, or that of the one that it is below, tells it:
 * whoever needs an import writes it again.
 */
const mayBeBack = ({ origin: { reason }, line, below: [first = line] }: Open): boolean =>
  (reason === 'no-session' || reason === 'untouched') && isDistinctive(first.text) && !isImport(first.text);

/** More lines that many files have stand below one like no other only in data. */
const MAX_ABOVE = 20;

/** Of a line that many files have, those above it that came along, from the last one that is like no other on; none where there is no such one. */
function openAbove(lines: readonly BlamedLine[]): (line: BlamedLine) => readonly BlamedLine[] {
  const found = new Map<BlamedLine, readonly BlamedLine[]>();
  for (const run of runsOf(lines)) {
    let from = -1;
    run.forEach((line, at) => {
      if (isDistinctive(line.text)) from = at;
      else if (from !== -1 && at - from <= MAX_ABOVE) found.set(line, run.slice(from, at));
    });
  }
  return (line) => found.get(line) ?? [];
}

/** What the file of a line was called: it is judged the same, whatever other files are judged with it. */
function openNames(files: readonly FileOfLines[]): (line: BlamedLine) => readonly string[] {
  const known = new Map(
    files.flatMap(({ lines, names }) => {
      const own = [...new Set(names)].slice(0, MAX_NAMES);
      return lines.map((line) => [line, own] as const);
    }),
  );
  return (line) => known.get(line) ?? [];
}

/** A judge that can be told of lines before it is asked: what it finds out about these holds then, too. */
export interface AheadJudge extends Judge {
  ahead(lines: readonly BlamedLine[]): Promise<void>;
}

/** What the hooks know here is looked up once, for all lines. */
export function openJudge(
  work: Work,
  { isOn, revision, commitsOf, ...known }: Omit<Question, 'files'>,
): AheadJudge {
  const { git } = work;
  const read = commitsOf ?? rememberCommits(git);
  const contexts = known.contexts ?? openContexts(work, openKeptLines(work));
  const { keptOf } = contexts;
  const live = openLive(work, keptOf);
  const isAllSeen = openAllSeen(work);
  const verdicts = new Map<BlamedLine['commit'], Verdict | undefined>();
  const judged = new Map<string, { context: Context; texts: Texts; origins: readonly Origin[] }>();
  const openRuns = async (lines: readonly BlamedLine[]) => {
    const commits = read([...new Set(lines.flatMap(({ commit }) => commit ?? []))]);
    const context = await contexts.of(lines, commits);
    for (const commit of commits.keys()) verdicts.set(commit, context.verdict(commit));
    const judgeWaiting = (path: string, texts: Texts, elsewhere: FindElsewhere<BlamedSession>) => {
      const suspects: Suspect<BlamedSession>[] = live.suspects(path);
      const isAllTold = isOn && isAllSeen(suspects) && !context.isForgottenWork(undefined, path);
      return judgeLines(texts.run, suspects, { ...texts, elsewhere, isAllTold });
    };
    // Who resolves a conflict of a rebase or a merge may be a session; no commit of its own has what that wrote.
    const orWaiting = (told: FindElsewhere<BlamedSession>, commit: BlamedLine['commit'], path: string) => {
      const { reason, at = '' } = verdicts.get(commit) ?? {};
      if (reason !== 'sequence' && reason !== 'merge') return told;
      return (...[line, ...beside]: Parameters<typeof told>) => {
        const found = told(line, ...beside);
        const writer = found || !isDistinctive(line) ? undefined : live.writerOf(path, line, Date.parse(at));
        if (writer === 'unknown') return { session: undefined };
        return writer ? { session: writer, isWaiting: true, mayHaveFound: true } : found;
      };
    };
    const byPlace = new Map<string, string[]>(lines.map((line) => [placeOf(line), []]));
    for (const line of lines) byPlace.get(placeOf(line))?.push(line.text);
    const filesAt = openFiles(git, lines);
    const judgeRun = (run: readonly BlamedLine[], others: Others) => {
      const first = run[0] as BlamedLine;
      const { commit, path } = first;
      const texts = { run: textsOf(run), all: byPlace.get(placeOf(first)) ?? [], file: filesAt(first) };
      const judge = (): readonly Origin[] => {
        const elsewhere = orWaiting(others(commit, path), commit, path);
        return commit === undefined
          ? judgeWaiting(path, texts, elsewhere)
          : judgeCommitted(context, commit, commits.get(commit)?.links, path, texts, elsewhere);
      };
      const name = `${placeOf(first)}:${first.original}`;
      const before = others === NO_OTHERS ? judged.get(name) : undefined;
      const isSame = before?.context === context && isSameText(before.texts, texts);
      const origins = isSame ? before.origins : judge();
      if (others === NO_OTHERS) judged.set(name, { context, texts, origins });
      return { place: placeOf(first), commit, texts: texts.run, origins };
    };
    const runs = runsOf(lines);
    const first = runs.map((run) => judgeRun(run, NO_OTHERS));
    return { commits, context, runs, first, judgeRun };
  };
  const judgeAll = async (lines: readonly BlamedLine[]): Promise<readonly Origin[]> => {
    const { commits, context, runs, first, judgeRun } = await openRuns(lines);
    const ageOf = openAges(git, commits);
    const origins = joinRuns(first, ageOf);
    // Other commits tell of lines that their own does not: a line is a person's only where it is no session's for another one.
    const doubtful = lines.filter((_, at) => origins[at]?.kind !== 'agent');
    if (doubtful.length === 0) return origins;
    const others = await openOthers(git, context, doubtful, commits, revision);
    const isTold = (run: (typeof first)[number]) => run.origins.every(({ kind }) => kind === 'agent');
    const judged = first.map((run, at) => (isTold(run) ? run : judgeRun(runs[at] ?? [], others)));
    return joinRuns(judged, ageOf);
  };
  const isSeen = (commit: BlamedLine['commit']) =>
    commit === undefined || SEEN.has(verdicts.get(commit)?.reason);
  return Object.assign(judgeAll, {
    isSeen,
    ahead: async (lines: readonly BlamedLine[]) => void (await openRuns(lines)),
  });
}

const NO_OTHERS: Others = () => () => undefined;

const isSameText = (a: Texts, b: Texts): boolean => areEqual(a.run, b.run) && areEqual(a.all, b.all);
const areEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

/** Files are read some at a time, when the first is asked for. */
const AT_ONCE = 64;

/** The text of a line's file in its commit; what waits is in the file as it is. */
function openFiles(git: Git, lines: readonly BlamedLine[]): (line: BlamedLine) => () => string {
  const known = new Map<string, string>();
  const names = [...new Set(lines.flatMap((line) => (line.commit ? placeOf(line) : [])))];
  const read = (name: string): void => {
    const from = names.indexOf(name);
    const asked = names.slice(from, from + AT_ONCE);
    const found = readObjects(git, asked);
    for (const one of asked) known.set(one, found.get(one)?.data.toString('utf8') ?? '');
  };
  return (line) => () => {
    const name = placeOf(line);
    if (!known.has(name) && line.commit === undefined) known.set(name, textsOf(lines).join('\n'));
    if (!known.has(name)) read(name);
    return known.get(name) ?? '';
  };
}

const placeOf = ({ commit, path }: BlamedLine): string => `${commit ?? ''}:${path}`;

const pair = <A, B>(some: readonly A[], others: readonly B[]): [A, B][] =>
  some.map((one, at) => [one, others[at] as B]);

const textsOf = (lines: readonly BlamedLine[]): string[] => lines.map(({ text }) => text);
