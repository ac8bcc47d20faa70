import { readFileSync, writeFileSync } from 'node:fs';
import { findSpoiltPages, signAdHoc } from './code-signature.ts';
import type { Platform } from './platforms.ts';

/** Stands in the help of a command, and in no runtime. */
const OF_OURS = 'Set up Entire in this repository';

/**
 * Makes sure that a file is what its package promises: an executable of that system and processor with our program in it and, on macOS, a
 * signature that is true of its bytes. A Mac kills what has a false one.
 *
 * @returns what was found, for the terminal @throws Error for anything else
 */
export function finishExecutable(file: string, { name, os, cpu }: Platform, version: string): string {
  const bytes = readFileSync(file);
  const found = identify(bytes);
  const expected = { linux: 'ELF', darwin: 'Mach-O', win32: 'PE' }[os];
  if (found !== `${expected} ${cpu}`)
    throw new Error(`${file} is for ${name}, and is ${found ?? 'no executable'}`);
  for (const text of [OF_OURS, version])
    if (!bytes.includes(text)) throw new Error(`${file} does not hold our program: "${text}" is missing`);
  if (os !== 'darwin') return found;
  // Bun signs for arm64 alone. For x64 it leaves the signature of its own executable, which is false by now.
  if (findSpoiltPages(bytes) === 0) return `${found}, signed ad hoc by Bun`;
  const signed = signAdHoc(bytes, 'entire');
  if (findSpoiltPages(signed) !== 0) throw new Error(`${file}: its signature is not true of its bytes`);
  writeFileSync(file, signed);
  return `${found}, signed ad hoc here`;
}

/** `ELF x64`, `Mach-O arm64`, `PE x64`; `undefined` for what is no executable of these. */
export function identify(bytes: Buffer): string | undefined {
  const cpu = (table: Readonly<Record<number, string>>, code: number): string =>
    table[code] ?? `cpu 0x${code.toString(16)}`;
  if (bytes.length < 0x200) return undefined;
  if (bytes.readUInt32BE(0) === 0x7f454c46)
    return `ELF ${cpu({ 62: 'x64', 183: 'arm64' }, bytes.readUInt16LE(18))}`;
  if (bytes.readUInt32LE(0) === 0xfeedfacf)
    return `Mach-O ${cpu({ 16777223: 'x64', 16777228: 'arm64' }, bytes.readUInt32LE(4))}`;
  const pe = bytes.toString('latin1', 0, 2) === 'MZ' ? bytes.readUInt32LE(0x3c) : bytes.length;
  if (bytes.toString('latin1', pe, pe + 4) === 'PE\0\0')
    return `PE ${cpu({ 34404: 'x64', 43620: 'arm64' }, bytes.readUInt16LE(pe + 4))}`;
  return undefined;
}
