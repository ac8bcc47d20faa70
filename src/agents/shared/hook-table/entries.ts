import { type JsonNode, propertyOf } from '../../../base/text/json-edit.ts';
import type { HookCommand } from '../hook-settings.ts';
import { hookCommand, type OwnCommand, parseHookCommand } from './command.ts';
import type { HookSlot, HookTable, JsonPath } from './table.ts';

/** A command of ours, where it stands. */
export interface Entry {
  readonly event: string;
  readonly matcher: string;
  readonly own: OwnCommand;
  readonly command: JsonNode;
  /** From the root to the hook. */
  readonly path: JsonPath;
}

/** Says what is wrong with the shape of the parts that we edit, and where; `undefined` when all is well. */
export function findWrongShape(
  table: HookTable,
  root: JsonNode,
): { offset: number; what: string } | undefined {
  const wrong = (node: JsonNode, what: string) => ({ offset: node.offset, what });
  if (root.type !== 'object') return wrong(root, 'the file is not a JSON object');
  const hooks = propertyOf(root, 'hooks');
  if (hooks === undefined) return undefined;
  if (hooks.type !== 'object') return wrong(hooks, '"hooks" is not an object');
  const own = table.slots.map(({ event }) => event);
  for (const event of new Set([...own, ...(table.isStrict ? keysOf(hooks) : [])])) {
    const lists = propertyOf(hooks, event);
    if (lists === undefined) continue;
    if (lists.type !== 'array') return wrong(lists, `"hooks.${event}" is not a list`);
    if (table.shape === 'flat') continue;
    for (const group of lists.children ?? []) {
      if (propertyOf(group, 'hooks')?.type !== 'array')
        return wrong(group, `"hooks.${event}" holds an entry without a list of hooks`);
    }
  }
  return undefined;
}

const keysOf = (object: JsonNode): string[] =>
  (object.children ?? []).map(({ children }) => String(children?.[0]?.value));

/** Every command that begins like ours, in the order of the file. */
export function listEntries(table: HookTable, root: JsonNode): Entry[] {
  const hooks = propertyOf(root, 'hooks');
  if (hooks?.type !== 'object') return [];
  return (hooks.children ?? []).flatMap(({ children = [] }) => {
    const event = String(children[0]?.value);
    const nodes = children[1]?.type === 'array' ? (children[1].children ?? []) : [];
    return nodes.flatMap((node, at) => {
      if (table.shape === 'flat') return entryOf(table, node, { event, path: ['hooks', event, at] });
      const matcher = propertyOf(node, 'matcher')?.value;
      const inner = propertyOf(node, 'hooks');
      return (inner?.type === 'array' ? (inner.children ?? []) : []).flatMap((hook, index) =>
        entryOf(table, hook, { event, path: ['hooks', event, at, 'hooks', index], matcher }),
      );
    });
  });
}

interface Spot {
  readonly event: string;
  readonly path: JsonPath;
  readonly matcher?: unknown;
}

function entryOf(table: HookTable, hook: JsonNode, { event, path, matcher }: Spot): Entry[] {
  const command = propertyOf(hook, table.commandKey ?? 'command');
  const own = parseHookCommand(table, command?.value);
  if (!own || !command) return [];
  const outer = table.shape === 'flat' ? propertyOf(hook, 'matcher')?.value : matcher;
  return [{ event, matcher: plainMatcher(outer), own, command, path }];
}

/** A missing matcher, the empty one and `*` all match everything. */
export const plainMatcher = (matcher: unknown): string =>
  typeof matcher !== 'string' || matcher === '*' ? '' : matcher;

/** Every command that runs one of our hook verbs, as it stands there, in the order of the file. */
export const listCommands = (table: HookTable, root: JsonNode): HookCommand[] =>
  listEntries(table, root).flatMap(({ event, matcher, own, command }) =>
    own.kind === 'other' ? [] : [{ event, matcher, verb: own.verb, command: String(command.value) }],
  );

/** The entry that stands for a slot: the exact one, else one the user extended, else any other form. */
export function keeperOf(table: HookTable, slot: HookSlot, entries: readonly Entry[]): Entry | undefined {
  const fitting = entries.filter(
    ({ event, matcher, own }) =>
      event === slot.event &&
      matcher === plainMatcher(slot.matcher) &&
      own.kind !== 'other' &&
      own.verb === slot.verb,
  );
  return (
    fitting.find((entry) => entry.command.value === hookCommand(table, slot.verb)) ??
    fitting.find((entry) => isSettled(table, entry, slot)) ??
    fitting[0]
  );
}

/** Nothing to do: the command is exactly ours, or the user put something of their own behind it. */
export const isSettled = (table: HookTable, entry: Entry, slot: HookSlot): boolean =>
  entry.command.value === hookCommand(table, slot.verb) || entry.own.kind === 'extended';

/** Commands of ours beyond one for each slot. */
export function surplusOf(table: HookTable, entries: readonly Entry[]): Entry[] {
  const keepers = new Set(table.slots.map((slot) => keeperOf(table, slot, entries)));
  return entries.filter((entry) => entry.own.kind !== 'other' && !keepers.has(entry));
}
