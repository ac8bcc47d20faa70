/**
 * Plays one session that was captured from the real Claude Code through the hooks of the build in `dist`, in a
 * throw-away repository, and shows at each step what `entire` recorded. Fails when something is not as promised.
 * `--keep` leaves the repository behind.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkEnd, checkStep, Promises } from './demo/promises.ts';
import {
  type Commit,
  checkpointFolder,
  listShadowBranches,
  listStored,
  readClaims,
  readState,
  readStored,
  readTracked,
  readVerdicts,
} from './demo/records.ts';
import { type Plot, playSession, type Step } from './demo/session.ts';
import {
  accent,
  bad,
  dim,
  good,
  type Line,
  line,
  renderLine,
  renderTable,
  strong,
  wantsColour,
} from './demo/text.ts';
import { World } from './demo/world.ts';

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
const colour = wantsColour(process.stdout);
const print = (text: Line = []): void => console.log(renderLine(text, colour));

const world = new World();
// Ctrl-C ends the command that is running, which ends the session; the folder is removed all the same.
process.on('SIGINT', () => {});
try {
  run();
} catch (error) {
  print(line(bad(`\n✗ ${world.shown((error as Error).message)}\n`)));
  const log = join(world.project, '.entire', 'logs', 'entire.log');
  if (existsSync(log))
    print(line(dim(`.entire/logs/entire.log ends:\n${readFileSync(log, 'utf8').slice(-2000)}`)));
  if (!values.keep) print(line('Run `npm run demo -- --keep` to look at the repository.'));
  process.exitCode = 1;
} finally {
  if (values.keep)
    print(line(`\nKept: ${world.project}  (HOME=${world.home}, entire in ${world.dir}/prefix/bin)`));
  else world.remove();
}

function run(): void {
  const promises = new Promises();
  const played: Step[] = [];
  const { plot, steps } = playSession(world);
  print(line(dim(world.must('entire', 'version').stdout.trim().replaceAll('\n', ', '))));
  print(
    line(dim('Claude Code session '), plot.sessionId, dim(', captured from the real client, played again')),
  );
  let number = 0;
  for (const step of steps) {
    print();
    print(line(accent(`${++number}  `), strong(step.title)));
    for (const { command, output } of step.typed) {
      print(line('   ', strong(`$ ${command}`)));
      for (const text of lines(output)) print(line(dim(`     ${world.shown(text)}`)));
    }
    for (const { event, command, ms } of step.hooks)
      print(line(dim('   hook     '), `${event} → ${command}`, dim(`  ${ms.toFixed(1)} ms`)));
    for (const [kind, text] of describeRecords(plot, step)) print(line(dim(`   ${kind.padEnd(9)}`), text));
    checkStep(promises, world, plot, step);
    played.push(step);
  }
  const linked = checkEnd(promises, world, plot);
  printEnd(linked, played);
  print(line('\n', strong('Kept promises')));
  for (const promise of promises.kept) print(line(good('  ✓ '), promise));
}

/** What lies in the repository after a step, each with the place where it lies. */
function describeRecords(plot: Plot, { name, hooks }: Step): [string, string][] {
  const facts: [string, string][] = [];
  for (const { reply } of hooks) if (reply !== '') facts.push(['reply', reply.trim()]);
  if (name !== 'enable' && name !== 'start') {
    const tracked = readTracked(world, plot.sessionId);
    const state = readState(world, plot.sessionId);
    const waiting = readClaims(world).length > 0 ? `, claimed: ${readClaims(world).join(' ')}` : '';
    facts.push(['tracked', `${tracked === undefined ? '(no tracking file)' : tracked.join(' ')}${waiting}`]);
    if (state) {
      const touched = state.files_touched?.join(' ') ?? 'none';
      const steps = `${state.checkpoint_count} step${state.checkpoint_count === 1 ? '' : 's'}`;
      facts.push([
        'state',
        `${state.phase}, base ${state.base_commit.slice(0, 7)}, ${steps}, files touched: ${touched}`,
      ]);
    }
  }
  const shadows = listShadowBranches(world);
  for (const { name: branch, tip, subject } of shadows)
    facts.push(['shadow', `${branch} at ${tip} “${subject}”`]);
  if (shadows.length === 0 && name === 'secondCommit') facts.push(['shadow', '(no shadow branch left)']);
  const verdict = readVerdicts(world).at(-1);
  if (verdict && ['enable', 'firstCommit', 'secondCommit'].includes(name)) {
    const where = [verdict.checkpoint, ...verdict.sessions].filter(Boolean).join(', session ');
    facts.push(['verdict', `${verdict.commit.slice(0, 7)} ${verdict.reason}${where ? `: ${where}` : ''}`]);
  }
  return facts;
}

function printEnd(linked: readonly Commit[], played: readonly Step[]): void {
  print(line('\n', strong('Trailers')));
  for (const { id, subject, checkpoints } of linked)
    print(
      line(
        `  ${id.slice(0, 7)}  ${subject.padEnd(16)}  `,
        accent(`Entire-Checkpoint: ${checkpoints.join(' ')}`),
      ),
    );
  print(line('\n', strong('$ git ls-tree -r --name-only entire/checkpoints/v1')));
  for (const path of listStored(world)) print(line(`  ${path}`));
  print(line('\n', strong('files_touched')));
  for (const { checkpoints } of linked) {
    const root = JSON.parse(readStored(world, `${checkpointFolder(checkpoints[0] ?? '')}/metadata.json`));
    print(line(`  ${checkpoints[0]}  ${(root as { files_touched: string[] }).files_touched.join(' ')}`));
  }
  print(
    line(
      '\n',
      strong('How long each hook took'),
      dim(' (one run each, on this machine as it is now; `npm run bench` measures)'),
    ),
  );
  const rows = played.flatMap(({ hooks }, step) =>
    hooks.map(({ event, ms }) => [String(step + 1), event, `${ms.toFixed(1)} ms`]),
  );
  for (const row of renderTable(rows, [2])) print(line(`  ${row}`));
  print(line('\n', strong('$ entire status')));
  for (const text of lines(world.must('entire', 'status').stdout)) print(line(`  ${world.shown(text)}`));
}

function lines(text: string): string[] {
  return text.split('\n').filter((one) => one !== '');
}
