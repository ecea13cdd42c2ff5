/** A sentence for people whose parts can stand out. */
/** A piece of a sentence; `strong` is what a reader looks for. */
export interface SentencePart {
  text: string
  strong?: boolean | undefined
}

export const plain = (text: string): SentencePart => ({ text })
export const strong = (text: string): SentencePart => ({ text, strong: true })
export const asText = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('')

/** `<0>…</0>` is what stands out: its place in the sentence is another in every language. */
export function marked(text: string): SentencePart[] {
  const [, before = '', inside = '', behind = ''] = /^(.*?)<0>(.*)<\/0>(.*)$/s.exec(text) ?? []
  return [plain(before), strong(inside), plain(behind)].filter((part) => part.text !== '')
}

/** Between every two of the list. */
export const between = (list: readonly SentencePart[][], joint: string): SentencePart[] =>
  list.flatMap((parts, index) => (index === 0 ? parts : [plain(joint), ...parts]))
