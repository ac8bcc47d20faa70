/** What the settings writer of every agent offers. */
export interface AgentSettings {
  /** Settings file, relative to the worktree root. */
  readonly file: string;
  install(place: SettingsPlace, options?: { readonly force?: boolean }): InstallReport;
  uninstall(place: SettingsPlace): number;
  inspect(place: Pick<SettingsPlace, 'root'>): AgentHooks;
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
  /** Whether older releases' deny rule is there, which makes the agent ask for leave on unrelated reads. */
  readonly denyRule: boolean;
}
