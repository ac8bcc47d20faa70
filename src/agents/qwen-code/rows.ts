import { asObject, asObjects, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import { type LinkedRow, readLinkedRows, rememberLast } from '../transcript/linked-rows.ts';
import { absolute } from '../transcript/recorded-lines.ts';

/** A call of a tool as the model asked for it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** Folder that the client was in. */
  readonly cwd: string;
}

/** What came back from a call. */
export interface ToolAnswer {
  readonly id: string;
  /** What the client shows of it; empty where it shows a text or nothing. */
  readonly display: JsonObject;
  readonly failed: boolean;
}

/**
 * The rows of a transcript: the envelope is that of Claude Code (`uuid`, `parentUuid`, `type`), a message that of Gemini
 * (`parts`). After `/rewind` a row follows an older one.
 */
export const readRows: (text: string) => readonly LinkedRow[] = rememberLast((text) =>
  readLinkedRows(text, ({ uuid, parentUuid }) =>
    asText(uuid) === '' ? undefined : { id: asText(uuid), parent: asText(parentUuid) || null },
  ),
);

/** Parts of the message of a row; empty where it has none. */
export function partsOf({ value }: LinkedRow): readonly JsonObject[] {
  return asObjects(asObject(value.message).parts);
}

/** What was said in a part; thoughts are not said. */
export const saidIn = (part: JsonObject): string => (part.thought === true ? '' : asText(part.text));

export const isAnswer = ({ value }: LinkedRow): boolean => value.type === 'assistant';

export function callsIn(row: LinkedRow): ToolCall[] {
  if (!isAnswer(row)) return [];
  return partsOf(row).flatMap(({ functionCall: call }) => {
    if (!isObject(call)) return [];
    const args = asObject(call.args);
    return [{ id: asText(call.id), name: asText(call.name), args, cwd: asText(row.value.cwd) }];
  });
}

export function answersIn(row: LinkedRow): ToolAnswer[] {
  if (row.value.type !== 'tool_result') return [];
  const { toolCallResult: kept } = row.value;
  const result = asObject(kept);
  const display = asObject(result.resultDisplay);
  return partsOf(row).flatMap(({ functionResponse: answer }) => {
    if (!isObject(answer)) return [];
    const response = asObject(answer.response);
    // Sub-agents' transcripts have no status.
    const failed = 'error' in response || ['error', 'cancelled'].includes(asText(result.status));
    return [{ id: asText(answer.id), display, failed }];
  });
}

/** The file that a call names, absolute where the row says in which folder; empty where it names none. */
export function fileOf({ args, cwd }: ToolCall): string {
  return absolute(asText(args.file_path) || asText(args.notebook_path), cwd);
}

/** In milliseconds since 1970; 0 where the row does not say. */
export const timeOf = ({ value }: LinkedRow): number => Date.parse(asText(value.timestamp)) || 0;
