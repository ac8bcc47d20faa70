import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from './random.ts';
import { git, type World } from './world.ts';

/**
 * State files of sessions that are over, as months of work leave them behind: most ended, every fifth never
 * closed; all of them condensed, none with work that waits for a commit.
 */
export function writeOldSessions(world: World, repo: string, count: number): void {
  const dir = join(repo, '.git/entire-sessions');
  const head = git(world, repo, 'rev-parse', 'HEAD');
  const random = createRandom(4711);
  if (count > 0) mkdirSync(dir, { recursive: true, mode: 0o750 });
  for (let at = 0; at < count; at++) {
    const id = random.uuid();
    const day = new Date(1_780_000_000_000 + at * 3_600_000).toISOString();
    const state = {
      session_id: id,
      cli_version: '0.4.4',
      base_commit: head,
      attribution_base_commit: head,
      worktree_path: repo,
      started_at: day,
      ...(at % 5 === 0 ? { phase: 'idle' } : { ended_at: day, phase: 'ended' }),
      turn_id: random.hex(12),
      last_interaction_time: day,
      checkpoint_count: 0,
      checkpoint_transcript_start: 10 + random.int(900),
      last_checkpoint_id: random.hex(12),
      agent_type: 'Claude Code',
      transcript_path: join(world.home, '.claude/projects/old', `${id}.jsonl`),
      first_prompt: random.text(80),
    };
    writeFileSync(join(dir, `${id}.json`), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  }
}
