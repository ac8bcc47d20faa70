// A client as far as hooks can tell: a process that lives on and starts them. Asked by files, for its tests wait without an event loop.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const folder = process.argv[2];
setInterval(() => {
  if (!existsSync(`${folder}/asked`)) return;
  const { command, args, ...options } = JSON.parse(readFileSync(`${folder}/asked`, 'utf8'));
  rmSync(`${folder}/asked`);
  const { status, stdout, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  writeFileSync(`${folder}/part`, JSON.stringify({ code: status, stdout, stderr }));
  renameSync(`${folder}/part`, `${folder}/said`);
}, 5);
