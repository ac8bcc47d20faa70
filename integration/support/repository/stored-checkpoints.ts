import { createHash } from 'node:crypto';
import type { TestRepo } from './test-repo.ts';

/** Files of a checkpoint as other versions of the tool wrote them, by their path in its folder. */
export type StoredFiles = Readonly<Record<string, string | Uint8Array>>;

export const BRANCH = 'refs/heads/entire/checkpoints/v1';

/** Puts files on the metadata branch in one commit, byte for byte, with no code of the product. */
export function store(
  repo: TestRepo,
  checkpoints: Readonly<Record<string, StoredFiles>>,
  ref: string = BRANCH,
): void {
  const parent = repo.tryGit('rev-parse', '--verify', '--quiet', ref).stdout.trim();
  const parts: Uint8Array[] = [];
  const put = (text: string): void => void parts.push(Buffer.from(text));
  put(`commit ${ref}\ncommitter Ada <ada@example.com> 1767323045 +0000\ndata 5\nstore\n`);
  if (parent) put(`from ${parent}\n`);
  for (const [id, files] of Object.entries(checkpoints)) {
    for (const [path, content] of Object.entries(files)) {
      const data = Buffer.from(content);
      put(`M 100644 inline ${JSON.stringify(`${folderOf(id)}/${path}`)}\ndata ${data.length}\n`);
      parts.push(data, Buffer.from('\n'));
    }
  }
  put('\n');
  repo.gitWith({ input: Buffer.concat(parts) }, 'fast-import', '--quiet');
}

export const folderOf = (id: string): string => `${id.slice(0, 2)}/${id.slice(2)}`;

/** What one session of a checkpoint holds, in the words of the documented format. */
export interface SlotContent {
  readonly session: string;
  readonly prompts?: readonly string[];
  readonly transcript?: string;
  /** Keys of `metadata.json` beyond the ones that are always there, or instead of them. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The files of a checkpoint, as v0.4.4 writes them. */
export function checkpointFiles(id: string, ...slots: readonly SlotContent[]): Record<string, string> {
  const files: Record<string, string> = {};
  const touched = new Set<string>();
  const sessions = slots.map((slot, index) => {
    const transcript = slot.transcript ?? '';
    const prompts = (slot.prompts ?? []).join('\n\n---\n\n');
    const metadata = {
      cli_version: '0.4.4',
      checkpoint_id: id,
      session_id: slot.session,
      strategy: 'manual-commit',
      created_at: `2026-01-02T03:04:0${index}.25Z`,
      branch: 'main',
      checkpoints_count: 1,
      files_touched: ['a.txt'],
      agent: 'Claude Code',
      ...slot.metadata,
    };
    for (const file of Array.isArray(metadata.files_touched) ? metadata.files_touched : []) touched.add(file);
    files[`${index}/metadata.json`] = pretty(metadata);
    if (prompts) files[`${index}/prompt.txt`] = prompts;
    if (transcript) {
      files[`${index}/full.jsonl`] = transcript;
      files[`${index}/content_hash.txt`] = `sha256:${createHash('sha256').update(transcript).digest('hex')}`;
    }
    const dir = `/${folderOf(id)}/${index}`;
    return {
      metadata: `${dir}/metadata.json`,
      transcript: `${dir}/full.jsonl`,
      context: '',
      content_hash: `${dir}/content_hash.txt`,
      prompt: prompts ? `${dir}/prompt.txt` : '',
    };
  });
  const root = {
    cli_version: '0.4.4',
    checkpoint_id: id,
    strategy: 'manual-commit',
    branch: 'main',
    checkpoints_count: slots.length,
    files_touched: touched.size > 0 ? [...touched].sort() : null,
    sessions,
  };
  return { 'metadata.json': pretty(root), ...files };
}

const pretty = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
