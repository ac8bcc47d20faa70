import { join, resolve } from 'node:path';
import { EntireError, errnoOf } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { readBranch } from '../../history/branch.ts';
import { toTraceRecord } from '../../origin/export/agent-trace.ts';
import { readTold, type ToldCommit } from '../../origin/export/attribution.ts';
import { renderGitAi } from '../../origin/export/git-ai.ts';
import { toOwnRecord } from '../../origin/export/own.ts';
import { type WantedNote, writeGitAiNotes } from '../../origin/export/write-notes.ts';
import { readRange } from '../../origin/range.ts';
import { workIn } from '../../strategy/work.ts';
import { defineCommand, UsageError } from '../command.ts';
import { exclusive } from '../messages.ts';
import { withProgress } from '../ui/progress.ts';
import { readJudging, requireRepo } from '../ui/repo.ts';
import { say, warn } from '../ui/terminal.ts';
import * as text from './text.ts';

const FORMATS = ['git-ai', 'agent-trace', 'json'] as const;
type Format = (typeof FORMATS)[number];

export const exportCommand = defineCommand({
  positionals: { range: { type: 'string', describe: text.FLAGS.range } },
  options: {
    format: { type: 'string', choices: FORMATS, describe: text.FLAGS.format },
    output: { type: 'string', alias: 'o', describe: text.FLAGS.output },
    'write-notes': { type: 'boolean', describe: text.FLAGS.writeNotes },
  },
  completes: { range: 'commit', output: 'file' },
  examples: [
    'entire export --format git-ai --write-notes',
    'entire export --format agent-trace > trace.jsonl',
    'entire export --format json -o authorship',
  ],
  async run({ range: named, format, output, 'write-notes': writesNotes }) {
    if (format === undefined) throw new UsageError(text.NO_FORMAT, 'export');
    if (writesNotes && format !== 'git-ai') throw new EntireError('BAD_FLAGS', text.NOTES_ONLY);
    if (writesNotes && output !== undefined)
      throw new EntireError('BAD_FLAGS', exclusive('output', 'write-notes'));
    const repo = await requireRepo('export');
    const branch = readBranch(repo);
    const { commits, tip, cutOff } = readRange(branch, named);
    const revision = tip ?? commits[0]?.oid;
    const folder = output === undefined ? undefined : resolve(output);
    if (folder !== undefined) makeFolder(folder, output ?? '');
    const notes: WantedNote[] = [];
    let [written, nothing] = [0, 0];
    const missing = new Set<string>();
    const take = (told: ToldCommit): void => {
      const { oid } = told.commit;
      if (told.isUnread) warn(text.unread(oid));
      if (told.isMissing) missing.add(oid);
      const rendered = render(told, format);
      if (rendered === undefined) nothing++;
      else if (writesNotes) notes.push({ commit: oid, text: rendered });
      else if (folder === undefined) process.stdout.write(asPrinted(oid, rendered, format));
      else {
        writeFileAtomic(join(folder, `${oid}.${format === 'git-ai' ? 'note' : 'json'}`), rendered);
        written++;
      }
    };
    await withProgress(async ({ step }) => {
      if (!revision) return;
      const onProgress = (done: number) => step('Reading commits', done, commits.length);
      const question = { revision, ...readJudging(repo), onProgress };
      for await (const told of readTold(workIn(repo), branch.store, commits, question)) take(told);
    });
    if (cutOff > 0) warn(text.cutOff(cutOff));
    if (missing.size > 0) warn(text.missing(missing.size));
    if (folder !== undefined) say(text.filesWritten(written, output ?? ''));
    if (!writesNotes) return;
    const result = await withProgress(({ step }) =>
      writeGitAiNotes(branch.git, notes, (done) => step('Writing notes', done, notes.length)),
    );
    say(text.notesWritten(result, nothing));
  },
});

/** @throws {EntireError} `WRITE_FAILED` where there can be none */
function makeFolder(folder: string, asked: string): void {
  try {
    disk.mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const why = text.NO_FOLDER[errnoOf(cause) ?? ''];
    if (why === undefined) throw cause;
    throw new EntireError('WRITE_FAILED', text.noFolder(asked, why), { hint: text.FOLDER_HINT, cause });
  }
}

function render(told: ToldCommit, format: Format): string | undefined {
  if (format === 'git-ai') {
    const note = renderGitAi(told);
    for (const path of note.leftOut) warn(text.leftOut(told.commit.oid, path));
    return note.text;
  }
  const record = format === 'json' ? toOwnRecord(told) : toTraceRecord(told);
  return record && `${JSON.stringify(record)}\n`;
}

/** Notes of several commits stand below one another, each behind a line with its commit; records are lines as they are. */
const asPrinted = (commit: string, rendered: string, format: Format): string =>
  format === 'git-ai' ? `commit ${commit}\n${rendered}\n` : rendered;
