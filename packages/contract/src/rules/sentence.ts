/** A sentence for people whose parts can stand out. */
/** A piece of a sentence; `strong` is what a reader looks for. */
export interface SentencePart {
  text: string
  strong?: boolean | undefined
}

export const plain = (text: string): SentencePart => ({ text })
export const strong = (text: string): SentencePart => ({ text, strong: true })
export const asText = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('')

/** `<0>…</0>` is what stands out, once or several times: its places in the sentence are others in every language. */
export const marked = (text: string): SentencePart[] =>
  text
    .split(/<0>(.*?)<\/0>/s)
    .map((piece, at) => (at % 2 === 0 ? plain(piece) : strong(piece)))
    .filter((part) => part.text !== '')

/** Between every two of the list. */
export const between = (list: readonly SentencePart[][], joint: string): SentencePart[] =>
  list.flatMap((parts, index) => (index === 0 ? parts : [plain(joint), ...parts]))
