import type { Language } from '@ithings/contract/text.ts'
import { chineseCities } from './chinese-cities.ts'
import { worldCities } from './world-cities.ts'

export interface City {
  /** In Chinese: what is kept (home_place) is this one. */
  name: string
  english: string
  longitude: number
  latitude: number
}

export const cities: readonly City[] = [chineseCities, worldCities].flatMap((table) =>
  table
    .trim()
    .split(/,\s*/)
    .map((entry) => {
      const [name = '', longitude, latitude, ...english] = entry.split(' ')
      return { name, english: english.join(' '), longitude: Number(longitude), latitude: Number(latitude) }
    }),
)

const inEnglish = new Map(cities.map(({ name, english }) => [name, english]))

/** A kept name in the language of whoever reads it. */
export const cityIn = (language: Language, name: string): string =>
  language === 'en' ? (inEnglish.get(name) ?? name) : name
