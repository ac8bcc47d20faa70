import { describeError } from '../../base/errors.ts';
import type { Patient } from '../patient.ts';

/** What was done about one item of a finding, or why nothing was. */
export interface Deed {
  readonly item: string;
  /** `left`: on purpose, since something may be lost, or somebody is at work. */
  readonly outcome: 'done' | 'left' | 'failed';
  /** Part of a sentence: `set aside as …`; the reason. */
  readonly text: string;
}

/**
 * Repairs the items of all findings that it is there for, in one go. What it throws is why nothing was done.
 *
 * @returns what was done about items; a deed on anything else holds for all of these findings
 */
export type Repair = (
  patient: Patient,
  items: readonly string[],
) => Promise<readonly Deed[]> | readonly Deed[];

export const done = (item: string, text: string): Deed => ({ item, outcome: 'done', text });
export const left = (item: string, text: string): Deed => ({ item, outcome: 'left', text });
export const failed = (item: string, text: string): Deed => ({ item, outcome: 'failed', text });

/** Repairs items one after the other. One that throws has failed, and keeps no other from its turn or from being told of. */
export async function oneByOne<T extends string>(
  items: readonly T[],
  repairOne: (item: T) => Deed | undefined | Promise<Deed | undefined>,
): Promise<Deed[]> {
  const deeds: Deed[] = [];
  for (const item of items) {
    try {
      const deed = await repairOne(item);
      if (deed) deeds.push(deed);
    } catch (error) {
      deeds.push(failed(item, describeError(error)));
    }
  }
  return deeds;
}
