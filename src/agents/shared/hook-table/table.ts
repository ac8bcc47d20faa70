import type { JsonNode } from '../../../base/text/json-edit.ts';
import type { Liberty } from './syntax.ts';

/** One hook that we install: when the client runs it, and which of our verbs it runs. */
export interface HookSlot {
  readonly event: string;
  /** Which tools it is for. `''` for all; `null` and `undefined`, too, written as `null` and not at all. */
  readonly matcher?: string | null | undefined;
  readonly verb: string;
  /** What else the client wants to be told of the hook, such as a name; before the command where it stands in `before`. */
  readonly before?: Readonly<Record<string, unknown>>;
  /** Fields behind the command, such as a time limit. */
  readonly after?: Readonly<Record<string, unknown>>;
}

/** A place in a JSON file: keys, and positions in lists. */
export type JsonPath = readonly (string | number)[];

/** A value without which the client does not read our hooks. */
export interface Requirement {
  readonly path: readonly string[];
  readonly value: string | number | boolean;
}

/** How an agent keeps hooks in a JSON file of its own, and which of them are ours. */
export interface HookTable {
  /** As in `entire hooks <agent> <verb>`. */
  readonly agent: string;
  /** Names that other releases used in its place. */
  readonly formerly?: readonly string[];
  /** The file, relative to the worktree root. */
  readonly file: string;
  /** What its client takes in the file beyond strict JSON; over anything else it passes over the whole file. `undefined`: not known. */
  readonly liberties?: readonly Liberty[];
  /** Every hook of a complete installation, in the order they are written. */
  readonly slots: readonly HookSlot[];
  /**
   * `groups`: `hooks.<event>` lists objects with a matcher and a list of hooks. `flat`: it lists the hooks themselves.
   */
  readonly shape: 'groups' | 'flat';
  /** Whether a hook says of which `type` it is. */
  readonly isTyped: boolean;
  /** The key that the command stands under; `command` where it is missing. */
  readonly commandKey?: string;
  /** The variable with the folder of the project, by which development builds of other releases found themselves. */
  readonly projectVariable?: string;
  /** What has to stand beside the hooks. It goes again with the hooks where we put it in. */
  readonly requirements?: readonly Requirement[];
  /** What other releases left in the file and nobody wants any more. */
  readonly findObsolete?: (root: JsonNode) => readonly JsonPath[];
  /** The client refuses the whole file over a list of hooks that is none, also for an event that we have no hook for. */
  readonly isStrict?: boolean;
}
