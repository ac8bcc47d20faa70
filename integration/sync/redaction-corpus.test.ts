import { expect } from 'vitest';
import { textsOf } from '../support/redaction/corpus.ts';
import { judgeText } from '../support/redaction/judge.ts';
import { variation } from '../support/repository/scenario.ts';

variation(
  'no secret of a generated corpus that redaction finds gets into a git object (I5)',
  async (repo) => {
    const texts = [...textsOf('known', 20_261, 0.4)].filter(
      ({ rendered }) => rendered.agent === 'claude-code',
    );
    const found: string[] = [];
    for (const text of texts) {
      const { right, all } = await judgeText(text);
      if (right === all) found.push(...text.secrets);
    }
    expect(found.length).toBeGreaterThanOrEqual(150);

    repo.ready();
    const session = repo.session();
    session.start();
    for (const { rendered } of texts) {
      const [prompt] = rendered.prompts;
      if (prompt !== undefined) session.prompt(prompt);
      for (const line of rendered.lines.trimEnd().split('\n')) session.write(JSON.parse(line));
    }
    session.edit('made.txt', 'made\n');
    session.stop();
    repo.commit('Add made', 'made.txt');
    session.end();

    const all = repo.git('cat-file', '--batch-check=%(objectname)', '--batch-all-objects');
    const everything = repo.gitWith({ input: all }, 'cat-file', '--batch');
    expect(everything).toContain('REDACTED');
    expect(everything.length).toBeGreaterThan(texts.length * 200);
    const quoted = (secret: string) => JSON.stringify(secret).slice(1, -1);
    const left = found.filter((secret) => everything.includes(secret) || everything.includes(quoted(secret)));
    expect(left).toEqual([]);
  },
);
