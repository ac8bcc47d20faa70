/** What every client has to show. */
import { vi } from 'vitest';
import { opencode } from './drivers/opencode.ts';
import { describeClient } from './suite.ts';

// At its first start in a home and in a repository the client installs a package of its own from the registry.
vi.setConfig({ testTimeout: 300_000 });

describeClient(opencode);
