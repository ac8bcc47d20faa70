import { EntireError } from '../../base/errors.ts';
import { forgetInCaches } from '../../conversation/home.ts';
import { type ForgetPlan, type Found, findTargets, planForget } from '../../doctor/forget/find.ts';
import { forget } from '../../doctor/forget/forget.ts';
import type { Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { storeOf } from '../../snapshot/place.ts';
import { hasRecord, readRecordIfSound } from '../../snapshot/record/record.ts';
import { numberTurns } from '../../snapshot/record/turn-records.ts';
import { type Work, workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { isCommitName, lookForNamed, refuseName } from '../names/find-named.ts';
import { nameOfTurn, readTurn } from '../names/turns.ts';
import { withProgress } from '../ui/progress.ts';
import { openCommandLog, requireRepo } from '../ui/repo.ts';
import { canAsk, confirm, plain, say } from '../ui/terminal.ts';
import * as text from './view.ts';

export const forgetCommand = defineCommand({
  positionals: { what: { type: 'string', demandOption: true, describe: text.FLAGS.what } },
  options: {
    'dry-run': { type: 'boolean', describe: text.FLAGS.dryRun },
    yes: { type: 'boolean', alias: 'y', describe: text.FLAGS.yes },
    json: { type: 'boolean', describe: text.FLAGS.json },
  },
  completes: { what: 'turn' },

  async run({ what, 'dry-run': dryRun = false, yes = false, json = false }) {
    const repo = await requireRepo('forget');
    openCommandLog(repo, 'forget');
    const work = workIn(repo);
    const target = await findTarget(work, what);
    const plan = planForget(work, target);
    const about = aboutTurn(target);
    const named = target.turn && nameOf(repo, target);
    if (dryRun)
      return say(json ? text.renderForgetJson(plan, undefined) : plain(text.renderPlan(plan, named, about)));
    if (!yes && !(await agreed(plan, named, about))) return say(text.CANCELLED);
    const done = await withProgress((progress) => {
      progress.step(text.FORGETTING);
      if (!plan.target.turn) forgetInCaches(plan.target.sessionId);
      return forget(work, plan.target);
    });
    say(json ? text.renderForgetJson(plan, done) : plain(text.renderForgotten(plan, done, named)));
  },
});

/** A turn as other commands name it, too; else a session, or the id of what is kept of a turn. */
async function findTarget(work: Work, what: string): Promise<Found> {
  const branch = readBranch(work.repo);
  const isHex = /^[0-9a-f]+$/i.test(what);
  if (isCommitName(branch, what))
    throw await refuseName(branch, what, { kinds: ['session', 'turn'], command: 'entire forget' });
  const named = await lookForNamed(branch, what, { kinds: isHex ? ['turn', 'step'] : ['turn'] });
  const targets = findTargets(work, what);
  const isExact = targets.some(({ name }) => name === what);
  if (!named || isExact) return pick(targets, what);
  if (targets.length > 0) throw several(what, [...targets.map(({ name }) => name), `the turn ${what}`]);
  const { session, record } = await readTurn(work.repo, named);
  const store = storeOf(work.repo, session);
  if (!hasRecord(store, record.id))
    throw new EntireError('NOT_FOUND', text.STILL_OPEN, { hint: text.OPEN_HINT });
  return { name: what, sessionId: session, turn: { store, record: record.id } };
}

function pick<T extends { readonly name: string }>(found: readonly T[], what: string): T {
  const [only] = found;
  if (!only) throw new EntireError('NOT_FOUND', text.nothingIs(what), { hint: text.WHERE_IDS });
  if (found.length > 1)
    throw several(
      what,
      found.map(({ name }) => name),
    );
  return only;
}

const several = (what: string, names: readonly string[]): EntireError =>
  new EntireError('INVALID_ID', text.several(what, names));

/** A turn by its number, however it was named; one that changed no files has none. */
function nameOf(repo: Repo, { name, sessionId, turn }: Found): string {
  const { turns } = numberTurns(turn?.store ?? '');
  const number = turns.find(({ record }) => record.id === turn?.record)?.number;
  return number === undefined ? name : nameOfTurn(repo, { session: sessionId, number });
}

/** What a turn is about, so that nobody forgets another one. */
function aboutTurn({ turn }: Found): string | undefined {
  const record = turn && readRecordIfSound(turn.store, turn.record);
  return record && text.aboutTurn(record.subject, [...record.files.keys()]);
}

/** @throws {EntireError} `CONSENT_MISSING` where nobody can be asked */
async function agreed(plan: ForgetPlan, named?: string, about?: string): Promise<boolean> {
  if (canAsk()) return confirm({ ...text.QUESTION, details: plain(text.renderPlan(plan, named, about)) });
  const { message, hint } = text.NOBODY_TO_ASK;
  throw new EntireError('CONSENT_MISSING', message, { hint });
}
