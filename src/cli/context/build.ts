import { join, relative, resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk, makePlainFolder } from '../../base/file/disk.ts';
import { createFileAtomic, writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { counted } from '../../base/text/text.ts';
import { type AggregatedFile, buildFileItems } from '../../context/aggregate/file-items.ts';
import { buildMarkdownFromItems } from '../../context/aggregate/markdown.ts';
import { asNamespace, writeNextOutput } from '../../context/aggregate/output-file.ts';
import { DiskStructureCache } from '../../context/aggregate/structure-cache.ts';
import { FileItem, VIEW_MODES } from '../../context/file-item.ts';
import { estimateTokens, type Fitted, fitBudget } from '../../context/fit-budget.ts';
import type { ContextPreset } from '../../context/preset/preset.ts';
import { ContextPresetManager } from '../../context/preset/presets.ts';
import { physicalPath, type Repo } from '../../git/locate.ts';
import { ensureExcluded } from '../../settings/gitignore.ts';
import { workIn } from '../../strategy/work.ts';
import { readWorkedFiles } from '../../strategy/worked-files.ts';
import { defineCommand, type FlagsOf } from '../command.ts';
import { chooseSession } from '../names/worktree-session.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, renderJson, say, sayAsIs, warn } from '../ui/terminal.ts';
import { findPreset, presetPlace } from './preset-choice.ts';

const options = {
  session: { type: 'string', describe: 'Take the files that this session modified and read' },
  view: { choices: VIEW_MODES, describe: 'How much is shown of files that need not stand there in full' },
  budget: {
    type: 'number',
    describe: 'Show less of the largest files, so that it has at most so many tokens',
  },
  out: { type: 'string', describe: 'Write to this file' },
  force: { type: 'boolean', alias: 'f', describe: 'Replace the file of --out' },
  stdout: { type: 'boolean', describe: 'Print the text instead of writing it' },
  json: { type: 'boolean', describe: 'Print a report as JSON' },
} as const;

type BuildFlags = FlagsOf<typeof options>;

export const buildCommand = defineCommand({
  positionals: { files: { type: 'string', array: true, describe: 'A preset, or paths and globs' } },
  options,
  completes: { files: 'file', session: 'session', out: 'file', view: VIEW_MODES },
  examples: [
    'entire context build src/parser docs/*.md',
    'entire context build --session 7f3a --budget 50000',
  ],
  run: async ({ files = [], ...flags }) => buildContext(await requireRepo('context'), files, flags),
});

/** Puts the files of a preset, of a session, or those that are named together, and writes or prints the text. */
async function buildContext(repo: Repo, names: readonly string[], flags: BuildFlags): Promise<void> {
  refuseContradictions(flags);
  const [name = ''] = names;
  const preset = names.length === 1 && !isFile(name) ? presetOf(repo, name) : undefined;
  const items = [
    ...(preset?.files ?? names.map((path) => new FileItem({ path: fromRoot(repo, path) }))),
    ...(flags.session === undefined ? [] : await filesOfSession(repo, flags.session)),
  ].map((item) => (flags.view === undefined ? item : item.with({ viewMode: flags.view })));
  if (items.length === 0)
    throw new EntireError('BAD_FLAGS', 'There is nothing to build a context of.', {
      hint: 'Name paths, a preset (`entire context presets`), or a session (`--session`).',
    });
  const { files, lowered, fits } = await build(repo, items, flags, preset);
  const markdown = render(repo, files, preset);
  if (files.every(({ error }) => error))
    throw new EntireError(
      'NOT_FOUND',
      files.map(({ content }) => content.replace(/^ERROR: /, '')).join('\n'),
      {
        hint: 'Nothing of this could be read, and no preset is called so: `entire context presets` lists them.',
      },
    );
  for (const { content } of files.filter(({ error }) => error)) warn(plain(content));
  for (const { name, from, to } of lowered)
    warn(plain(`${name}: ${to} instead of ${from}, to stay within the budget`));
  for (const told of summariesInPlace(files)) warn(plain(told));
  if (!fits)
    throw new EntireError(
      'BAD_FLAGS',
      `The context has about ${estimateTokens(markdown)} tokens, which is more than the budget of ${flags.budget}.`,
      {
        hint: 'Name fewer files, or give it a larger budget.',
      },
    );
  if (flags.stdout) return sayAsIs(markdown);
  const file = write(repo, markdown, flags, preset?.name);
  const tokens = estimateTokens(markdown);
  if (flags.json) return say(renderReport(file, tokens, files));
  say(plain(`${relative(process.cwd(), file)}: ${counted(files.length, 'file')}, about ${tokens} tokens`));
}

/** Files that are summaries although something else was asked for, with the reason; many of one reason in one line. */
function summariesInPlace(files: readonly AggregatedFile[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { name, view, notes } of files)
    for (const reason of view === 'summary' ? notes : [])
      byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [...byReason].map(([reason, [first = '', ...more]]) =>
    more.length === 0
      ? `${first}: ${reason}`
      : `${first} and ${counted(more.length, 'other file')}: ${reason}`,
  );
}

/** A folder cannot be shown, and presets are called as folders are. */
const isFile = (name: string): boolean =>
  disk.existsSync(resolve(name)) && !disk.statSync(resolve(name)).isDirectory();

const presetOf = (repo: Repo, name: string): ContextPreset | undefined =>
  findPreset(new ContextPresetManager({ root: repo.worktreeRoot }), name, presetPlace(repo));

function refuseContradictions({ out, stdout, json, budget }: BuildFlags): void {
  if (stdout && (out !== undefined || json))
    throw new EntireError(
      'BAD_FLAGS',
      'With --stdout the text is all that is printed, and nothing is written.',
      {
        hint: 'Leave out --out and --json, or --stdout.',
      },
    );
  if (budget !== undefined && (!Number.isSafeInteger(budget) || budget < 1))
    throw new EntireError('BAD_FLAGS', '--budget is a number of tokens, at least 1.');
}

/** Paths are those of the folder that one is in; items have them from the root of the worktree. */
function fromRoot({ worktreeRoot }: Repo, path: string): string {
  const inRepo = relative(worktreeRoot, resolve(path));
  return inRepo.startsWith('..') || inRepo === '' ? resolve(path) : inRepo;
}

/** Modified files first; not those that are gone by now. */
async function filesOfSession(repo: Repo, named: string): Promise<FileItem[]> {
  const work = workIn(repo);
  const { sessionId } = await chooseSession(work, named, 'entire context build --session');
  const { modified, read } = readWorkedFiles(work, sessionId);
  return [...new Set([...modified, ...read])]
    .filter((path) => disk.existsSync(resolve(repo.worktreeRoot, path)))
    .map((path) => new FileItem({ path }));
}

async function build(
  repo: Repo,
  items: readonly FileItem[],
  { budget, out }: BuildFlags,
  preset: ContextPreset | undefined,
): Promise<Fitted> {
  const cache = new DiskStructureCache(join(repo.commonDir, 'entire', 'structures'));
  // Or each text would have the one before it in it.
  const output = out === undefined ? undefined : physicalPath(resolve(out));
  const leaveOut = (path: string): boolean => output !== undefined && physicalPath(path) === output;
  const files = await buildFileItems(repo.worktreeRoot, items, { cache, leaveOut });
  cache.dropOld();
  if (budget === undefined) return { files, lowered: [], fits: true };
  const showAgain = async (settings: FileItem): Promise<AggregatedFile | undefined> =>
    (await buildFileItems(repo.worktreeRoot, [settings], { cache }))[0];
  return fitBudget(files, budget, showAgain, (now) => render(repo, now, preset));
}

const render = (
  { worktreeRoot }: Repo,
  files: readonly AggregatedFile[],
  preset: ContextPreset | undefined,
): string => buildMarkdownFromItems(files, { baseDir: worktreeRoot, screenshots: preset?.screenshots ?? [] });

function write(
  { worktreeRoot, commonDir }: Repo,
  markdown: string,
  { out, force }: BuildFlags,
  name = 'context',
): string {
  if (out === undefined) {
    ensureExcluded(commonDir);
    makePlainFolder(worktreeRoot, ...OUTPUT);
    return writeNextOutput(join(worktreeRoot, ...OUTPUT), asNamespace(name), markdown);
  }
  const file = physicalPath(resolve(out)); // what a link leads to is what is written
  if (force) writeFileAtomic(file, markdown, { mode: 0o644 });
  else if (!createFileAtomic(file, markdown, { mode: 0o644 }))
    throw new EntireError('BAD_FLAGS', `${out} is there already.`, {
      hint: 'Name another file, or say --force to replace it; what it holds is not kept.',
    });
  return file;
}

const OUTPUT = ['.entire', 'tmp', 'context'];

const renderReport = (file: string, tokens: number, files: readonly AggregatedFile[]): string =>
  renderJson({
    output_file: file,
    tokens,
    files: files.map(({ name, view, error, content }) => ({
      path: name,
      view_mode: view ?? null,
      error: error ? content : null,
      tokens: estimateTokens(content),
    })),
  });
