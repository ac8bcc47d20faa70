import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AGENTS, type AgentName } from '../../../src/agents/names.ts';

export const AGENT_NAMES = Object.keys(AGENTS).sort() as AgentName[];

const folderOf = (agent: AgentName): string => resolve(import.meta.dirname, '../../fixtures', agent);

/** Files below a folder, absolute, in the order of their names. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
}

/** One payload that the real client has sent to its hooks. @param name of its file in the agent's folder, without `.json` */
export const readPayload = (agent: AgentName, name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folderOf(agent), `${name}.json`), 'utf8'));

/** The names of those right in the agent's folder, as {@link readPayload} takes them. */
export const payloadNames = (agent: AgentName): string[] =>
  readdirSync(folderOf(agent)).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []));

/** What the real client has sent to its hooks, by the name of the file. */
export const payloadsOf = (agent: AgentName): ReadonlyMap<string, unknown> =>
  new Map(
    filesBelow(folderOf(agent))
      .filter((path) => path.endsWith('.json') && !path.includes('/transcripts/'))
      .map((path) => [path, JSON.parse(readFileSync(path, 'utf8')) as unknown]),
  );

/** Transcripts that the real client has written, by the name of the file. */
export const transcriptsOf = (agent: AgentName): ReadonlyMap<string, string> =>
  new Map(
    filesBelow(join(folderOf(agent), 'transcripts'))
      .filter((path) => /\.jsonl?$/.test(path))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
