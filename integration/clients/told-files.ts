import type { MockModel, MockRequest } from './model/server.ts';

const HEADING = "## Files you've been working with";
const SECTION = new RegExp(`${HEADING}(?:\\\\n[^\\\\"<]+)*`, 'g');

/** The sections on files that a request tells the model, each as it was before it became JSON. */
export const readFileSections = ({ body }: MockRequest): string[] =>
  (body.match(SECTION) ?? []).map((text) => text.replaceAll('\\n', '\n'));

/** What the model was told at each step of a scene. */
export const toldIn = (model: MockModel, keyword: string): string[][] =>
  model.requests.filter(({ scene }) => scene?.startsWith(`${keyword}#`)).map(readFileSections);

/** The section that names these files; a list without any has no line. */
export const fileSection = (files: { readonly modified?: string; readonly read?: string }): string =>
  [
    HEADING,
    ...(files.modified === undefined ? [] : [`Modified: ${files.modified}`]),
    ...(files.read === undefined ? [] : [`Read: ${files.read}`]),
  ].join('\n');
