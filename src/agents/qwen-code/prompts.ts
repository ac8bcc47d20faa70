import { asObject, asText } from '../../base/text/json.ts';
import type { LinkedRow } from '../transcript/linked-rows.ts';
import { partsOf, saidIn } from './rows.ts';

/** What hooks add to a prompt, and what the client adds for the model. */
const WRAPPERS = ['qwen:user-prompt-submit-context', 'system-reminder'] as const;
/** Behind this the client puts the files that were named with `@`. */
const FILES_HEADING = '--- Content from referenced files ---';

/** Rows that a person typed: also those for the model while it worked, not what timers and finished tasks say. */
export function isPrompt({ value }: LinkedRow): boolean {
  const isTyped = value.provenance === undefined || value.provenance === 'real_user';
  return value.type === 'user' && isTyped && !['cron', 'notification'].includes(asText(value.subtype));
}

/** What was typed; `undefined` when nothing was. Beside a prompt that hooks added to, the client keeps it as it was. */
export function promptOf(row: LinkedRow): string | undefined {
  const payload = asObject(row.value.systemPayload);
  const kept = typeof payload.hookContext === 'string' ? asText(payload.displayText) : '';
  return cleanPrompt(kept || partsOf(row).map(saidIn).filter(Boolean).join('\n')) || undefined;
}

/** One prompt without what the client wraps around it. Linear, whatever the text holds. */
export function cleanPrompt(text: string): string {
  const files = text.indexOf(FILES_HEADING);
  const typed = files > 0 ? text.slice(0, files) : text;
  return WRAPPERS.reduce(withoutElement, typed).trim();
}

function withoutElement(text: string, name: string): string {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  const kept: string[] = [];
  let at = 0;
  for (let open = text.indexOf(opening); open !== -1; open = text.indexOf(opening, at)) {
    const close = text.indexOf(closing, open);
    if (close === -1) break;
    kept.push(text.slice(at, open));
    at = close + closing.length;
  }
  return [...kept, text.slice(at)].join('');
}
