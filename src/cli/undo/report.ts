import type { Repo } from '../../git/locate.ts';
import { alsoConcerned } from '../../restore/in-hand.ts';
import { listStepped } from '../../restore/stepped.ts';
import { changesOfPlan } from '../../restore/would-change.ts';
import { workIn } from '../../strategy/work.ts';
import { showPreviews } from '../diff/show.ts';
import { renderResumeCommand } from '../ui/restored-logs.ts';
import { plain, say } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { type Asked, type Choice, findCommand } from './step-sessions.ts';
import * as text from './text.ts';
import { BACK_TONES, renderSteppedBack, type SessionBack } from './view.ts';

/** What is told besides. */
interface Told {
  readonly isDryRun: boolean;
  readonly hidden: string | undefined;
  /** What sessions did, as far as it was read before. */
  readonly known: Choice['history']['bySession'];
}

/** What is said of each session's steps, when they are done or would be. */
function renderEach(
  repo: Repo,
  asked: Asked,
  done: readonly SessionBack[],
  { isDryRun, hidden }: Pick<Told, 'isDryRun' | 'hidden'>,
): string[] {
  const isOneOfSeveral = asked.session === undefined && listStepped(repo).length > 1;
  return done.map(({ session, result }, at) => {
    const whose = isOneOfSeveral ? text.ofSession(session) : undefined;
    return plain(
      renderSteppedBack(result, asked, isDryRun, { hidden: at === 0 ? hidden : undefined, whose }),
    );
  });
}

/** What would change, as git shows a diff. */
export async function showDiff(
  repo: Repo,
  asked: Asked,
  done: readonly SessionBack[],
  hidden: string | undefined,
): Promise<void> {
  const messages = renderEach(repo, asked, done, { isDryRun: true, hidden });
  const previews = done.map(({ session, result: { plan } }, at) => ({
    ...{ session, message: messages[at] ?? '', changes: changesOfPlan(plan) },
  }));
  await showPreviews(repo, previews);
  const count = done.reduce((sum, { result }) => sum + result.plan.steps.length, 0);
  if (count < asked.steps) say(text.fewer(asked.direction, count, asked.steps));
}

/** Says what was done, or would be, and how it is taken back. */
export async function report(
  repo: Repo,
  asked: Asked,
  done: readonly SessionBack[],
  { isDryRun, hidden, known }: Told,
): Promise<void> {
  const each = renderEach(repo, asked, done, { isDryRun, hidden });
  for (const [at, { forked }] of done.entries()) {
    say(tinted(each[at] ?? '', BACK_TONES));
    if (forked) say(`\n${text.forked(renderResumeCommand(forked))}`);
  }
  const count = done.reduce((sum, { result }) => sum + result.plan.steps.length, 0);
  if (count < asked.steps) say(text.fewer(asked.direction, count, asked.steps));
  const records = done.flatMap(({ result: { record } }) =>
    record && record.files.size + record.effects.length > 0 ? record : [],
  );
  if (records.length === 0) return;
  const [back, ids] =
    asked.direction === 'undo'
      ? (['redo', records.map(({ id }) => id)] as const)
      : (['undo', turnsOf(done)] as const);
  const work = workIn(repo);
  const changed = new Set(
    done.flatMap(({ session, result }) => [session, ...alsoConcerned(work, result.plan.steps, session)]),
  );
  const unchanged = new Map([...known].filter(([id]) => !changed.has(id)));
  const command = await findCommand(repo, back, new Set(ids), unchanged);
  if (command !== undefined) say(text.takeBack(command));
}

/** The steps that a redo brought back: what it took back of undos. */
const turnsOf = (done: readonly SessionBack[]): string[] =>
  done.flatMap(({ result }) => result.plan.steps.flatMap(({ of }) => of));
