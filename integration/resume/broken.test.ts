import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { line, PAST, replacedLogs, withFeature } from '../support/command/resume.ts';
import { FAULTY } from '../support/faults/host.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

beforeAll(compileFaulty);

const OLD = line('older', PAST);

/** Restores over an older log while one operation fails; returns the operations there were. */
function resumeWith(repo: TestRepo, session: AgentSession, id: string, fault: string): string[] {
  writeFileSync(session.transcript, OLD);
  rmSync(join(repo.commonDir, 'entire', 'replaced-logs'), { recursive: true, force: true });
  const report = join(repo.scratch, 'report');
  writeFileSync(report, '');
  const env = { ENTIRE_TEST_FAULT: fault, ENTIRE_TEST_FAULT_REPORT: report };
  repo.run(FAULTY, ['resume', id, '--force'], { env }); // the older log has a message of its own
  return readFileSync(report, 'utf8').split('\n').filter(Boolean);
}

describe('a resume that something goes wrong with', () => {
  for (const kind of ['killed', 'ENOSPC', 'EACCES', 'EIO', 'answer lost']) {
    variation(
      `${kind} at any operation of the disk: the log is the old or the new one, and none is lost`,
      (repo) => {
        const { session, id } = withFeature(repo);
        const stored = session.read();
        const operations = resumeWith(repo, session, id, 'none:0');
        expect(session.read()).toBe(stored);
        const writes = operations.flatMap((text, index) =>
          /^(openSync w|(write|writeFile|link|mkdir|rename|rm|chmod|fsync|close)Sync )/.test(text)
            ? [index + 1]
            : [],
        );
        expect(writes.length).toBeGreaterThan(5);
        for (const at of writes) {
          resumeWith(repo, session, id, `${kind}:${at}`);
          const where = `${kind} at ${operations[at - 1]}`;
          const now = session.read();
          expect([OLD, stored], where).toContain(now);
          if (now === stored) expect(replacedLogs(repo, session.id), where).toContain(OLD);
          const names = readdirSync(dirname(session.transcript)).filter((name) => name.endsWith('.jsonl'));
          expect(names, where).toEqual([`${session.id}.jsonl`]);

          repo.entire('resume', id, '--force');
          expect(session.read(), where).toBe(stored);
          expect(replacedLogs(repo, session.id), where).toContain(OLD);
        }
      },
    );
  }

  variation('what a killed one left in the agent’s folder goes with the next', (repo) => {
    const { session, id } = withFeature(repo);
    const [abandoned, fresh] = ['1', '2'].map((pid) => `${session.transcript}.${pid}-0123456789ab.tmp`) as [
      string,
      string,
    ];
    for (const file of [abandoned, fresh]) writeFileSync(file, 'half');
    utimesSync(abandoned, new Date(PAST), new Date(PAST));
    rmSync(session.transcript);
    repo.entire('resume', id);
    expect(statSync(fresh).size).toBe(4);
    expect(() => statSync(abandoned)).toThrow('ENOENT');
  });
});
