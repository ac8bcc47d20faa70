/** As much of an id as names it among those that are known: so many characters at least. */
export function shortId(id: string, known: readonly string[], least = 8): string {
  const others = known.filter((other) => other !== id);
  let length = least;
  while (length < id.length && others.some((other) => other.startsWith(id.slice(0, length)))) length += 1;
  return id.slice(0, length);
}
