import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { AGENTS } from '../../src/agents/names.ts';
import { CAPTURED, findAll, promptLines, putCaptured, putSession } from '../support/command/search.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

const ID = 'f947edb3-1e50-4344-8bf1-34bcf22d5471';

/** A word of the prompt, where that has no `please`. */
const PROMPTS: Readonly<Record<string, string>> = { pi: 'go' };

describe('sessions that no hook has seen', () => {
  for (const own of CAPTURED) {
    const [agent, id] = own;
    variation(`a captured one of ${agent}: its prompts, answers, commands and files`, (repo) => {
      repo.init();
      putCaptured(repo, own);
      const all = [...findAll(repo, 'txt', '--limit', '50'), ...findAll(repo, PROMPTS[agent] ?? 'please')];
      const whose = new Set(all.map((hit) => `${hit.session_id} ${hit.agent}`));
      expect(whose).toEqual(new Set([`${id} ${AGENTS[agent].type}`]));
      expect(all.every(({ commit, checkpoint, turn }) => !commit && !checkpoint && !turn)).toBe(true);
      expect(new Set(all.map(({ kind }) => kind))).toContain('file');
      expect(all.at(-1)).toMatchObject({ kind: 'prompt' });
      expect(findAll(repo, 'txt', '--agent', agent).length).toBeGreaterThan(0);
    });
  }

  scenario('those of other folders are found with --all, and lie in no repository', (repo) => {
    repo.init();
    const elsewhere = realpathSync(repo.scratch);
    putSession(repo, ID, promptLines(ID, elsewhere, 'mend the carillon'), elsewhere);
    expect(findAll(repo, 'carillon')).toEqual([]);
    expect(findAll(repo, 'carillon', '--all')).toMatchObject([
      { session_id: ID, folder: elsewhere, turn: null },
    ]);
    expect(repo.entire('search', 'carillon', '--all').stdout).toMatch(
      /^f947edb3 {2}Claude {2}2026-01-01|^f947edb3 {2}Claude {2}Jan 01/,
    );
    expect(repo.run('grep', ['-rl', 'carillon', '.git']).stdout).toBe('');
    const below = join(repo.dir, 'packages');
    mkdirSync(below);
    const other = `1${ID.slice(1)}`;
    putSession(repo, other, promptLines(other, below, 'tune the carillon'), below);
    expect(findAll(repo, 'carillon')).toMatchObject([{ session_id: other }]);
    expect(
      findAll(repo, 'carillon', '--all')
        .map(({ session_id }) => session_id)
        .sort(),
    ).toEqual([other, ID]);
  });
});
