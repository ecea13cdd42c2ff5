/**
 * Characters that nobody sees but programs and models read, or that turn the order of what is shown: control,
 * bidirectional, zero-width, tag and private characters. Line ends and tabs stay, and the selector that only colours an emoji.
 */
const unseen = /(?!\n|\r\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu

/** The text with each of them written out as \u{…}: for texts of strangers that somebody decides by. */
export const showUnseen = (text: string): string =>
  text.replace(unseen, (one) => `\\u{${one.codePointAt(0)?.toString(16).toUpperCase()}}`)
