import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { describe } from 'vitest';
import { AGENTS } from '../../src/agents/names.ts';
import { transcriptFormatOf } from '../../src/agents/registry.ts';
import { AGENT_NAMES, transcriptsOf } from '../support/agent/agent-fixtures.ts';
import { variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';
import { commitAt } from '../support/repository/told-repo.ts';
import { expectGolden } from '../support/runner/golden.ts';

/** As much of it as is the same in every run. */
const idOf = (name: string): string => createHash('sha1').update(name).digest('hex').slice(0, 12);

/** What a sub-agent wrote stands beside the transcript of its session, as it is stored. */
function subAgentsOf(
  path: string,
  calls: readonly string[],
  all: ReadonlyMap<string, string>,
): Record<string, string> {
  const [own] = [...all].filter(([other]) => other.startsWith(path.replace(/\.jsonl$/, '--agent')));
  return own ? Object.fromEntries(calls.map((call) => [`tasks/${call}/agent-1.jsonl`, own[1]])) : {};
}

describe('the story of each transcript that a real client wrote, wherever its worktree was', () => {
  for (const agent of AGENT_NAMES)
    variation(agent, (repo) => {
      repo.variables = { TZ: 'UTC', ENTIRE_TEST_TTY: '1' };
      repo.init();
      const { type } = AGENTS[agent];
      const all = transcriptsOf(agent);
      const shown = [...all]
        .filter(([path]) => !path.endsWith('.settings.json'))
        .map(([path, transcript]) => {
          const id = idOf(basename(path));
          const touched = transcriptFormatOf(type)
            .readFilesTouched(transcript)
            .map((file) => file.replace('/repo/', ''));
          const metadata = {
            agent: type,
            files_touched: touched,
            token_usage: {
              ...{ input_tokens: 1500, cache_creation_tokens: 200, cache_read_tokens: 1000 },
              ...{ output_tokens: 70, api_call_count: 3 },
            },
          };
          store(repo, {
            [id]: {
              ...checkpointFiles(id, { session: 'bee76f83-58dd-4892-8e75', transcript, metadata }),
              ...subAgentsOf(path, transcriptFormatOf(type).readEdits(transcript).agents, all),
            },
          });
          commitAt(repo, '2026-01-02T03:04:05+00:00', `${basename(path)}\n\nEntire-Checkpoint: ${id}`);
          return repo.entire('explain', 'HEAD').stdout.replaceAll(id, '<id>');
        });
      expectGolden(repo, `stories/${agent}.txt`, shown.join('\n════\n'));
    });
});
