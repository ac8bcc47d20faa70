import { readUserText } from '../../base/file/small-file.ts';
import { asObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { withoutComments } from './json-comments.ts';

/** The object in a file of the client, which may have comments; an empty one for what is missing or cannot be read. */
export function readJson(file: string): JsonObject {
  try {
    return asObject(parseJson(withoutComments(readUserText(file, 'home') ?? '')));
  } catch {
    return {};
  }
}
