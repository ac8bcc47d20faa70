import { currentRedaction } from '../../settings/redaction.ts';

/**
 * Raised with each change of what the built-in rules replace: text that older ones redacted is not used any more. A test
 * says when.
 */
export const RULES_VERSION = 7;

/** Names a blob as redacted by the rules in force. */
export const byTodaysRules = (oid: string): string => `${oid}@${rulesFingerprint()}`;

/** Says which rules a text was redacted by: ours, and those of the settings in force. */
export const rulesFingerprint = (): string => `${RULES_VERSION}-${currentRedaction().fingerprint}`;
