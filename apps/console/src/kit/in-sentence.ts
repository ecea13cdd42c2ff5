import { readLanguage } from '#language/language.ts'

/** A label inside an English sentence begins with a small letter ("Enter device name"); ID, IP and the like stay as they are. */
export const inSentence = (label: string): string =>
  readLanguage() === 'en' && /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
