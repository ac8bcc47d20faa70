export async function runAgentHook(name: string, verb: string | undefined): Promise<void> {
  void name;
  void verb;
}
