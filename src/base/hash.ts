/**
 * Hashes, and random ids, without an import of `node:crypto`: to load that module takes the native build longer than
 * anything else that the edit hook does, and its engine has hashes of its own.
 */

/** A hash that is being made. What `node:crypto` and Bun have in common. */
export interface Hash {
  update(data: string | Uint8Array): Hash;
  /** Another one that goes on from here. */
  copy(): Hash;
  digest(): Buffer;
  digest(encoding: 'hex' | 'base64' | 'base64url'): string;
}

type Algorithm = 'sha1' | 'sha256';

type Engine = {
  Bun?: {
    CryptoHasher: new (algorithm: Algorithm) => Hash;
    SHA256: { hash(data: string | Uint8Array, encoding: 'hex'): string };
  };
};

/** A string that is hashed counts as UTF-8. */
export function createHash(algorithm: Algorithm): Hash {
  const { Bun } = globalThis as Engine;
  return Bun
    ? new Bun.CryptoHasher(algorithm)
    : process.getBuiltinModule('node:crypto').createHash(algorithm);
}

/** SHA-256 of text (as UTF-8) or bytes, in hexadecimal. In one call: of a short line, the object for several takes three times as long. */
export function sha256Of(data: string | Uint8Array): string {
  const { Bun } = globalThis as Engine;
  return Bun
    ? Bun.SHA256.hash(data, 'hex')
    : process.getBuiltinModule('node:crypto').hash('sha256', data, 'hex');
}

/** So many random bytes, in hexadecimal. */
export const randomHex = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
