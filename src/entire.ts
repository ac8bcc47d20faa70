// The entry of both builds. Looks at argv and loads only what that call needs.
const [group, name, verb] = process.argv.slice(2);

/** `ENTIRE=0` switches every hook off before it is loaded; that a commit was made so is noted. */
const isOff = process.env.ENTIRE === '0' && !(name === 'git' && verb === 'post-commit');

try {
  if (group === 'hooks' && isOff) {
    // Not even the payload is read.
  } else if (group === 'hooks' && verb === 'post-file-edit') {
    const { AGENTS, parseAgentName } = await import('./agents/names.ts');
    const agent = parseAgentName(name);
    if (agent) {
      const { runPostFileEdit } = await import('./hooks/post-file-edit.ts'); // node: built-ins only, as all that follows
      runPostFileEdit(AGENTS[agent].type, await AGENTS[agent].loadHooks());
    } else if (name !== undefined)
      await (await import('./hooks/agent/agent-hook.ts')).runAgentHook(name, verb);
  } else if (group === 'hooks' && verb === 'post-file-read') {
    const { AGENTS, parseAgentName } = await import('./agents/names.ts');
    const agent = parseAgentName(name);
    if (agent) {
      const { runPostFileRead } = await import('./hooks/post-file-read.ts');
      runPostFileRead(await AGENTS[agent].loadHooks());
    }
  } else if (group === 'hooks' && name === 'git') {
    const { runGitHook } = await import('./hooks/git/git-hook.ts');
    await runGitHook(process.argv.slice(4));
  } else if (group === 'hooks' && name === 'summaries') {
    await (await import('./hooks/agent/summaries.ts')).runSummaries(verb);
  } else if (group === 'hooks' && name === 'gc') {
    await (await import('./hooks/agent/snapshot-gc.ts')).runSnapshotGc(verb);
  } else if (group === 'hooks' && name === 'long-transcript') {
    await (await import('./hooks/agent/long-transcripts.ts')).runTakingIn(verb, process.argv[5]);
  } else if (group === 'hooks' && name !== undefined && !name.startsWith('-')) {
    const { runAgentHook } = await import('./hooks/agent/agent-hook.ts');
    await runAgentHook(name, verb);
  } else if (group === 'statusline') {
    const { parseFlags, runStatusLine } = await import('./cli/statusline/run.ts'); // node: built-ins only
    const flags = parseFlags(process.argv.slice(3));
    if (flags) runStatusLine(flags);
    else await (await import('./cli/main.ts')).main(process.argv.slice(2));
  } else {
    const { main } = await import('./cli/main.ts'); // yargs, simple-git
    await main(process.argv.slice(2));
  }
} catch (error) {
  // Only a damaged installation gets here: a hook still must not hurt the agent or the commit.
  if (group !== 'hooks') throw error;
  if (process.env.ENTIRE_DEBUG) process.stderr.write(`[entire] ${String(error)}\n`);
}

export {};
