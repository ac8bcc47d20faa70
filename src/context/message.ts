/** A piece of a message: text, a tool call, its result. Fields that are not named here are kept as they are. */
export interface MessagePart {
  readonly type: string;
  readonly text?: string | undefined;
  readonly [field: string]: unknown;
}

/** A message of a conversation, as much of it as compaction needs to know. */
export interface ContextMessage {
  readonly role: string;
  readonly content: string | readonly MessagePart[];
}

/** A summary of messages, or of other summaries. */
export interface SummaryNode {
  readonly content: string;
}

/**
 * Every text within a value, in its order, tool calls and their results among them. Walks with a list of its own, since
 * values from tools may be nested deeper than the stack, and meets each object once, since they may be circular.
 */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const met = new Set<object>();
  const ahead = [value];
  while (ahead.length > 0) {
    const item = ahead.pop();
    if (typeof item === 'string') texts.push(item);
    if (typeof item !== 'object' || item === null || met.has(item)) continue;
    met.add(item);
    const values = Object.values(item);
    for (let at = values.length - 1; at >= 0; at--) ahead.push(values[at]);
  }
  return texts;
}
