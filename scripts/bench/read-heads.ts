/** Reads the first 4 KiB of each file that its standard input names, one a line, and prints how many bytes that were. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const buffer = Buffer.alloc(4096);
let bytes = 0;
for (const file of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const fd = openSync(file, 'r');
  bytes += readSync(fd, buffer, 0, buffer.length, 0);
  closeSync(fd);
}
console.log(bytes);
