/** English: the library, and the texts as their rooms bring them. The console fetches it when somebody reads English. */
import i18next from 'i18next'
import type { Translate } from './text.ts'

const words = i18next.createInstance()
void words.init({
  lng: 'en',
  fallbackLng: false,
  resources: {},
  initAsync: false,
  // A key is a sentence: dots and colons in it mean nothing.
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
})

export const addTexts = (texts: Readonly<Record<string, string>>): void =>
  void words.addResources('en', 'translation', texts)

/** Whole numbers named `count` choose between `…_one` and the text itself. */
export const toEnglish: Translate = (text, values) =>
  words.t(text, { replace: values, count: typeof values?.count === 'number' ? values.count : undefined })
