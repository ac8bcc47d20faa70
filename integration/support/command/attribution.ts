import type { TestRepo } from '../repository/test-repo.ts';

/** So many lines that nobody else writes. */
export const lines = (name: string, count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `${name} ${index + from}\n`).join('');

/** `initial_attribution` of a session in a checkpoint. */
// biome-ignore lint/suspicious/noExplicitAny: a document of the format as it is
export const attributionOf = (repo: TestRepo, id: string | undefined, slot = 0): any =>
  repo.storedJson(id as string, `${slot}/metadata.json`).initial_attribution;

/** All of it by the agent. */
export const all = (agent: number) => ({
  agent_lines: agent,
  human_added: 0,
  human_modified: 0,
  human_removed: 0,
  total_committed: agent,
  agent_percentage: 100,
});
