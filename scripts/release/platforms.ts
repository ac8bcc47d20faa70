/** A platform that has an executable of its own. */
export interface Platform {
  /** As Node calls it: `linux-x64`. The package is called by it, and `bin/entire` looks for it. */
  readonly name: string;
  readonly os: 'linux' | 'darwin' | 'win32';
  readonly cpu: 'x64' | 'arm64';
  /** As Bun calls it, for its compiler. */
  readonly target: string;
  /** Bun's package of the runtime, in the same version as the compiler. */
  readonly runtime: string;
}

const platform = (os: Platform['os'], cpu: Platform['cpu'], bun: string): Platform => ({
  name: `${os}-${cpu}`,
  os,
  cpu,
  target: `bun-${bun}`,
  runtime: `@oven/bun-${bun}`,
});

/** Linux is the one with glibc: on others npm leaves the package out, and the Node build serves. */
export const PLATFORMS: readonly Platform[] = [
  platform('linux', 'x64', 'linux-x64'),
  platform('linux', 'arm64', 'linux-aarch64'),
  platform('darwin', 'x64', 'darwin-x64'),
  platform('darwin', 'arm64', 'darwin-aarch64'),
  platform('win32', 'x64', 'windows-x64'),
];

/** The executable in its package. */
export const executableOf = ({ os }: Platform): string => (os === 'win32' ? 'entire.exe' : 'entire');
