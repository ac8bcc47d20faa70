/** Reads something when it is asked for first, and not again. One that throws is asked again. */
export function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

/** Finds something once for all questions that have one key, and keeps it. One that throws is asked again. */
export function oncePer<Asked extends readonly unknown[], Found>(
  keyOf: (...asked: Asked) => unknown,
  find: (...asked: Asked) => Found,
): (...asked: Asked) => Found {
  const known = new Map<unknown, Found>();
  return (...asked) => {
    const key = keyOf(...asked);
    if (!known.has(key)) known.set(key, find(...asked));
    return known.get(key) as Found;
  };
}
