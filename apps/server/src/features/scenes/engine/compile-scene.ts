/**
 * A scene made ready for the hot path: identifiers resolved against the models of today, terms compiled, texts for logs
 * written once. What is gone becomes a problem for people and never an exception (rules.md 2, 3).
 */
import { describeCondition } from '@ithings/contract/rules/describe-condition.ts'
import { type DeviceTrigger, valuesOf } from '@ithings/contract/rules/device-trigger.ts'
import type { SceneNames } from '@ithings/contract/rules/scene-names.ts'
import type { Condition } from '@ithings/contract/rules/scene-parts.ts'
import type { SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { columnTimeText, compileColumnTime } from '@ithings/contract/rules/time-range.ts'
import { keeping, kept } from '@ithings/contract/text.ts'
import { compileTrigger } from './compile-trigger.ts'
import type { CompiledCondition, CompiledScene, ConditionSource, ModelLookup } from './engine-types.ts'
import { lookupNames } from './lookup-names.ts'
import { compilePlaceTerm, findPropertyPlace, makeShow } from './value-place.ts'

type Scene = { sceneID: number; name: string; rev: number } & SceneParts

const walk = (list: readonly Condition[]): Condition[] => list.flatMap((one) => [one, ...walk(one.terms ?? [])])

/** Products whose models the scene needs, for the lookup. */
export function productsOf({ trigger, conditions }: Pick<SceneParts, 'trigger' | 'conditions'>): string[] {
  const inConditions = walk(conditions).flatMap(({ columnType, columnSchema }) =>
    columnType === 'property' && columnSchema ? [columnSchema.productID] : [],
  )
  return [...new Set([...(trigger.device ?? []).map(({ productID }) => productID), ...inConditions])]
}

interface Compiling {
  look: ModelLookup
  names: SceneNames
  /** Products whose devices can start the scene. */
  starters: ReadonlySet<string>
  timer: boolean
  needs: Map<string, ConditionSource>
  problems: string[]
  goneTriggers: string[]
}

type Leaf = CompiledCondition extends infer C ? (C extends unknown ? Omit<C, 'net' | 'children'> : never) : never

/** `place` of a condition: "2.1". */
const at = (place: string, fault: string): string =>
  kept('{path}：{fault}', { path: kept('条件 {number}', { number: place }), fault })

const textOf = (condition: Condition, { names }: Compiling): string =>
  keeping(() => describeCondition(condition, names))

function compileProperty(condition: Condition, place: string, compiling: Compiling): Leaf {
  const never = (text: string): Leaf => {
    compiling.problems.push(at(place, text))
    return { kind: 'never', text }
  }
  const { columnSchema } = condition
  if (!columnSchema) return never(kept('缺少属性'))
  const { productID, deviceName, dataID, termType } = columnSchema
  const product = compiling.look.product(productID)
  if (!product) return never(kept('产品 {productID} 不存在', { productID }))
  const found = findPropertyPlace(product, dataID)
  if (!found.ok) return never(found.problem)
  const values = valuesOf(columnSchema.values)
  const test = compilePlaceTerm(found.found, termType, values)
  if (!test.ok) return never(test.problem)
  if (deviceName === '' && compiling.timer) return never(kept('定时场景没有触发设备，请选择设备'))
  if (deviceName === '' && compiling.starters.size > 0 && !compiling.starters.has(productID))
    return never(kept('触发设备不属于产品“{product}”', { product: product.productName }))
  const source = { productID, deviceName, property: found.found.dataID }
  compiling.needs.set(JSON.stringify([productID, deviceName, source.property]), source)
  return {
    kind: 'property',
    source,
    member: found.found.member,
    test: test.found,
    text: textOf(condition, compiling),
    show: makeShow(found.found),
  }
}

function compileLeaf(condition: Condition, place: string, compiling: Compiling): Leaf {
  switch (condition.columnType) {
    case 'group':
      return { kind: 'group', text: textOf(condition, compiling) }
    case 'event':
      compiling.problems.push(at(place, kept('事件不能作为条件，它永远不成立')))
      return { kind: 'never', text: kept('事件不能作为条件') }
    case 'sysTime': {
      const { columnTime } = condition
      const test = columnTime && compileColumnTime(columnTime)
      if (columnTime && test) return { kind: 'time', test, text: textOf(condition, compiling) }
      const text = columnTime
        ? kept('时间条件无法识别：{time}', { time: columnTimeText(columnTime) })
        : kept('缺少时间')
      compiling.problems.push(at(place, text))
      return { kind: 'never', text }
    }
    case 'property':
      return compileProperty(condition, place, compiling)
  }
}

function compileConditions(list: readonly Condition[], path: string, compiling: Compiling): CompiledCondition[] {
  return list.map((condition, index) => {
    const place = path === '' ? String(index + 1) : `${path}.${index + 1}`
    const leaf = compileLeaf(condition, place, compiling)
    const terms = condition.terms?.length ? compileConditions(condition.terms, place, compiling) : undefined
    const children = terms && { join: condition.childrenCondition ?? ('and' as const), terms }
    return { ...leaf, net: condition.netCondition, children }
  })
}

function compileTriggers(list: readonly DeviceTrigger[], compiling: Compiling) {
  return list.flatMap((trigger, no) => {
    const compiled = compileTrigger(trigger, no, compiling.look.product(trigger.productID), compiling.names)
    if (compiled.ok) return [compiled.found]
    compiling.goneTriggers.push(
      kept('{path}：{fault}', { path: kept('触发 {number}', { number: no + 1 }), fault: compiled.problem }),
    )
    return []
  })
}

/** `names` know more than the models when texts are for people at once: aliases of devices. */
export function compileScene(scene: Scene, look: ModelLookup, names = lookupNames(look)): CompiledScene {
  const device = scene.trigger.device ?? []
  const compiling: Compiling = {
    look,
    names,
    starters: new Set(device.map(({ productID }) => productID)),
    timer: scene.triggerType === 'timer',
    needs: new Map(),
    problems: [],
    goneTriggers: [],
  }
  const triggers = scene.triggerType === 'device' ? compileTriggers(device, compiling) : []
  const conditions = compileConditions(scene.conditions, '', compiling)
  return {
    sceneID: scene.sceneID,
    name: scene.name,
    rev: scene.rev,
    triggerType: scene.triggerType,
    triggers,
    conditions,
    actions: scene.actions,
    needs: [...compiling.needs.values()],
    problems: [...compiling.goneTriggers, ...compiling.problems],
    goneTriggers: compiling.goneTriggers,
  }
}
