/**
 * The language of the console (docs/design/language.md). Chinese stands in the code and needs nothing. For English a room
 * of the console has a file en.json beside its code, and what shows the room fetches both: `withTexts('products', import(…))`.
 */
import { fill, type Language, languageOf, speakBy } from '@ithings/contract/text.ts'
import { useSyncExternalStore } from 'react'

// Each in its own language, not a text to translate.
export const languages = { zh: '简体中文', en: 'English' } as const satisfies Record<Language, string>
/** As documents and `Intl` name them; users have them with an underscore (http-api.md "User"). */
export const tagOf = { zh: 'zh-CN', en: 'en-US' } as const satisfies Record<Language, string>

type Texts = Record<string, string>
const catalogues = import.meta.glob<Texts>(['../*/en.json', '../features/*/en.json'], { import: 'default' })
const contract = () => import('@ithings/contract/en.json').then((loaded): Texts => loaded.default)

const storageKey = 'iThings-language'

function stored(): Language | undefined {
  try {
    return languageOf(localStorage.getItem(storageKey))
  } catch {
    return undefined
  }
}

/** By the address, for this visit. */
let asked: Language | undefined
let current: Language = 'zh'
const shown = new Set<string>()
const fetched = new Map<string, Promise<void>>()
const listeners = new Set<() => void>()

/** A room whose texts cannot be fetched is shown in Chinese rather than not at all; it is tried again next time. */
async function fetchTexts(room: string): Promise<void> {
  const load =
    room === 'contract' ? contract : (catalogues[`../${room}/en.json`] ?? catalogues[`../features/${room}/en.json`])
  if (!load) return
  try {
    const [{ addTexts }, texts] = await Promise.all([import('@ithings/contract/english.ts'), load()])
    addTexts(texts)
  } catch {
    fetched.delete(room)
  }
}

function textsOf(room: string): Promise<void> {
  const known = fetched.get(room) ?? fetchTexts(room)
  fetched.set(room, known)
  return known
}

/** What a dynamic import gives, once the texts of its room are there, too. */
export async function withTexts<T>(rooms: string | readonly string[], load: Promise<T>): Promise<T> {
  const names = typeof rooms === 'string' ? [rooms] : rooms
  for (const room of names) shown.add(room)
  if (current === 'zh') return load
  const [loaded] = await Promise.all([load, ...names.map(textsOf)])
  return loaded
}

async function show(language: Language): Promise<void> {
  if (language === 'zh') speakBy(fill)
  else {
    const [{ toEnglish }] = await Promise.all([import('@ithings/contract/english.ts'), ...[...shown].map(textsOf)])
    speakBy(toEnglish)
  }
  current = language
  document.documentElement.lang = tagOf[language]
  for (const tell of listeners) tell()
}

/** Chosen by the user: this browser remembers it. Nothing that is open is lost. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // A browser that refuses storage still gets the choice for this visit.
  }
  if (language !== current) await show(language)
}

/** Before the first drawing. Who has chosen nothing reads what the browser speaks; who speaks neither reads English. */
export async function startLanguage(rooms: readonly string[]): Promise<void> {
  for (const room of rooms) shown.add(room)
  asked = languageOf(new URLSearchParams(window.location.search).get('lang'))
  const language = asked ?? stored() ?? (languageOf(navigator.language) === 'zh' ? 'zh' : 'en')
  if (language !== 'zh') await show(language)
}

/** What the user chose, perhaps on another machine. */
export async function followUser(name: string): Promise<void> {
  const language = languageOf(name)
  if (language && !asked) await chooseLanguage(language)
}

export const readLanguage = (): Language => current

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Draws whoever asks anew when the language changes. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, readLanguage, readLanguage)
