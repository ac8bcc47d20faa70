import { cutTo, widthOf } from './width.ts';

/** Of a subject that is cut so much is shown at least. */
const LEAST = 24;

/**
 * What was done and, behind it, the session that did it, in brackets: it is copied, so that it is the subject that is cut. Where there
 * is little room the word goes, and then the id.
 *
 * @param session its short id; empty where all are of one
 * @param room columns for both; nothing is cut without it
 */
export function withSession(subject: string, session: string, room: number | undefined): string {
  const ends = session === '' ? [''] : [`  (session ${session})`, `  (${session})`, ''];
  const least = Math.min(LEAST, widthOf(subject));
  const end = ends.find((one) => room === undefined || room - widthOf(one) >= least) ?? '';
  return cutTo(subject, room === undefined ? undefined : Math.max(LEAST / 3, room - widthOf(end))) + end;
}
