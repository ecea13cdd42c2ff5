/** What the search shows: hits of the server and screens of the menu in one shape. Pure. */

import { type SearchHit, type SearchKind, searchKindLabels, searchKinds } from '@ithings/contract/features/search.ts'
import { t } from '@ithings/contract/text.ts'
import * as z from 'zod'
import {
  alarmEditPath,
  deviceDetailPath,
  groupDetailPath,
  paths,
  productPath,
  scenePath,
  withParams,
} from '#kit/paths.ts'

const itemKinds = ['screen', ...searchKinds] as const
type ItemKind = (typeof itemKinds)[number]
export const itemKindLabels: Record<ItemKind, string> = { screen: '页面', ...searchKindLabels }

export const searchItem = z.object({
  kind: z.enum(itemKinds),
  title: z.string(),
  detail: z.string(),
  /** Address inside the console; tells items apart. */
  to: z.string(),
})
export type SearchItem = z.output<typeof searchItem>

/** An entry of the user's own menu. */
export interface MenuScreen {
  name: string
  path: string
  /** Names of the groups above it. */
  group: string
}

const addressOf: Record<SearchKind, (hit: SearchHit) => string> = {
  product: ({ id }) => productPath(id),
  device: ({ id, productID }) => deviceDetailPath({ productID, deviceName: id }),
  group: ({ id }) => groupDetailPath(id),
  scene: ({ id }) => scenePath(Number(id)),
  alarm: ({ id }) => alarmEditPath(Number(id)),
  task: ({ id }) => withParams(paths.tasks, { taskID: id }),
  firmware: ({ name, productID }) => withParams(paths.firmware, { productID, name }),
}

/** The screen that a kind is looked at on: without it in the menu a hit would lead to a closed door. */
const screenOf: Record<SearchKind, string> = {
  product: paths.products,
  device: paths.devices,
  group: paths.groups,
  scene: paths.scenes,
  alarm: paths.alarms,
  task: paths.tasks,
  firmware: paths.firmware,
}

export const mayOpen = (kind: ItemKind, permitted: ReadonlySet<string>): boolean =>
  kind === 'screen' || permitted.has(screenOf[kind])

const toItem = (hit: SearchHit): SearchItem => ({
  kind: hit.kind,
  title: hit.name,
  detail: hit.detail,
  to: addressOf[hit.kind](hit),
})

export const screenItem = ({ name, path, group }: MenuScreen): SearchItem => ({
  kind: 'screen',
  title: name,
  detail: group,
  to: path,
})

/** 0 exact, 1 begins with it, 2 contains it, 3 only its group does; undefined: not at all. */
function rankOf({ name, group }: MenuScreen, keyword: string): number | undefined {
  const title = name.toLowerCase()
  if (title === keyword) return 0
  if (title.startsWith(keyword)) return 1
  if (title.includes(keyword)) return 2
  return group.toLowerCase().includes(keyword) ? 3 : undefined
}

const mostScreens = 5

export function findScreens(screens: readonly MenuScreen[], keyword: string): SearchItem[] {
  const wanted = keyword.trim().toLowerCase()
  return screens
    .flatMap((screen) => {
      const rank = rankOf(screen, wanted)
      return rank === undefined ? [] : [{ screen, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostScreens)
    .map(({ screen }) => screenItem(screen))
}

export interface ItemGroup {
  label: string
  items: SearchItem[]
}

/** Screens first: they are few and the words for them are known; then the kinds as the server orders them. */
export function groupItems(
  screens: SearchItem[],
  hits: readonly SearchHit[],
  permitted: ReadonlySet<string>,
): ItemGroup[] {
  const items = [...screens, ...hits.filter(({ kind }) => mayOpen(kind, permitted)).map(toItem)]
  return itemKinds
    .map((kind) => ({
      label: t(itemKindLabels[kind], { context: 'menu' }),
      items: items.filter((item) => item.kind === kind),
    }))
    .filter((group) => group.items.length > 0)
}

interface TextPart {
  text: string
  hit: boolean
}

/** The text cut where the word is in it, whatever the case. */
export function cutAtWord(text: string, keyword: string): TextPart[] {
  const word = keyword.trim().toLowerCase()
  const lower = text.toLowerCase()
  // Some letters change their length with their case; then nothing is marked rather than the wrong part.
  if (word === '' || lower.length !== text.length) return [{ text, hit: false }]
  const parts: TextPart[] = []
  let from = 0
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), hit: false })
    parts.push({ text: text.slice(at, at + word.length), hit: true })
    from = at + word.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), hit: false })
  return parts
}
