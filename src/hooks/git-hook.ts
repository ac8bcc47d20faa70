export async function runGitHook(args: readonly string[]): Promise<void> {
  void args;
}
