declare const __VERSION__: string | undefined;
declare const __COMMIT__: string | undefined;

/** Set by the build; `dev` and `unknown` when run from source. */
export const VERSION: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'dev';
export const COMMIT: string = typeof __COMMIT__ === 'string' ? __COMMIT__ : 'unknown';
