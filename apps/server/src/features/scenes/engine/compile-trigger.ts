/** One device trigger made ready for the hot path (rules.md 2). */
import { describeTrigger } from '@ithings/contract/rules/describe-trigger.ts'
import {
  type DeviceTrigger,
  type OperationSchema,
  type StateKeep,
  valuesOf,
} from '@ithings/contract/rules/device-trigger.ts'
import type { SceneNames } from '@ithings/contract/rules/scene-names.ts'
import { secondsOf } from '@ithings/contract/rules/time-units.ts'
import { keeping, kept } from '@ithings/contract/text.ts'
import { valueText } from '@ithings/contract/thing-model/values.ts'
import type { CachedProduct } from '#features/products/door.ts'
import type { CompiledTrigger } from './engine-types.ts'
import {
  compilePlaceTerm,
  type Found,
  findEventPlace,
  findPropertyPlace,
  makeShow,
  type Test,
  type ValuePlace,
} from './value-place.ts'

/** Seconds in which repeated matches must come when the scene does not say. */
const defaultWindow = 60

type Watched = Pick<CompiledTrigger, 'dataID' | 'member' | 'test' | 'threshold' | 'show'>

const whole = (dataID: string, member: string, show = valueText): Found<Watched> => ({
  ok: true,
  found: { dataID, member, test: undefined, threshold: [], show },
})

function withTerm(place: ValuePlace, operation: OperationSchema | null | undefined): Found<Watched> {
  const { dataID, member } = place
  const show = makeShow(place)
  const { termType } = operation ?? {}
  if (!termType) return whole(dataID, member, show)
  const values = valuesOf(operation?.values)
  const test: Found<Test> = compilePlaceTerm(place, termType, values)
  return test.ok ? { ok: true, found: { dataID, member, test: test.found, threshold: values, show } } : test
}

function watchEvent(operation: OperationSchema | null | undefined, product: CachedProduct): Found<Watched> {
  const event = findEventPlace(product, operation?.dataID ?? [])
  if (!event.ok) return event
  const { place, eventID, name } = event.found
  if (place) return withTerm(place, operation)
  return operation?.termType
    ? { ok: false, problem: kept('事件“{name}”的比较须选择参数', { name }) }
    : whole(eventID, '')
}

function watchSilence(operation: OperationSchema | null | undefined, product: CachedProduct): Found<Watched> {
  if (!operation?.dataID.length) return whole('', '')
  const place = findPropertyPlace(product, operation.dataID.slice(0, 1))
  return place.ok ? whole(place.found.dataID, '') : place
}

function watch({ operator, operationSchema }: DeviceTrigger, product: CachedProduct): Found<Watched> {
  switch (operator) {
    case 'connected':
    case 'disConnected':
      return whole('', '')
    case 'noReport':
      return watchSilence(operationSchema, product)
    case 'reportEvent':
      return watchEvent(operationSchema, product)
    case 'reportProperty': {
      const place = findPropertyPlace(product, operationSchema?.dataID ?? [])
      return place.ok ? withTerm(place.found, operationSchema) : place
    }
  }
}

type Debounce = Pick<CompiledTrigger, 'keepMs' | 'times' | 'windowMs'>

function debounce(keep: StateKeep | null | undefined): Debounce {
  if (keep?.type === 'duration') return { keepMs: secondsOf(keep) * 1000, times: 1, windowMs: 0 }
  const times = keep ? Math.ceil(keep.value) : 1
  return times > 1
    ? { keepMs: 0, times, windowMs: (keep?.window ?? defaultWindow) * 1000 }
    : { keepMs: 0, times: 1, windowMs: 0 }
}

export function compileTrigger(
  trigger: DeviceTrigger,
  no: number,
  product: CachedProduct | undefined,
  names: SceneNames,
): Found<CompiledTrigger> {
  if (!product) return { ok: false, problem: kept('产品 {productID} 不存在', { productID: trigger.productID }) }
  const watched = watch(trigger, product)
  if (!watched.ok) return watched
  const { operator, selector, selectorValues, operationSchema } = trigger
  // Silence lasts already: it needs no further time to be sure of.
  const debounced = debounce(operator === 'noReport' ? undefined : operationSchema?.stateKeep)
  return {
    ok: true,
    found: {
      ...watched.found,
      ...debounced,
      text: keeping(() => describeTrigger(trigger, names)),
      no,
      productID: trigger.productID,
      selector,
      names: new Set(selector === 'fixed' ? selectorValues : []),
      groupID: selector === 'group' ? Number(selectorValues?.[0] ?? 0) : 0,
      operator,
      silenceMs: operator === 'noReport' ? (operationSchema?.minutes ?? 0) * 60_000 : 0,
      once: trigger.once ?? false,
      minIntervalMs: (trigger.minInterval ?? 0) * 1000,
    },
  }
}
