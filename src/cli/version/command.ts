import { COMMIT, VERSION } from '../../base/version.ts';
import { defineCommand } from '../command.ts';
import { say } from '../ui/terminal.ts';

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

export const versionCommand = defineCommand({
  options: {},
  run() {
    const { bun, node } = process.versions;
    const os = process.platform === 'win32' ? 'windows' : process.platform;
    say(`Entire CLI ${VERSION} (${COMMIT})`);
    say(bun ? `Bun: v${bun}` : `Node: v${node}`);
    say(`OS/Arch: ${os}/${ARCHITECTURES[process.arch] ?? process.arch}`);
  },
});
