import {
  appendTo,
  indexOfProperty,
  type JsonNode,
  propertyOf,
  removeFrom,
  replaceValue,
} from '../../base/json-edit.ts';
import type { HookCommand } from '../hook-settings.ts';
import { HOOKS, type HookSlot, hookCommand, type OwnCommand, parseHookCommand } from './hook-commands.ts';

/** Older releases forbade the agent to read our metadata; newer clients then ask for leave on unrelated reads. */
const DENY_RULE = 'Read(./.entire/metadata/**)';

/** Parses text into a tree; throws where it cannot. The only thing here that knows about files. */
export type Parse = (text: string) => JsonNode;

/** A command of ours, where it stands. */
interface Entry {
  readonly event: string;
  readonly group: number;
  readonly index: number;
  readonly matcher: string;
  readonly own: OwnCommand;
  readonly command: JsonNode;
}

/** Says what is wrong with the shape of the parts that we edit, and where; `undefined` when all is well. */
export function findWrongShape(root: JsonNode): { offset: number; what: string } | undefined {
  const wrong = (node: JsonNode, what: string) => ({ offset: node.offset, what });
  if (root.type !== 'object') return wrong(root, 'the file is not a JSON object');
  const hooks = propertyOf(root, 'hooks');
  if (hooks === undefined) return undefined;
  if (hooks.type !== 'object') return wrong(hooks, '"hooks" is not an object');
  for (const event of new Set(HOOKS.map((slot) => slot.event))) {
    const groups = propertyOf(hooks, event);
    if (groups === undefined) continue;
    if (groups.type !== 'array') return wrong(groups, `"hooks.${event}" is not a list`);
    for (const group of groups.children ?? []) {
      const entries = propertyOf(group, 'hooks');
      if (entries?.type !== 'array')
        return wrong(group, `"hooks.${event}" holds an entry without a list of hooks`);
    }
  }
  return undefined;
}

/** Puts one of each of our hooks in, takes every other form and double out. */
export function withHooks(text: string, parse: Parse): { text: string; installed: number; removed: number } {
  let next = text;
  let installed = 0;
  for (const slot of HOOKS) {
    const root = parse(next);
    const keeper = keeperOf(slot, listEntries(root));
    if (keeper && isSettled(keeper, slot)) continue;
    next = keeper ? replaceValue(next, keeper.command, hookCommand(slot.verb)) : addHook(next, root, slot);
    installed++;
  }
  const before = listEntries(parse(next)).length;
  next = withoutEntries(next, parse, surplusOf);
  const removed = before - listEntries(parse(next)).length;
  return { text: withoutDenyRule(next, parse), installed, removed };
}

/** Takes everything of ours out, and what became empty by that. */
export function withoutHooks(text: string, parse: Parse): { text: string; removed: number } {
  const removed = listEntries(parse(text)).length;
  return {
    text: withoutDenyRule(
      withoutEntries(text, parse, (entries) => entries),
      parse,
    ),
    removed,
  };
}

/** Counts what is there; see `AgentHooks`. */
export function countHooks(root: JsonNode): {
  current: number;
  outdated: number;
  surplus: number;
  denyRule: boolean;
} {
  const entries = listEntries(root);
  const kept = HOOKS.map((slot) => ({ slot, keeper: keeperOf(slot, entries) }));
  const settled = kept.filter(({ slot, keeper }) => keeper && isSettled(keeper, slot)).length;
  return {
    current: settled,
    outdated: kept.filter(({ keeper }) => keeper).length - settled,
    surplus: surplusOf(entries).length,
    denyRule: denyRules(root).length > 0,
  };
}

/** Every command that runs one of our hook verbs, as it stands there, in the order of the file. */
export const listCommands = (root: JsonNode): HookCommand[] =>
  listEntries(root).flatMap(({ event, matcher, own, command }) =>
    own.kind === 'other' ? [] : [{ event, matcher, verb: own.verb, command: String(command.value) }],
  );

