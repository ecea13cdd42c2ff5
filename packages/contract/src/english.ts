/** English: the library, and the texts as their rooms bring them. The console fetches it when somebody reads English. */
import i18next from 'i18next'
import { fill, speakEnglishBy, type Translate } from './text.ts'

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

/** Whole numbers named `count` choose between `…_one` and the text itself; a `context` takes `…_context` where there is one. */
export const toEnglish: Translate = (text, values) => {
  // What has no translation (words of the server, a text in English already) stays as it is, with its own braces.
  if (!words.exists(text)) return fill(text, values)
  return words.t(text, {
    replace: values,
    count: typeof values?.count === 'number' ? values.count : undefined,
    context: typeof values?.context === 'string' ? values.context : undefined,
  })
}

speakEnglishBy(toEnglish)
