import { isUtf8 } from 'node:buffer';
import { EntireError } from '../../base/errors.ts';
import { disk, naming } from '../../base/file/disk.ts';
import { renderBytes } from '../../base/text/text.ts';
import { MAX_EXPORT_BYTES } from './envelope.ts';

const PIECE_BYTES = 1024 * 1024;

/**
 * The text of an export; never reads more of a file than an export may have, whatever the file says of its size.
 *
 * @throws {EntireError} `IMPORT_REFUSED` for one that is larger, and for what is no text; `NOT_FOUND`; the system error
 */
export const readExportFile = (file: string): string => asText(readNamed(file), file);

/** {@link readExportFile} of what comes in pieces. @param name of where it comes from */
export async function readExportStream(pieces: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > MAX_EXPORT_BYTES) throw tooLarge(name, size);
    read.push(piece);
  }
  return asText(Buffer.concat(read), name);
}

function asText(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new EntireError('IMPORT_REFUSED', `${name} cannot be imported: it is not text in UTF-8.`, {
    hint: '`entire session export <id> --format json` makes files that can be imported.',
  });
}

function readNamed(file: string): Buffer {
  if (!disk.existsSync(file)) throw new EntireError('NOT_FOUND', `there is no file ${file}.`);
  const fd = disk.openSync(file, 'r');
  try {
    const stat = disk.fstatSync(fd);
    if (stat.isDirectory())
      throw new EntireError('IMPORT_REFUSED', `${file} cannot be imported: it is a folder.`);
    if (stat.size > MAX_EXPORT_BYTES) throw tooLarge(file, stat.size);
    return naming(file, () => readAll(fd, file));
  } finally {
    disk.closeSync(fd);
  }
}

function readAll(fd: number, name: string): Buffer {
  const pieces: Buffer[] = [];
  for (let size = 0; ; ) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const count = disk.readSync(fd, piece, 0, PIECE_BYTES, null);
    if (count === 0) return Buffer.concat(pieces);
    size += count;
    if (size > MAX_EXPORT_BYTES) throw tooLarge(name, size);
    pieces.push(piece.subarray(0, count));
  }
}

const tooLarge = (name: string, size: number): EntireError =>
  new EntireError('IMPORT_REFUSED', `${name} cannot be imported: it has ${renderBytes(size)} or more.`, {
    hint: `An export has at most ${renderBytes(MAX_EXPORT_BYTES)}. Nothing was written.`,
  });
