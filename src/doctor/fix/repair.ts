import type { Finding } from '../finding.ts';
import type { Patient } from '../patient.ts';

/** What was done about one item of a finding, or why nothing was. */
export interface Deed {
  readonly item: string;
  /** `left`: on purpose, since something may be lost, or somebody is at work. */
  readonly outcome: 'done' | 'left' | 'failed';
  /** Part of a sentence: `set aside as …`; the reason. */
  readonly text: string;
}

/** Repairs what one finding names. What it throws is why nothing was done. */
export type Repair = (patient: Patient, finding: Finding) => Promise<readonly Deed[]> | readonly Deed[];

export const done = (item: string, text: string): Deed => ({ item, outcome: 'done', text });
export const left = (item: string, text: string): Deed => ({ item, outcome: 'left', text });
export const failed = (item: string, text: string): Deed => ({ item, outcome: 'failed', text });
