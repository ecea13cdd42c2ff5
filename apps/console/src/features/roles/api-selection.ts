/** Which APIs a role may call: grouped by 接口分组, searched, taken and given by group. Pure. */
import { type BusinessType, httpMethodLabels } from '@ithings/contract/endpoint.ts'
import type { Api } from '@ithings/contract/features/apis.ts'

/** The wire names an API by route and method (http-api.md 2.6). */
export const apiKeyOf = ({ route, method }: { route: string; method: number }): string => `${method} ${route}`

export function parseApiKey(key: string): { route: string; method: number } {
  const gap = key.indexOf(' ')
  return { method: Number(key.slice(0, gap)), route: key.slice(gap + 1) }
}

export interface ApiGroup {
  group: string
  apis: Api[]
}

export type Keys = ReadonlySet<string>

/** Groups in the order of their first API, as the contract lists them. */
export function apiGroups(apis: readonly Api[]): ApiGroup[] {
  const groups = new Map<string, Api[]>()
  for (const api of apis) groups.set(api.group, [...(groups.get(api.group) ?? []), api])
  return [...groups].map(([group, list]) => ({ group, apis: list }))
}

export interface ApiSearch {
  keyword: string
  businessType?: BusinessType | undefined
}

const methodText = (method: number): string => (httpMethodLabels as Record<number, string>)[method] ?? ''

/** By name, route or method; a matching group name shows the whole group. */
export function searchApis(groups: readonly ApiGroup[], { keyword, businessType }: ApiSearch): ApiGroup[] {
  const wanted = keyword.trim().toLowerCase()
  const hit = (text: string) => text.toLowerCase().includes(wanted)
  return groups.flatMap(({ group, apis }) => {
    const found = apis.filter(
      (api) =>
        (businessType === undefined || api.businessType === businessType) &&
        (wanted === '' ||
          hit(group) ||
          hit(api.name) ||
          hit(api.route) ||
          methodText(api.method).toLowerCase() === wanted),
    )
    return found.length > 0 ? [{ group, apis: found }] : []
  })
}

export const groupKey = (group: string): string => `group:${group}`

export function groupStates(groups: readonly ApiGroup[], held: Keys): { checked: string[]; half: string[] } {
  const checked: string[] = []
  const half: string[] = []
  for (const { group, apis } of groups) {
    const own = apis.map(apiKeyOf).filter((key) => held.has(key))
    checked.push(...own)
    if (own.length === apis.length) checked.push(groupKey(group))
    else if (own.length > 0) half.push(groupKey(group))
  }
  return { checked, half }
}

/** One click on an API or on a group of what is shown. */
export function toggleApi(shown: readonly ApiGroup[], held: Keys, key: string, on: boolean): Set<string> {
  const group = shown.find((one) => groupKey(one.group) === key)
  const touched = group ? group.apis.map(apiKeyOf) : [key]
  const next = new Set(held)
  for (const one of touched) {
    if (on) next.add(one)
    else next.delete(one)
  }
  return next
}

export const toggleShownApis = (shown: readonly ApiGroup[], held: Keys, on: boolean): Set<string> =>
  shown.reduce((now, { group }) => toggleApi(shown, now, groupKey(group), on), new Set(held))
