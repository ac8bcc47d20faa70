/** What the settings writer of every agent offers. */
export interface AgentSettings {
  /** Settings file, relative to the worktree root. */
  readonly file: string;
  install(place: SettingsPlace, options?: { readonly force?: boolean }): InstallReport;
  uninstall(place: SettingsPlace): number;
  /**
   * @param options `anySyntax`: also where the client would not read the file, as for taking our hooks out of it
   * @throws {EntireError} `CONFIG_UNREADABLE` where the client or we cannot read the file
   */
  inspect(place: Pick<SettingsPlace, 'root'>, options?: { readonly anySyntax?: boolean }): AgentHooks;
  /** Our commands as they stand in the file, and when the agent runs them. */
  list(place: Pick<SettingsPlace, 'root'>): readonly HookCommand[];
}

/** A command of ours in an agent's settings. */
export interface HookCommand {
  /** In the agent's words. */
  readonly event: string;
  /** Which tools it is for; empty for all. */
  readonly matcher: string;
  readonly verb: string;
  /** As the agent gives it to a shell. */
  readonly command: string;
}

/** Where an agent's settings file is, and where we remember what it looked like before us. */
export interface SettingsPlace {
  /** Worktree root, physical. */
  readonly root: string;
  readonly recordFile: string;
}

export interface InstallReport {
  /** Hooks added, or brought up to date in their place. */
  readonly installed: number;
  /** Further commands of ours that were taken out: doubles, and entries at places no longer used. */
  readonly removed: number;
}

/** How our hooks stand in an agent's settings file. */
export interface AgentHooks {
  /** How many a complete installation has. */
  readonly expected: number;
  /** Those that are there exactly as we write them. */
  readonly current: number;
  /** Those that are there in another form: an older release's, a development one. */
  readonly outdated: number;
  /** Commands of ours beyond one for each hook; each of them makes something run twice. */
  readonly surplus: number;
  /** Things that other releases left there and that do harm by now; installing takes them out. */
  readonly obsolete: number;
  /** Settings without which the agent does not run our hooks, and that say something else. */
  readonly unmet: number;
}

// What clients read on a hook's stdout, as JSON.

/** Shown to the user. @see https://code.claude.com/docs/en/hooks#json-output */
export const systemMessage = (text: string): string => JSON.stringify({ systemMessage: text });

/** Told to the model, on the hook of that name. @see https://code.claude.com/docs/en/hooks#sessionstart-decision-control */
export const hookContext =
  (hookEventName: string) =>
  (text: string): string =>
    JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });

/** Told to the model, by clients that know of no events there, and by our own plugins. */
export const plainContext = (text: string): string => JSON.stringify({ additionalContext: text });
