/** Values at which scenes of the product start for a device, drawn as lines across its chart. Pure. */
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { sceneTrigger, valuesOf } from '@ithings/contract/rules/scene-parts.ts'
import { type TermType, termSigns } from '@ithings/contract/rules/terms.ts'
import type { ChartLimit } from '#blocks/history-chart/chart-option.ts'

type Rule = Pick<Scene, 'name' | 'trigger' | 'alarms'>

const crossed: readonly TermType[] = ['gt', 'gte', 'lt', 'lte', 'btw']

function triggersOf({ trigger }: Rule) {
  try {
    return sceneTrigger.safeParse(JSON.parse(trigger)).data?.device ?? []
  } catch {
    return []
  }
}

export function limitsOf(scenes: readonly Rule[], productID: string, deviceName: string): ChartLimit[] {
  const limits = scenes.flatMap((scene) =>
    triggersOf(scene).flatMap(({ productID: product, selector, selectorValues, operator, operationSchema }) => {
      const { dataID: [identifier, member] = [], termType, values } = operationSchema ?? {}
      // Who is in a group is not known here: a line that may not hold for the device is left out.
      const meant = selector === 'all' || (selector === 'fixed' && selectorValues?.includes(deviceName))
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
