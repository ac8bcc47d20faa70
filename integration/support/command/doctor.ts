import { utimesSync } from 'node:fs';
import { expect } from 'vitest';
import type { TestRepo } from '../repository/test-repo.ts';

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly items: readonly string[];
  readonly detail: string | null;
  readonly fixable: boolean;
  readonly repair: { readonly done: boolean; readonly deeds: readonly { text: string }[] } | null;
}

/** What doctor finds here, by code. Programs without a PATH are a matter of the machine, and left out. */
export function diagnose(repo: TestRepo, ...flags: string[]): Map<string, Finding> {
  return diagnoseIn(repo, {}, ...flags);
}

/** {@link diagnose} with variables, or elsewhere. */
export function diagnoseIn(
  repo: TestRepo,
  options: { readonly env?: Record<string, string>; readonly cwd?: string },
  ...flags: string[]
): Map<string, Finding> {
  const { stdout, stderr, code } = repo.run('entire', ['doctor', '--json', ...flags], options);
  expect(stdout, stderr).not.toBe('');
  const report = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] };
  expect(code, stdout).toBe(report.healthy ? 0 : 1);
  const found = report.findings.filter((finding) => finding.code !== 'short-path');
  expect(new Set(found.map((finding) => finding.code)).size).toBe(found.length);
  return new Map(found.map((finding) => [finding.code, finding]));
}

/** Doctor finds exactly this, and nothing once it has repaired it. */
export function expectFixed(repo: TestRepo, code: string, left: readonly string[] = []): Finding {
  const found = diagnose(repo);
  expect([...found.keys()]).toEqual([code]);
  const fixed = diagnose(repo, '--fix').get(code);
  expect(fixed?.repair, JSON.stringify(fixed)).toMatchObject({ done: true });
  expect([...diagnose(repo).keys()]).toEqual(left);
  return found.get(code) as Finding;
}

/** As if a file had been written so long ago. */
export function age(file: string, minutes: number): void {
  const time = new Date(Date.now() - minutes * 60_000);
  utimesSync(file, time, time);
}
