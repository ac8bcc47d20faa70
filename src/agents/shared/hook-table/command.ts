import type { HookTable } from './table.ts';

type Names = Pick<HookTable, 'agent' | 'formerly' | 'projectVariable'>;

/** The command of a hook. `|| true`: a machine without `entire` is not bothered. */
export const hookCommand = ({ agent }: Pick<Names, 'agent'>, verb: string): string =>
  `entire hooks ${agent} ${verb} || true`;

export type OwnCommand =
  /** Runs one of our hook verbs and nothing else, whichever release wrote it. */
  | { readonly kind: 'hook'; readonly verb: string }
  /** Runs one of our hook verbs, with something of the user's own behind it. */
  | { readonly kind: 'extended'; readonly verb: string }
  /** Begins like ours, but is no hook of this agent, such as `entire status`. */
  | { readonly kind: 'other' };

const ABSOLUTE = /^(?:'[^']*[/\\]entire(?:\.exe)?'|"[^"]*[/\\]entire(?:\.exe)?"|\/\S*\/entire)(?=\s+hooks )/;
const VERB = /^\s+(?:hooks ([\w-]+) |rewind claude-hook --)([\w-]+)\s*(.*)$/s;
/** Later releases' form, which says something where the program is missing. */
const WRAPPED = /^sh -c '.*\bexec entire hooks ([\w-]+) ([\w-]+)'\s*$/s;

/** Reads a command from a settings file of an agent; `undefined` for one that is not ours. */
export function parseHookCommand(names: Names, command: unknown): OwnCommand | undefined {
  if (typeof command !== 'string') return undefined;
  const isNamed = (name: string): boolean => name === names.agent || names.formerly?.includes(name) === true;
  const [, agent, inner] = WRAPPED.exec(command) ?? [];
  if (agent !== undefined && inner !== undefined && isNamed(agent)) return { kind: 'hook', verb: inner };
  const launcher = findLauncher(names, command) ?? ABSOLUTE.exec(command)?.[0];
  if (launcher === undefined) return undefined;
  const [, named, verb, rest] = VERB.exec(command.slice(launcher.length)) ?? [];
  // Without a name of an agent it is the oldest form of all, which only one agent ever had.
  if (verb === undefined || !isNamed(named ?? 'claude-code')) return { kind: 'other' };
  return { kind: rest === '' || rest === '|| true' ? 'hook' : 'extended', verb };
}

/** `entire`, or the program as development builds of other releases started it. */
function findLauncher({ projectVariable }: Names, command: string): string | undefined {
  if (/^entire\s/.test(command)) return 'entire';
  const [, variable] = /^go run "?\$\{(\w+)\}"?\/cmd\/entire\/main\.go(?=\s)/.exec(command) ?? [];
  if (variable === undefined || variable !== projectVariable) return undefined;
  return command.slice(0, command.indexOf('main.go') + 'main.go'.length);
}
