/** Reads something when it is asked for first, and not again. One that throws is asked again. */
export function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}
