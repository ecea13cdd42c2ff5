/**
 * The language of the console (docs/design/language.md). Chinese stands in the code and needs nothing. For English a room
 * of the console has a file en.json beside its code, and what shows the room fetches both: `withTexts('products', import(…))`.
 * A second one is named behind its room: `users/sign-in` is en-sign-in.json of users. What most screens share lies on two
 * shelves: `frame` comes with the frame, `later` with the screens that show more.
 */
import { fill, type Language, languageOf, speakBy } from '@ithings/contract/text.ts'
import { useSyncExternalStore } from 'react'

// Each in its own language, not a text to translate.
export const languages = { zh: '简体中文', en: 'English' } as const satisfies Record<Language, string>
/** As documents and `Intl` name them; users have them with an underscore (http-api.md "User"). */
export const tagOf = { zh: 'zh-CN', en: 'en-US' } as const satisfies Record<Language, string>

type Texts = Record<string, string>
const catalogues = import.meta.glob<Texts>(['../app/en.json', '../features/*/en*.json'], { import: 'default' })
const shelves = import.meta.glob<Texts[]>('./shelves/*.ts', { import: 'texts' })

/** A shelf has what several rooms bring together; a second catalogue of a room is named behind it. */
async function loadTexts(name: string): Promise<Texts[]> {
  const shelf = shelves[`./shelves/${name}.ts`]
  if (shelf) return shelf()
  const [room, part] = name.split('/')
  const file = `${room}/${part ? `en-${part}` : 'en'}.json`
  const load = catalogues[`../${file}`] ?? catalogues[`../features/${file}`]
  return load ? [await load()] : []
}

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

/** What cannot be fetched is shown in Chinese rather than not at all; it is tried again next time. */
async function fetchTexts(name: string): Promise<void> {
  try {
    const [{ addTexts }, texts] = await Promise.all([import('@ithings/contract/english.ts'), loadTexts(name)])
    for (const one of texts) addTexts(one)
  } catch {
    fetched.delete(name)
  }
}

function textsOf(name: string): Promise<void> {
  const known = fetched.get(name) ?? fetchTexts(name)
  fetched.set(name, known)
  return known
}

/** What a dynamic import gives, once the texts that it shows are there, too. */
export async function withTexts<T>(rooms: string | readonly string[], load: Promise<T>): Promise<T> {
  const names = typeof rooms === 'string' ? [rooms] : rooms
  for (const name of names) shown.add(name)
  if (current === 'zh') return load
  const [loaded] = await Promise.all([load, ...names.map(textsOf)])
  return loaded
}

async function show(language: Language): Promise<void> {
  if (language === 'zh') speakBy(fill)
  else {
    const english = import('@ithings/contract/english.ts')
    // A screen that is opened meanwhile brings more.
    for (let known = -1; known < shown.size; ) {
      known = shown.size
      await Promise.all([...shown].map(textsOf))
    }
    speakBy((await english).toEnglish)
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
