/** A scene against the world: what is gone or does not fit the thing model. Saving refuses the first, lists show all. */
import { AppError, type CatalogueError, errors } from '@ithings/contract/errors.ts'
import { type DeviceTrigger, valuesOf } from '@ithings/contract/rules/device-trigger.ts'
import type { Condition, DeviceOutput, SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import type { SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { compileTerm, type TermType, termLabels } from '@ithings/contract/rules/terms.ts'
import { compileColumnTime } from '@ithings/contract/rules/time-range.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define, dataTypeLabels } from '@ithings/contract/thing-model/define.ts'
import { actionInputs, propertyValues } from '#features/commands/door.ts'
import type { CachedProduct } from '#features/products/door.ts'
import type { RuleWorld } from './rule-world.ts'

export interface Problem {
  /** undefined: worth telling, but no reason to refuse it. */
  entry: CatalogueError | undefined
  text: string
}

interface Tell {
  (text: string, entry?: CatalogueError): void
  hint(text: string): void
}

interface Starters {
  /** Products whose devices can start the scene. */
  products: ReadonlySet<string>
  /** A timer knows no device; a manual scene may be run by one that does. */
  timer: boolean
}

function productOf(world: RuleWorld, productID: string, tell: Tell): CachedProduct | undefined {
  const product = world.products.get(productID)
  if (!product) tell(t('产品 {productID} 不存在', { productID }))
  return product
}

/** rules.md 2: the member of a struct must be named, arrays cannot be compared. */
function propertyDefine(product: CachedProduct, dataID: string[], tell: Tell): Define | undefined {
  const [identifier = '', member] = dataID
  const define = product.properties.get(identifier)?.property.define
  if (!define) {
    tell(t('产品「{product}」没有属性 {identifier}', { product: product.productName, identifier }))
    return undefined
  }
  if (define.type === DataType.array) {
    tell(t('属性 {identifier} 是数组，不能用于场景', { identifier }))
    return undefined
  }
  if (define.type !== DataType.struct) {
    if (member === undefined) return define
    tell(t('属性 {identifier} 不是结构体，没有成员 {member}', { identifier, member }))
    return undefined
  }
  const spec = define.specs?.find((one) => one.identifier === member)
  if (!spec)
    tell(
      member === undefined
        ? t('属性 {identifier} 是结构体，须指定成员', { identifier })
        : t('属性 {identifier} 没有成员 {member}', { identifier, member }),
    )
  return spec?.dataType
}

function eventDefine(product: CachedProduct, dataID: string[], needsParam: boolean, tell: Tell): Define | undefined {
  const [identifier = '', param] = dataID
  const event = product.events.get(identifier)?.event
  if (!event) {
    tell(t('产品「{product}」没有事件 {eventID}', { product: product.productName, eventID: identifier }))
    return undefined
  }
  if (param === undefined) {
    if (needsParam) tell(t('事件 {eventID} 的比较须指定参数', { eventID: identifier }))
    return undefined
  }
  const found = event.params.find((one) => one.identifier === param)
  if (!found) tell(t('事件 {eventID} 没有参数 {param}', { eventID: identifier, param }))
  return found?.define
}

function checkTerm(define: Define, term: TermType, values: string[], field: string, tell: Tell): void {
  if (compileTerm(define.type, term, values)) return
  tell(
    t('{field} 是{type}，不能与「{values}」比较（{term}）', {
      field,
      type: t(dataTypeLabels[define.type]),
      values: values.join(t('、')),
      term: t(termLabels[term]),
    }),
  )
}

function checkSelected(world: RuleWorld, one: DeviceTrigger | DeviceOutput, tell: Tell): void {
  const { productID, selector, selectorValues } = one
  const given = selectorValues ?? []
  if (selector === 'fixed') {
    const gone = given.filter((name) => !world.device(productID, name))
    const deviceName = gone.slice(0, 5).join(t('、'))
    if (gone.length > 5) tell(t('产品 {productID} 下没有设备 {deviceName} 等', { productID, deviceName }))
    else if (gone.length > 0) tell(t('产品 {productID} 下没有设备 {deviceName}', { productID, deviceName }))
  } else if (selector === 'group') {
    if (given.length !== 1) tell(t('只能选择一个分组'))
    else if (!world.groups.has(Number(given[0]))) tell(t('分组 {groupID} 不存在', { groupID: given[0] }))
  }
}

function checkTrigger(world: RuleWorld, trigger: DeviceTrigger, tell: Tell): void {
  const product = productOf(world, trigger.productID, tell)
  if (!product) return
  checkSelected(world, trigger, tell)
  const { operator, operationSchema } = trigger
  const { dataID = [], termType, values } = operationSchema ?? {}
  if (operator === 'noReport' && dataID[0] !== undefined && !product.properties.has(dataID[0])) {
    tell(t('产品「{product}」没有属性 {identifier}', { product: product.productName, identifier: dataID[0] }))
  }
  if (operator !== 'reportProperty' && operator !== 'reportEvent') return
  const define =
    operator === 'reportProperty'
      ? propertyDefine(product, dataID, tell)
      : eventDefine(product, dataID, Boolean(termType), tell)
  if (define && termType) checkTerm(define, termType, valuesOf(values), dataID.join('.'), tell)
}

/** What is meant for the device that started the scene. */
function checkStarter(starters: Starters, product: CachedProduct, tell: Tell): void {
  if (starters.timer) tell(t('定时场景没有触发设备，请选择设备'))
  else if (starters.products.size > 0 && !starters.products.has(product.productID)) {
    tell(t('触发设备不属于产品「{product}」', { product: product.productName }))
  }
}

function checkCondition(world: RuleWorld, starters: Starters, condition: Condition, tell: Tell): void {
  const { columnType, columnSchema, columnTime, terms } = condition
  for (const one of terms ?? []) checkCondition(world, starters, one, tell)
  // Existing scenes may have it (rules.md 3), so it is kept.
  if (columnType === 'event') tell.hint(t('事件不能作为条件，它永远不成立'))
  if (columnType === 'sysTime' && columnTime && !compileColumnTime(columnTime)) {
    tell(t('时间条件无法识别'))
  }
  if (columnType !== 'property' || !columnSchema) return
  const { productID, deviceName, dataID, termType, values } = columnSchema
  const product = productOf(world, productID, tell)
  if (!product) return
  if (deviceName === '') checkStarter(starters, product, tell)
  else if (!world.device(productID, deviceName))
    tell(t('产品 {productID} 下没有设备 {deviceName}', { productID, deviceName }))
  const define = propertyDefine(product, dataID, tell)
  if (define) checkTerm(define, termType, valuesOf(values), dataID.join('.'), tell)
}

function checkOutput(world: RuleWorld, starters: Starters, output: DeviceOutput, tell: Tell): void {
  const product = productOf(world, output.productID, tell)
  if (!product) return
  checkSelected(world, output, tell)
  if (output.selector === 'trigger') checkStarter(starters, product, tell)
  try {
    const values = JSON.parse(output.value)
    if (output.type === 'action') actionInputs(product, output.dataID, values)
    else propertyValues(product, values)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // What stands before the colon is the catalogue's own word.
    const said = error.say(t)
    tell(
      said.slice(said.indexOf(':') + 1).trimStart(),
      error.code === errors.outOfRange.code ? errors.outOfRange : errors.parameter,
    )
  }
}

function checkAction(world: RuleWorld, starters: Starters, action: SceneAction, context: Context, tell: Tell): void {
  const { device, alarm, notify, scene } = action
  if (device) checkOutput(world, starters, device, tell)
  // Alarms are linked after the scene is saved, so this is no refusal.
  if (alarm && context.alarms === 0) tell.hint(t('没有关联的告警配置'))
  for (const channelID of notify?.channelIDs ?? []) {
    if (!world.channels.has(channelID)) tell(t('通知渠道 {id} 不存在', { id: channelID }))
  }
  if (!scene) return
  if (scene.sceneID === context.sceneID) tell(t('场景不能执行自己'))
  else if (!world.scenes.has(scene.sceneID)) tell(t('场景 {sceneID} 不存在', { sceneID: scene.sceneID }))
}

export interface Context {
  /** undefined: not saved yet. */
  sceneID?: number
  /** Alarms linked to it. */
  alarms: number
}

/** In the language that is spoken while it is asked. */
export function findProblems(parts: SceneParts, world: RuleWorld, context: Context): Problem[] {
  const problems: Problem[] = []
  const teller = (path: string): Tell =>
    Object.assign(
      (fault: string, entry: CatalogueError = errors.parameter) =>
        void problems.push({ entry, text: t('{path}：{fault}', { path, fault }) }),
      {
        hint: (fault: string) => void problems.push({ entry: undefined, text: t('{path}：{fault}', { path, fault }) }),
      },
    )
  const triggers = parts.trigger.device ?? []
  const starters = {
    products: new Set(triggers.map((one) => one.productID)),
    timer: parts.triggerType === 'timer',
  }
  for (const [i, one] of triggers.entries()) checkTrigger(world, one, teller(t('触发 {number}', { number: i + 1 })))
  for (const [i, one] of parts.conditions.entries())
    checkCondition(world, starters, one, teller(t('条件 {number}', { number: i + 1 })))
  for (const [i, one] of parts.actions.entries())
    checkAction(world, starters, one, context, teller(t('动作 {number}', { number: i + 1 })))
  return problems
}
