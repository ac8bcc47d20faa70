/** Makes repositories full of checkpoints, in the documented layout and with nothing of the product's code. */
import { createHash } from 'node:crypto';
import { createRandom } from './random.ts';
import { timed } from './timing.ts';
import { environment, git, type World } from './world.ts';

const SESSION_LENGTH = 10;
const TRANSCRIPT_LINES = 12;
const START = 1_700_000_000;

/** What a repository is filled with. */
export interface Filling {
  readonly checkpoints: number;
  /** Commits in all; those beyond the checkpoints name none, and lie evenly between the others. */
  readonly commits: number;
}

/**
 * Adds commits to `main` and their checkpoints to the metadata branch, with one `git fast-import`.
 *
 * @param changeOf what the n-th commit changes, as fast-import reads it; nothing without it
 */
export function fillWithCheckpoints(
  world: World,
  repo: string,
  { checkpoints, commits }: Filling,
  changeOf: (at: number) => string = () => '',
): string[] {
  const random = createRandom(checkpoints);
  const ids = Array.from({ length: checkpoints }, (_, at) =>
    createHash('sha256').update(`checkpoint ${at}`).digest('hex').slice(0, 12),
  );
  const every = Math.max(1, Math.floor(commits / checkpoints));
  const parts: string[] = [];
  const heads = {
    main: git(world, repo, 'rev-parse', 'main'),
    metadata: git(world, repo, 'rev-parse', METADATA),
  };
  for (let at = 0, checkpoint = 0; at < commits; at++) {
    const id = (at + 1) % every === 0 ? ids[checkpoint] : undefined;
    const time = START + 60 * at;
    const trailer = id === undefined ? '' : `\n\nEntire-Checkpoint: ${id}`;
    parts.push(
      commit('refs/heads/main', `Change number ${at}${trailer}\n`, time, at === 0 ? heads.main : undefined),
      changeOf(at),
    );
    if (id === undefined) continue;
    const message = `Checkpoint: ${id}\n\nEntire-Session: ${sessionOf(checkpoint)}\nEntire-Strategy: manual-commit\n`;
    parts.push(commit(METADATA, message, time, checkpoint === 0 ? heads.metadata : undefined));
    const files = checkpointFiles(id, checkpoint, time, (length) => random.text(length));
    for (const [path, text] of Object.entries(files))
      parts.push(`M 100644 inline ${id.slice(0, 2)}/${id.slice(2)}/${path}\n${data(text)}`);
    checkpoint++;
  }
  timed('git', ['fast-import', '--quiet', '--force'], {
    cwd: repo,
    env: environment(world),
    input: parts.join(''),
  });
  git(world, repo, 'reset', '-q', '--hard');
  return ids;
}

/** Adds files to the metadata branch, with one commit. */
export function addFiles(
  world: World,
  repo: string,
  files: readonly (readonly [path: string, text: string])[],
): void {
  const from = git(world, repo, 'rev-parse', METADATA);
  const parts = files.map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
  timed('git', ['fast-import', '--quiet', '--force'], {
    cwd: repo,
    env: environment(world),
    input: [commit(METADATA, 'More files\n', START, from), ...parts].join(''),
  });
}

const METADATA = 'refs/heads/entire/checkpoints/v1';

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

function commit(ref: string, message: string, time: number, from: string | undefined): string {
  const head = `commit ${ref}\ncommitter Bench <bench@example.com> ${time} +0000\n${data(message)}`;
  return from === undefined ? head : `${head}from ${from}\n`;
}

const sessionOf = (checkpoint: number): string => {
  const session = Math.floor(checkpoint / SESSION_LENGTH);
  return `5e551011-0000-4000-8000-${session.toString(16).padStart(12, '0')}`;
};

function checkpointFiles(
  id: string,
  checkpoint: number,
  time: number,
  words: (length: number) => string,
): Record<string, string> {
  const turn = checkpoint % SESSION_LENGTH;
  const prompts = Array.from({ length: turn + 1 }, (_, at) => `Prompt ${at} of ${sessionOf(checkpoint)}`);
  const lines = prompts.flatMap((prompt) => [
    { type: 'user', message: { role: 'user', content: prompt } },
    ...Array.from({ length: TRANSCRIPT_LINES - 1 }, () => ({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: words(200) }] },
    })),
  ]);
  const transcript = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const files_touched = [`packages/p0/src/d0/module-${turn}.ts`];
  const shared = {
    cli_version: '0.4.4',
    checkpoint_id: id,
    strategy: 'manual-commit',
    branch: 'main',
    checkpoints_count: 1,
    files_touched,
  };
  const dir = `/${id.slice(0, 2)}/${id.slice(2)}/0`;
  const slot = {
    ...shared,
    session_id: sessionOf(checkpoint),
    created_at: new Date(time * 1000).toISOString(),
    agent: 'Claude Code',
    checkpoint_transcript_start: turn * TRANSCRIPT_LINES,
  };
  const session = {
    metadata: `${dir}/metadata.json`,
    transcript: `${dir}/full.jsonl`,
    context: '',
    content_hash: `${dir}/content_hash.txt`,
    prompt: `${dir}/prompt.txt`,
  };
  return {
    'metadata.json': JSON.stringify({ ...shared, sessions: [session] }, undefined, 2),
    '0/metadata.json': JSON.stringify(slot, undefined, 2),
    '0/prompt.txt': prompts.join('\n\n---\n\n'),
    '0/full.jsonl': transcript,
    '0/content_hash.txt': `sha256:${createHash('sha256').update(transcript).digest('hex')}`,
  };
}
