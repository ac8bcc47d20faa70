import {
  appendTo,
  indexOfProperty,
  type JsonNode,
  propertyOf,
  removeFrom,
  replaceValue,
} from '../../../base/text/json-edit.ts';
import { hookCommand } from './command.ts';
import { type Entry, isSettled, keeperOf, listEntries, plainMatcher, surplusOf } from './entries.ts';
import type { HookSlot, HookTable, JsonPath, Requirement } from './table.ts';

/** Parses text into a tree; throws where it cannot. */
type Parse = (text: string) => JsonNode;

/** What we know of a settings file besides its text. */
export interface Kit {
  readonly table: HookTable;
  readonly parse: Parse;
}

/** A text with our hooks in it. */
interface WithHooks {
  readonly text: string;
  readonly installed: number;
  readonly removed: number;
  /** Requirements that were put in where nothing stood. */
  readonly added: readonly Requirement[];
}

/** Puts one of each of our hooks in, and what they require; takes every other form and double out. */
export function withHooks({ table, parse }: Kit, text: string): WithHooks {
  let next = text;
  let installed = 0;
  const added: Requirement[] = [];
  for (const requirement of table.requirements ?? []) {
    const found = valueAt(parse(next), requirement.path);
    if (found?.value === requirement.value) continue;
    if (!found) added.push(requirement);
    next = found
      ? replaceValue(next, found, requirement.value)
      : withValue(next, parse(next), requirement.path, requirement.value);
  }
  for (const slot of table.slots) {
    const root = parse(next);
    const keeper = keeperOf(table, slot, listEntries(table, root));
    if (keeper && isSettled(table, keeper, slot)) continue;
    const command = hookCommand(table, slot.verb);
    next = keeper ? replaceValue(next, keeper.command, command) : addHook(table, next, root, slot);
    installed++;
  }
  const count = (of: string) => listEntries(table, parse(of)).length;
  const before = count(next);
  next = withoutEntries({ table, parse }, next, (entries) => surplusOf(table, entries));
  const removed = before - count(next);
  return { text: withoutObsolete({ table, parse }, next), installed, removed, added };
}

/**
 * Takes everything of ours out, and what became empty by that.
 *
 * @param added requirements that we put in
 */
export function withoutHooks(
  kit: Kit,
  text: string,
  added: readonly Requirement[] = [],
): { text: string; removed: number } {
  const { table, parse } = kit;
  const removed = listEntries(table, parse(text)).length;
  let next = withoutObsolete(
    kit,
    withoutEntries(kit, text, (entries) => entries),
  );
  for (const { path, value } of added)
    if (valueAt(parse(next), path)?.value === value) next = removeWithContainers(next, parse(next), path);
  return { text: next, removed };
}

/** Counts what is there; see `AgentHooks`. */
export function countHooks(
  table: HookTable,
  root: JsonNode,
): { current: number; outdated: number; surplus: number; obsolete: number; unmet: number } {
  const entries = listEntries(table, root);
  const kept = table.slots.map((slot) => ({ slot, keeper: keeperOf(table, slot, entries) }));
  const settled = kept.filter(({ slot, keeper }) => keeper && isSettled(table, keeper, slot)).length;
  const isMet = ({ path, value }: Requirement) => valueAt(root, path)?.value === value;
  return {
    current: settled,
    outdated: kept.filter(({ keeper }) => keeper).length - settled,
    surplus: surplusOf(table, entries).length,
    obsolete: table.findObsolete?.(root).length ?? 0,
    unmet: table.requirements?.filter((one) => !isMet(one)).length ?? 0,
  };
}

const valueAt = (root: JsonNode, path: readonly string[]): JsonNode | undefined =>
  path.reduce<JsonNode | undefined>(propertyOf, root);

/** Puts a value where nothing is, with the objects on the way to it. */
function withValue(text: string, root: JsonNode, path: readonly string[], value: unknown): string {
  let [container, depth] = [root, 0];
  for (; depth < path.length - 1; depth++) {
    const next = propertyOf(container, path[depth] as string);
    if (next?.type !== 'object') break;
    container = next;
  }
  const rest = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const key = path[depth] as string;
  const taken = propertyOf(container, key);
  return taken ? replaceValue(text, taken, rest) : appendTo(text, container, rest, key);
}

function addHook(table: HookTable, text: string, root: JsonNode, slot: HookSlot): string {
  const { event, matcher, verb, before, after } = slot;
  const type = table.isTyped ? { type: 'command' } : {};
  const command = { [table.commandKey ?? 'command']: hookCommand(table, verb) };
  const entry = { ...before, ...type, ...command, ...after };
  const condition = matcher === undefined ? {} : { matcher };
  const isFlat = table.shape === 'flat';
  const item = isFlat ? { ...entry, ...condition } : { ...condition, hooks: [entry] };
  const hooks = propertyOf(root, 'hooks');
  if (hooks === undefined) return appendTo(text, root, { [event]: [item] }, 'hooks');
  const items = propertyOf(hooks, event);
  if (items === undefined) return appendTo(text, hooks, [item], event);
  const isSame = (node: JsonNode) =>
    plainMatcher(propertyOf(node, 'matcher')?.value) === plainMatcher(matcher);
  const entries = isFlat ? undefined : propertyOf(items.children?.find(isSame), 'hooks');
  return entries ? appendTo(text, entries, entry) : appendTo(text, items, item);
}

function withoutEntries(
  { table, parse }: Kit,
  text: string,
  pick: (entries: readonly Entry[]) => readonly Entry[],
): string {
  let next = text;
  for (;;) {
    const root = parse(next);
    const last = pick(listEntries(table, root)).at(-1);
    if (last === undefined) return next;
    next = removeWithContainers(next, root, last.path);
  }
}

function withoutObsolete({ table, parse }: Kit, text: string): string {
  let next = text;
  for (;;) {
    const root = parse(next);
    const last = table.findObsolete?.(root).at(-1);
    if (last === undefined) return next;
    next = removeWithContainers(next, root, last);
  }
}

/** Removes what `path` leads to; where that was the only child, its container too, up to but without the root. */
function removeWithContainers(text: string, root: JsonNode, path: JsonPath): string {
  const chain: { container: JsonNode; index: number }[] = [];
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (node === undefined) return text;
    chain.push({ container: node, index: typeof step === 'string' ? indexOfProperty(node, step) : step });
    node = typeof step === 'string' ? propertyOf(node, step) : node.children?.[step];
  }
  // A group is an object with more than its hooks, but without them it says nothing: it goes as a whole.
  const groupDepth = path[3] === 'hooks' ? 4 : 0;
  while (
    chain.length > 1 &&
    (chain.length === groupDepth || chain.at(-1)?.container.children?.length === 1)
  ) {
    chain.pop();
  }
  const { container, index } = chain.at(-1) as { container: JsonNode; index: number };
  return removeFrom(text, container, index);
}
