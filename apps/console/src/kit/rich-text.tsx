import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react'

interface RichTextProps {
  /** A translated sentence with numbered elements in it: `将影响 <0>{count}</0> 台`, `最后上线 <0/>`. */
  text: string
  /** The elements in the order of their numbers; what stands inside `<0>…</0>` becomes the content of the first. */
  parts: readonly ReactElement<{ children?: ReactNode }>[]
}

const mark = /<(\d)>(.*?)<\/\1>|<(\d)\/>/g

/** One sentence that holds elements, so that every language can put them where they belong. */
export function RichText({ text, parts }: RichTextProps) {
  const drawn: ReactNode[] = []
  let at = 0
  for (const { 0: whole, 1: wrapping, 2: content, 3: alone, index } of text.matchAll(mark)) {
    const part = parts[Number(wrapping ?? alone)]
    drawn.push(text.slice(at, index))
    if (!part) drawn.push(whole)
    else drawn.push(content === undefined ? part : cloneElement(part, {}, content))
    at = index + whole.length
  }
  drawn.push(text.slice(at))
  return createElement(Fragment, {}, ...drawn)
}
