/**
 * Runs the command in its arguments on its own standard input and prints that command's peak resident memory in
 * bytes. Compiled with Bun, whose `spawnSync` reports what the kernel counted.
 */
declare const Bun: {
  spawnSync(
    command: readonly string[],
    options: { stdin: 'inherit'; stdout: 'ignore'; stderr: 'ignore' },
  ): { exitCode: number; resourceUsage: { maxRSS: number } };
};

const { exitCode, resourceUsage } = Bun.spawnSync(process.argv.slice(2), {
  stdin: 'inherit',
  stdout: 'ignore',
  stderr: 'ignore',
});
console.log(resourceUsage.maxRSS);
process.exitCode = exitCode;
