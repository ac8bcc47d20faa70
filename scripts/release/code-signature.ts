import { createHash } from 'node:crypto';

/**
 * Signatures within executables for macOS, as far as they say that its pages are what they were: `SuperBlob` and `CodeDirectory`.
 * They are written as a linker does for whoever has no certificate ("ad hoc"): digests of all pages, and nobody's name.
 *
 * @see https://github.com/apple-oss-distributions/xnu/blob/main/osfmk/kern/cs_blobs.h
 */
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const AD_HOC_BY_LINKER = 0x20002;
const SHA256 = { type: 2, size: 32 };

const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const HEADER_SIZE = 32;

/** Where things stand in the file; of commands, where they begin in its header. */
interface Layout {
  readonly signature: { readonly at: number; readonly offset: number; readonly size: number };
  readonly linkedit: { readonly at: number; readonly fileOffset: number };
  readonly text: { readonly fileOffset: number; readonly fileSize: number };
}

/** @throws Error for a file that is laid out in another way than a linker does it */
function readLayout(bytes: Buffer): Layout {
  const segments = new Map<string, { at: number; fileOffset: number; fileSize: number }>();
  let signature: Layout['signature'] | undefined;
  let at = HEADER_SIZE;
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    const command = bytes.readUInt32LE(at);
    if (command === LC_CODE_SIGNATURE)
      signature = { at, offset: bytes.readUInt32LE(at + 8), size: bytes.readUInt32LE(at + 12) };
    if (command === LC_SEGMENT_64) {
      const name = bytes.toString('latin1', at + 8, at + 24).replace(/\0+$/, '');
      const [fileOffset, fileSize] = [at + 40, at + 48].map((field) => Number(bytes.readBigUInt64LE(field)));
      segments.set(name, { at, fileOffset: fileOffset as number, fileSize: fileSize as number });
    }
    at += bytes.readUInt32LE(at + 4);
  }
  const [linkedit, text] = [segments.get('__LINKEDIT'), segments.get('__TEXT')];
  if (!signature || !linkedit || !text) throw new Error('an executable without a place for a signature');
  const end = signature.offset + signature.size;
  if (end !== bytes.length || end !== linkedit.fileOffset + linkedit.fileSize)
    throw new Error('an executable whose signature is not its end');
  return { signature, linkedit, text };
}

/** How many pages are not what the signature says. @throws Error where there is none to be read */
export function findSpoiltPages(bytes: Buffer): number {
  const { signature } = readLayout(bytes);
  const blob = bytes.subarray(signature.offset);
  if (blob.readUInt32BE(0) !== SUPER_BLOB) throw new Error('no signature where the header says');
  const indexes = Array.from({ length: blob.readUInt32BE(8) }, (_, index) => 12 + 8 * index);
  const directory = indexes
    .map((index) => blob.subarray(blob.readUInt32BE(index + 4)))
    .find((one) => one.readUInt32BE(0) === CODE_DIRECTORY && one[37] === SHA256.type);
  if (!directory) throw new Error('a signature without SHA-256 digests');
  const [hashes, count, limit] = [16, 28, 32].map((field) => directory.readUInt32BE(field)) as [
    number,
    number,
    number,
  ];
  if (limit !== signature.offset) return Math.max(1, count); // bytes before it that it does not speak of
  const pages = digestPages(bytes.subarray(0, limit), 2 ** (directory[39] as number));
  if (pages.length !== count) return Math.max(1, count);
  return pages.filter((page, index) => {
    const begin = hashes + index * SHA256.size;
    return !page.equals(directory.subarray(begin, begin + SHA256.size));
  }).length;
}

/** The same executable with an ad hoc signature in place of the one that it has. */
export function signAdHoc(bytes: Buffer, identifier: string): Buffer {
  const { signature, linkedit, text } = readLayout(bytes);
  const name = Buffer.from(`${identifier}\0`);
  const pageBits = 12;
  const count = Math.ceil(signature.offset / 2 ** pageBits);
  const fixed = 88;
  const directorySize = fixed + name.length + count * SHA256.size;
  const size = 20 + directorySize;

  const signed = Buffer.alloc(signature.offset + size);
  bytes.copy(signed, 0, 0, signature.offset);
  // The header is on the first page: it has to be right before that is hashed.
  signed.writeUInt32LE(size, signature.at + 12);
  const linkeditSize = signed.length - linkedit.fileOffset;
  signed.writeBigUInt64LE(BigInt(Math.ceil(linkeditSize / 0x1000) * 0x1000), linkedit.at + 32);
  signed.writeBigUInt64LE(BigInt(linkeditSize), linkedit.at + 48);

  const blob = signed.subarray(signature.offset);
  [SUPER_BLOB, size, 1, 0, 20].forEach((value, index) => void blob.writeUInt32BE(value, 4 * index));
  const directory = blob.subarray(20);
  const [hashes, version, special] = [fixed + name.length, 0x20400, 0];
  [
    CODE_DIRECTORY,
    directorySize,
    version,
    AD_HOC_BY_LINKER,
    hashes,
    fixed,
    special,
    count,
    signature.offset,
  ].forEach((value, index) => void directory.writeUInt32BE(value, 4 * index));
  directory.set([SHA256.size, SHA256.type, 0, pageBits], 36);
  directory.writeBigUInt64BE(BigInt(text.fileOffset), 64);
  directory.writeBigUInt64BE(BigInt(text.fileSize), 72);
  directory.writeBigUInt64BE(1n, 80); // the main program
  directory.set(name, fixed);
  const pages = digestPages(signed.subarray(0, signature.offset), 2 ** pageBits);
  pages.forEach((page, index) => void directory.set(page, hashes + index * SHA256.size));
  return signed;
}

/** The last page is as long as it is: macOS does not fill it up. */
const digestPages = (bytes: Buffer, pageSize: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / pageSize) }, (_, index) =>
    createHash('sha256')
      .update(bytes.subarray(index * pageSize, (index + 1) * pageSize))
      .digest(),
  );
