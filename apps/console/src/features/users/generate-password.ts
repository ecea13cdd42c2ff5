/** A password for somebody else: strong, and readable aloud (no 0 O o, 1 l I). */
const kinds = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!@#$%*+-=?'] as const
export const generatedLength = 14

/** A number below `limit` without bias: values of the last, incomplete round are thrown away. */
function below(limit: number): number {
  const rounds = Math.floor(256 / limit) * limit
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < rounds) return byte % limit
  }
}

const pick = (from: string): string => from.charAt(below(from.length))

export function generatePassword(length: number = generatedLength): string {
  const all = kinds.join('')
  const letters = [...kinds.map(pick), ...Array.from({ length: length - kinds.length }, () => pick(all))]
  for (let at = letters.length - 1; at > 0; at--) {
    const other = below(at + 1)
    const kept = letters[at] ?? ''
    letters[at] = letters[other] ?? ''
    letters[other] = kept
  }
  return letters.join('')
}
