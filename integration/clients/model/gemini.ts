import type { PlayableStep, Told } from './scene.ts';
import {
  type Asked,
  countTokens,
  newId,
  reckonCost,
  sendJson,
  startEvents,
  type WireFormat,
} from './wire.ts';

interface Body {
  readonly tools?: readonly unknown[];
  readonly contents?: readonly {
    readonly role?: string;
    readonly parts?: readonly { readonly text?: string; readonly functionResponse?: object }[];
  }[];
}

/**
 * Gemini: generateContent, streamGenerateContent (events with `alt=sse`, else one array) and countTokens.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const gemini: WireFormat = {
  isTurn: (path) => /\/models\/[^/:]+:(generate|streamGenerate)Content$/.test(path),
  countTokens: ({ path, raw }) =>
    path.endsWith(':countTokens') ? { totalTokens: countTokens(raw) } : undefined,
  readTold,
  send(response, asked, step) {
    const answer = renderAnswer(asked, step);
    if (!asked.path.endsWith(':streamGenerateContent')) return sendJson(response, 200, answer);
    if (asked.query.get('alt') !== 'sse') return sendJson(response, 200, [answer]);
    startEvents(response)(answer);
    response.end();
  },
  renderError: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};

function readTold(asked: Asked): readonly Told[] {
  const { tools, contents = [] } = asked.body as Body;
  if (!tools?.length) return [];
  return contents
    .filter(({ role }) => role !== 'model')
    .flatMap(({ parts = [] }) => parts)
    .map(({ text, functionResponse }) => (functionResponse ? 'result' : { user: text ?? '' }));
}

function renderAnswer(asked: Asked, step: PlayableStep) {
  const { fresh, read, output } = reckonCost(asked, (asked.body as Body).contents?.length ?? 0, step);
  const part =
    'call' in step ? { functionCall: { name: step.call, args: renderArgs(step) } } : { text: step.say };
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: fresh + read,
      cachedContentTokenCount: read,
      candidatesTokenCount: output,
      totalTokenCount: fresh + read + output,
    },
    modelVersion: /\/models\/([^/:]+):/.exec(asked.path)?.[1],
    responseId: newId(''),
  };
}

function renderArgs({ call, input }: Extract<PlayableStep, { call: string }>): object {
  if (typeof input === 'string') throw new Error(`${call}: this API has no tools that take free text`);
  return input;
}