function listEntries(root: JsonNode): Entry[] {
  const hooks = propertyOf(root, 'hooks');
  if (hooks?.type !== 'object') return [];
  return (hooks.children ?? []).flatMap(({ children = [] }) => {
    const [key, groups] = children;
    return (groups?.children ?? []).flatMap((node, group) => {
      const matcher = propertyOf(node, 'matcher')?.value;
      const entries = propertyOf(node, 'hooks');
      if (entries?.type !== 'array') return [];
      return (entries.children ?? []).flatMap((entry, index): Entry[] => {
        const command = propertyOf(entry, 'command');
        const own = parseHookCommand(command?.value);
        if (!own || !command) return [];
        return [{ event: String(key?.value), group, index, matcher: plainMatcher(matcher), own, command }];
      });
    });
  });
}

/** A missing matcher, the empty one and `*` all match everything. */
const plainMatcher = (matcher: unknown): string =>
  typeof matcher !== 'string' || matcher === '*' ? '' : matcher;

/** The entry that stands for `slot`: the exact one, else one the user extended, else any other form. */
function keeperOf(slot: HookSlot, entries: readonly Entry[]): Entry | undefined {
  const fitting = entries.filter(
    ({ event, matcher, own }) =>
      event === slot.event && matcher === slot.matcher && own.kind !== 'other' && own.verb === slot.verb,
  );
  return (
    fitting.find((entry) => entry.command.value === hookCommand(slot.verb)) ??
    fitting.find((entry) => isSettled(entry, slot)) ??
    fitting[0]
  );
}

/** Nothing to do: the command is exactly ours, or the user put something of their own behind it. */
const isSettled = (entry: Entry, slot: HookSlot): boolean =>
  entry.command.value === hookCommand(slot.verb) || entry.own.kind === 'extended';

function surplusOf(entries: readonly Entry[]): Entry[] {
  const keepers = new Set(HOOKS.map((slot) => keeperOf(slot, entries)));
  return entries.filter((entry) => entry.own.kind !== 'other' && !keepers.has(entry));
}

function addHook(text: string, root: JsonNode, { event, matcher, verb }: HookSlot): string {
  const entry = { type: 'command', command: hookCommand(verb) };
  const group = { matcher, hooks: [entry] };
  const hooks = propertyOf(root, 'hooks');
  if (hooks === undefined) return appendTo(text, root, { [event]: [group] }, 'hooks');
  const groups = propertyOf(hooks, event);
  if (groups === undefined) return appendTo(text, hooks, [group], event);
  const same = groups.children?.find((node) => plainMatcher(propertyOf(node, 'matcher')?.value) === matcher);
  const entries = propertyOf(same, 'hooks');
  return entries ? appendTo(text, entries, entry) : appendTo(text, groups, group);
}

function withoutEntries(
  text: string,
  parse: Parse,
  pick: (entries: readonly Entry[]) => readonly Entry[],
): string {
  let next = text;
  for (;;) {
    const root = parse(next);
    const last = pick(listEntries(root)).at(-1);
    if (last === undefined) return next;
    next = removeWithContainers(next, root, ['hooks', last.event, last.group, 'hooks', last.index]);
  }
}

function withoutDenyRule(text: string, parse: Parse): string {
  let next = text;
  for (;;) {
    const root = parse(next);
    const last = denyRules(root).at(-1);
    if (last === undefined) return next;
    next = removeWithContainers(next, root, ['permissions', 'deny', last]);
  }
}

function denyRules(root: JsonNode): number[] {
  const deny = propertyOf(propertyOf(root, 'permissions'), 'deny');
  if (deny?.type !== 'array') return [];
  return (deny.children ?? []).flatMap((node, index) => (node.value === DENY_RULE ? [index] : []));
}

/** Removes what `path` leads to; where that was the only child, its container too, up to but without the root. */
function removeWithContainers(text: string, root: JsonNode, path: readonly (string | number)[]): string {
  const chain: { container: JsonNode; index: number }[] = [];
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (node === undefined) return text;
    chain.push({ container: node, index: typeof step === 'string' ? indexOfProperty(node, step) : step });
    node = typeof step === 'string' ? propertyOf(node, step) : node.children?.[step];
  }
  // A group is an object with more than its hooks, but without them it says nothing: it goes as a whole.
  const groupDepth = path[0] === 'hooks' ? 4 : 0;
  while (
    chain.length > 1 &&
    (chain.length === groupDepth || chain.at(-1)?.container.children?.length === 1)
  ) {
    chain.pop();
  }
  const { container, index } = chain.at(-1) as { container: JsonNode; index: number };
  return removeFrom(text, container, index);
}
