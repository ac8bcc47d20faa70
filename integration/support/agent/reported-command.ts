import type { TestRepo } from '../repository/test-repo.ts';

/** A command whose changes the client reports, as hunks. */
export function report(
  repo: TestRepo,
  session: ReturnType<TestRepo['session']>,
  files: Record<string, string[]>,
) {
  const told = Object.entries(files).map(([path, lines]) => ({
    filePath: `${repo.dir}/${path}`,
    hunks: [{ lines }],
  }));
  const bashEditDiff = { files: told, moreFiles: 0, changedFiles: told.map(({ filePath }) => filePath) };
  const input = { command: 'true' };
  session.tool('Bash', input, { answer: { bashEditDiff } });
  session.hook('post-file-edit', 'PostToolUse-Bash-with-edit-diff', {
    tool_input: input,
    tool_response: { stdout: '', stderr: '', interrupted: false, bashEditDiff },
  });
}

/** Lines of a text as a hunk has them. */
export const rows = (mark: string, text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `${mark}${line}`);
