/** Flags by the action of a command that takes them. */
export type ActionFlags<Action extends string = string> = Readonly<Record<Action, readonly string[]>>;

/** Whether a word is one of the actions of a table. */
export const isActionOf = <Action extends string>(table: ActionFlags<Action>, word: string): word is Action =>
  Object.hasOwn(table, word);

/** A flag that was given and is for other actions alone, in a sentence; `undefined` where there is none. */
export function foreignFlag<Action extends string>(
  table: ActionFlags<Action>,
  action: Action,
  flags: Readonly<Record<string, unknown>>,
): string | undefined {
  const known = new Set(Object.values<readonly string[]>(table).flat());
  const wrong = [...known].find((flag) => flags[flag] !== undefined && !table[action].includes(flag));
  return wrong === undefined ? undefined : `--${wrong} is not for ${action}`;
}
