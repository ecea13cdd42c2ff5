/** Values at which scenes of the product start for a device, drawn as lines across its chart. Pure. */
import type { Group } from '@ithings/contract/features/groups.ts'
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { deviceTrigger, valuesOf } from '@ithings/contract/rules/device-trigger.ts'
import { type TermType, termSigns } from '@ithings/contract/rules/terms.ts'
import * as z from 'zod'
import { ancestorsOf } from '#blocks/group-tree.ts'
import type { ChartLimit } from '#blocks/history-chart/picture.ts'
import { parsedJson } from '#kit/json-object.ts'

type Rule = Pick<Scene, 'name' | 'trigger' | 'alarms'>

const crossed: readonly TermType[] = ['gt', 'gte', 'lt', 'lte', 'btw']

/** Of a trigger as it is read (rules.md 2) the part that devices start: timers would bring the reader of cron along. */
const startedByDevices = z.object({ device: z.array(deviceTrigger).nullish() })
const triggersOf = ({ trigger }: Rule) => startedByDevices.safeParse(parsedJson(trigger)).data?.device ?? []

/** A group means those below it, too: the groups of a device and all above them. */
export const groupsMeaning = (
  own: readonly Pick<Group, 'groupID'>[],
  all: readonly Pick<Group, 'groupID' | 'parentID'>[],
): Set<string> =>
  new Set(own.flatMap(({ groupID }) => [groupID, ...ancestorsOf(all, groupID).map((group) => group.groupID)]))

interface Subject {
  productID: string
  deviceName: string
  groups: ReadonlySet<string>
}

export function limitsOf(scenes: readonly Rule[], { productID, deviceName, groups }: Subject): ChartLimit[] {
  const limits = scenes.flatMap((scene) =>
    triggersOf(scene).flatMap(({ productID: product, selector, selectorValues, operator, operationSchema }) => {
      const { dataID: [identifier, member] = [], termType, values } = operationSchema ?? {}
      const isNamed = (value: string) => (selector === 'group' ? groups.has(value) : value === deviceName)
      const meant = selector === 'all' || selectorValues?.some(isNamed)
      if (product !== productID || operator !== 'reportProperty' || !meant) return []
      if (!identifier || member || !termType || !crossed.includes(termType)) return []
      const name = scene.alarms[0]?.name ?? scene.name
      return valuesOf(values).flatMap((text) => {
        const value = text.trim() === '' ? Number.NaN : Number(text)
        return Number.isFinite(value) ? { identifier, value, text: `${name} ${termSigns[termType]} ${text}` } : []
      })
    }),
  )
  return [...new Map(limits.map((limit) => [`${limit.identifier} ${limit.value}`, limit])).values()]
}
