import type { MockRequest } from './model/server.ts';

const SECTION = /## Files you've been working with(?:\\n[^\\"<]+)*/g;

/** The sections on files that a request tells the model, each as it was before it became JSON. */
export const readFileSections = ({ body }: MockRequest): string[] =>
  (body.match(SECTION) ?? []).map((text) => text.replaceAll('\\n', '\n'));
