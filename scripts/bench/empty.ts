/**
 * The empty executable: what any program compiled with our flags costs before it does anything. The edit hook
 * is measured against it, so it reads its standard input as a hook must.
 */
import { readFileSync } from 'node:fs';

readFileSync(0);
