// A program that uses the library: it goes back to one of the snapshots of a store.
const [, , library, root, cwd, at] = process.argv;
const { FileSnapshotStore } = await import(library);
const store = new FileSnapshotStore({ root, cwd });
const { left } = store.restore(store.list()[Number(at)]);
if (left.size > 0) throw new Error(JSON.stringify([...left]));
