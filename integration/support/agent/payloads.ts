import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process/builds.ts';

const folder = join(root, 'integration', 'fixtures', 'claude-code');

export type Payload = Record<string, unknown>;

/** A payload captured from the real client, moved to another repository and home. */
export function payload(name: string, places: { repo: string; home: string }): Payload {
  return JSON.parse(moved(readFileSync(join(folder, `${name}.json`), 'utf8'), places)) as Payload;
}

/** The lines of a transcript captured from the real client, moved likewise. */
export function transcriptLines(name: string, places: { repo: string; home: string }): string[] {
  const text = moved(readFileSync(join(folder, 'transcripts', `${name}.jsonl`), 'utf8'), places);
  return text.split('\n').filter(Boolean);
}

function moved(text: string, { repo, home }: { repo: string; home: string }): string {
  return text.replaceAll('/home/user', home).replaceAll(/\/repo(?=["/\\])/g, repo);
}
