/**
 * Runs the command in its arguments on its own standard input and prints that command's peak resident memory in
 * bytes. Compiled with Bun, whose `spawnSync` reports what the kernel counted. What the command prints goes to the file
 * that `PEAK_OUTPUT` names, if any.
 */
declare const Bun: {
  file(path: string): unknown;
  spawnSync(
    command: readonly string[],
    options: { stdin: 'inherit'; stdout: unknown; stderr: 'ignore' },
  ): { exitCode: number; resourceUsage: { maxRSS: number } };
};

const { PEAK_OUTPUT: output } = process.env;
const { exitCode, resourceUsage } = Bun.spawnSync(process.argv.slice(2), {
  stdin: 'inherit',
  stdout: output ? Bun.file(output) : 'ignore',
  stderr: 'ignore',
});
console.log(resourceUsage.maxRSS);
process.exitCode = exitCode;
