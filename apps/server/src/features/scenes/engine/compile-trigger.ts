/** One device trigger made ready for the hot path (rules.md 2; additions "Scenes and alarms"). */
import {
  type DeviceTrigger,
  type OperationSchema,
  type StateKeep,
  secondsOf,
  timeUnitLabels,
  triggerOperatorLabels,
  valuesOf,
} from '@ithings/contract/rules/scene-parts.ts'
import { valueText } from '@ithings/contract/thing-model/values.ts'
import type { BookProduct } from '#features/products/door.ts'
import type { CompiledTrigger } from './engine-types.ts'
import {
  compilePlaceTerm,
  type Found,
  findEventPlace,
  findPropertyPlace,
  makeShow,
  type Test,
  termText,
  type ValuePlace,
} from './value-place.ts'

/** Seconds in which repeated matches must come when the scene does not say. */
const defaultWindow = 60

type Watched = Pick<CompiledTrigger, 'dataID' | 'member' | 'test' | 'threshold' | 'text' | 'show'>

const whole = (dataID: string, member: string, text: string, show = valueText): Watched => ({
  dataID,
  member,
  test: undefined,
  threshold: [],
  text,
  show,
})

function withTerm(place: ValuePlace, operation: OperationSchema | null | undefined): Found<Watched> {
  const { dataID, member, define, name } = place
  const show = makeShow(define)
  const { termType } = operation ?? {}
  if (!termType) return { ok: true, found: whole(dataID, member, `${name} 上报`, show) }
  const values = valuesOf(operation?.values)
  const test: Found<Test> = compilePlaceTerm(place, termType, values)
  if (!test.ok) return test
  const text = `${name} ${termText(define, termType, values)}`
  return { ok: true, found: { dataID, member, test: test.found, threshold: values, text, show } }
}

function watchEvent(operation: OperationSchema | null | undefined, product: BookProduct): Found<Watched> {
  const event = findEventPlace(product, operation?.dataID ?? [])
  if (!event.ok) return event
  const { place, eventID, name } = event.found
  if (place) return withTerm(place, operation)
  return { ok: true, found: whole(eventID, '', `事件“${name}”上报`) }
}

function watchSilence(operation: OperationSchema | null | undefined, product: BookProduct): Found<Watched> {
  const span = `${operation?.minutes ?? 0} 分钟无数据`
  if (!operation?.dataID.length) return { ok: true, found: whole('', '', `设备 ${span}`) }
  const place = findPropertyPlace(product, operation.dataID.slice(0, 1))
  return place.ok ? { ok: true, found: whole(place.found.dataID, '', `${place.found.name} ${span}`) } : place
}

function watch({ operator, operationSchema }: DeviceTrigger, product: BookProduct): Found<Watched> {
  switch (operator) {
    case 'connected':
    case 'disConnected':
      return { ok: true, found: whole('', '', triggerOperatorLabels[operator]) }
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

function debounce(keep: StateKeep | null | undefined): Debounce & { text: string } {
  if (keep?.type === 'duration' && keep.value > 0) {
    const text = ` 持续 ${keep.value} ${timeUnitLabels[keep.unit]}`
    return { keepMs: secondsOf(keep) * 1000, times: 1, windowMs: 0, text }
  }
  const times = keep?.type === 'repeating' ? Math.ceil(keep.value) : 1
  if (times <= 1) return { keepMs: 0, times: 1, windowMs: 0, text: '' }
  const window = keep?.window ?? defaultWindow
  return { keepMs: 0, times, windowMs: window * 1000, text: ` ${window} 秒内 ${times} 次` }
}

export function compileTrigger(
  trigger: DeviceTrigger,
  no: number,
  product: BookProduct | undefined,
): Found<CompiledTrigger> {
  if (!product) return { ok: false, problem: `产品 ${trigger.productID} 不存在` }
  const watched = watch(trigger, product)
  if (!watched.ok) return watched
  const { operator, selector, selectorValues, operationSchema } = trigger
  // Silence lasts already: it needs no further time to be sure of.
  const { text, ...kept } = debounce(operator === 'noReport' ? undefined : operationSchema?.stateKeep)
  return {
    ok: true,
    found: {
      ...watched.found,
      ...kept,
      text: watched.found.text + text,
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
