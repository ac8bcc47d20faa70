import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';

for (const strategy of ['manual-commit', 'auto-commit'] as const) {
  variation(
    `${strategy}: a turn that changes nothing is redacted once, not again at each later stop`,
    (repo) => {
      repo.ready();
      repo.entire('enable', '--project', '--strategy', strategy);
      const session = repo.session();
      const taken = () => {
        const index = join(repo.commonDir, 'entire', 'transcripts', session.id, 'index.json');
        return JSON.parse(readFileSync(index, 'utf8')).size;
      };
      for (const word of ['first', 'second']) {
        session.prompt(`a ${word} question`);
        session.say(`a ${word} answer`);
        session.stop();
        expect(taken()).toBe(Buffer.byteLength(session.read()));
      }
    },
  );
}
