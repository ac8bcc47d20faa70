import { shown, shownLine } from '../shown-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in a page, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');

/** Text from a session, with what is not seen by its name. */
export const textHtml = (text: string): string => escapeHtml(shown(text));
/** The same in one line. */
export const lineHtml = (text: string): string => escapeHtml(shownLine(text));
