import { EntireError } from '../../base/errors.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { type Found, findByCommit, findCheckpoint, followCommit } from '../../history/find.ts';
import { readPoints } from '../../history/points.ts';
import { listStates } from '../../session/state-store.ts';
import { listTombstones } from '../../session/tombstones.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand } from '../command.ts';
import { parseFileLines } from '../names/file-line.ts';
import { findNamed } from '../names/find-named.ts';
import type { Sought } from '../names/named.ts';
import { withLinks } from '../ui/hyperlink.ts';
import { page } from '../ui/pager.ts';
import { requireRepo } from '../ui/repo.ts';
import { fitted, renderJson, say, warn } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { terminalWidth } from '../ui/width.ts';
import { groupPoints, renderList, TONES } from './list-view.ts';
import type { ExplainFlags } from './one.ts';
import * as text from './text.ts';

const options = {
  session: { type: 'string', describe: text.FLAGS.session },
  commit: { type: 'string', describe: text.FLAGS.commit },
  checkpoint: { type: 'string', alias: 'c', describe: text.FLAGS.checkpoint },
  short: { type: 'boolean', alias: 's', describe: text.FLAGS.short },
  full: { type: 'boolean', describe: text.FLAGS.full },
  'raw-transcript': { type: 'boolean', describe: text.FLAGS.rawTranscript },
  generate: { type: 'boolean', describe: text.FLAGS.generate },
  force: { type: 'boolean', describe: text.FLAGS.force },
  'no-pager': { type: 'boolean', describe: text.FLAGS.noPager },
  'search-all': { type: 'boolean', describe: text.FLAGS.searchAll },
  json: { type: 'boolean', describe: text.FLAGS.json },
} as const;

export const explainCommand = defineCommand({
  positionals: { target: { type: 'string', describe: text.TARGET } },
  options,
  completes: { target: 'what', commit: 'commit', session: 'session' },

  async run(flags) {
    const repo = await requireRepo('explain');
    refuseContradictions(flags);
    if (readActivation(repo).kind === 'disabled')
      return say(flags.json ? renderJson({ enabled: false, reason: 'disabled' }) : text.DISABLED_GUARD);
    const branch = readBranch(repo);
    const session = flags.session || undefined;
    if (!(flags.target || flags.commit || flags.checkpoint)) return list(branch, session, flags);
    const { explainOne } = await import('./one.ts');
    if (flags.checkpoint) return explainOne(branch, await findCheckpoint(branch, flags.checkpoint), flags);
    if (flags.commit) return explainOne(branch, await findByCommit(branch, flags.commit), flags);
    const lines = parseFileLines(flags.target ?? '');
    const writer = lines && (await (await import('./lines.ts')).nameWriter(repo, lines));
    const named = await findNamed(branch, writer?.word ?? flags.target ?? '', EXPLAINED);
    switch (named.kind) {
      case 'session':
        return list(branch, named.id, flags);
      case 'checkpoint':
        // A summary is always of the latest one.
        return explainOne(
          branch,
          ofSession(await findCheckpoint(branch, named.id), flags.generate ? undefined : writer?.session),
          flags,
        );
      case 'commit':
        return explainOne(branch, await followCommit(branch, named.row), flags);
      default: {
        const { explainTurn } = await import('./turn.ts');
        return explainTurn(branch, named, flags);
      }
    }
  },
});

/** A checkpoint without its other sessions; with all of them where it has none of that one. */
function ofSession(found: Found, sessionId: string | undefined): Found {
  if (found.kind === 'temporary') return found;
  const slots = found.checkpoint.slots.filter(({ metadata }) => metadata.sessionId === sessionId);
  return slots.length === 0 ? found : { ...found, checkpoint: { ...found.checkpoint, slots } };
}

const EXPLAINED = {
  kinds: ['checkpoint', 'commit', 'session', 'turn', 'step'],
  command: 'entire explain',
  byTitle: true,
  forFiles: text.filesHint,
} as const satisfies Sought;

/** @throws {EntireError} `BAD_FLAGS` for flags that do not go together */
function refuseContradictions(flags: ExplainFlags): void {
  const refuse = (message: string): never => {
    throw new EntireError('BAD_FLAGS', message);
  };
  const targets = [flags.target, flags.session, flags.commit, flags.checkpoint].filter(Boolean);
  if (targets.length > 1) refuse(text.SEVERAL_TARGETS);
  const isOne = Boolean(flags.checkpoint || flags.target);
  if (flags.generate && !isOne) refuse(text.needs('generate', text.CHECKPOINT_FLAG));
  if (flags.force && !flags.generate) refuse(text.needs('force', '--generate'));
  if (flags['raw-transcript'] && !isOne) refuse(text.needs('raw-transcript', text.CHECKPOINT_FLAG));
  for (const group of [
    ['short', 'full', 'raw-transcript'],
    ['generate', 'raw-transcript'],
    ['json', 'raw-transcript'],
  ] as const) {
    const given = group.filter((name) => flags[name]);
    if (given.length > 1) refuse(text.exclusiveGroup(group, given));
  }
}

async function list(branch: Branch, session: string | undefined, flags: ExplainFlags): Promise<void> {
  const found = await readPoints(branch, session);
  const groups = groupPoints(found.points);
  if (session !== undefined && groups.length === 0) refuseUnknown(branch, session);
  if (flags.json) {
    const { renderListJson } = await import('./json.ts');
    return say(renderListJson(branch, groups, session, found));
  }
  if (found.missing.length > 0) warn(text.missingCheckpoints(found.missing.length));
  if (found.forgotten.length > 0) warn(text.forgottenCheckpoints(found.forgotten.length));
  const commits = found.points.flatMap(({ checkpoint, commit }) => (checkpoint ? commit.oid : []));
  const shown = withLinks(
    branch.repo,
    fitted(tinted(renderList(branch, groups, session, terminalWidth()), TONES)),
    { commits },
  );
  await page(shown, flags['no-pager'] ?? false);
}

/** A session of which nothing is known, here or in another worktree, over or not. @throws {EntireError} `NOT_FOUND` */
function refuseUnknown({ repo }: Branch, named: string): void {
  const isIts = ({ sessionId }: { readonly sessionId: string }): boolean => sessionId.startsWith(named);
  if (listStates(sessionsDir(repo.commonDir)).states.some(isIts)) return;
  const stone = listTombstones(repo.commonDir).find(isIts);
  if (stone) throw new EntireError('NOT_FOUND', text.sessionForgotten(stone));
  throw new EntireError('NOT_FOUND', text.sessionNotFound(named), { hint: text.SESSIONS_HINT });
}
