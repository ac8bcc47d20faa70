import type { RedactionSettings } from '../../../settings/redaction.ts';
import type { Finding } from '../regions.ts';

const EMAIL =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])/g;
/** Addresses nobody reads, and `git@host:path`, which is none. */
const NOBODY = /^(?:no-?reply|actions|git)@|@(?:users\.)?noreply\.github\.com$/i;
/** Ten digits in groups of 3, 3 and 4, or 8 to 15 after a `+`. */
const PHONE =
  /(?<![\w.+/-])(?:(?:\+\d{1,3}[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}|\+\d(?:[ .()/-]{0,2}\d){7,14})(?![\w-]|\.\d)/g;
/** A street with its number in the United States, perhaps with flat, town, state and ZIP code. */
const ADDRESS =
  /\b\d{1,6} (?:[NSEW]\.? )?(?:[A-Z][A-Za-z']{1,20} ){1,4}(?:Street|St|Avenue|Ave|Boulevard|Blvd|Road|Rd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Parkway|Pkwy|Highway|Hwy|Way)\b\.?(?:,? (?:Apt|Apartment|Suite|Ste|Unit|#) ?\w{1,6})?(?:, [A-Z][A-Za-z ]{1,30}, [A-Z]{2}(?: \d{5}(?:-\d{4})?)?)?/g;

/** Finds what the settings ask for: e-mail addresses, telephone numbers, street addresses. */
export function findPersonal(text: string, settings: RedactionSettings): Finding[] {
  const found: Finding[] = [];
  const find = (kind: 'email' | 'phone' | 'address', pattern: RegExp): void => {
    if (!settings[kind]) return;
    for (const { 0: match, index } of text.matchAll(pattern)) {
      if (kind === 'email' && NOBODY.test(match)) continue;
      const label = `[REDACTED_${kind.toUpperCase()}]`;
      found.push({ start: index, end: index + match.length, rule: `pii:${kind}`, label });
    }
  };
  find('email', EMAIL);
  find('phone', PHONE);
  find('address', ADDRESS);
  return found;
}
