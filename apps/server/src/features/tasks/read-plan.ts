/** What a task asks for, measured by the product it is for: a task that cannot work is refused when it is saved. */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { ShadowControl } from '@ithings/contract/features/commands.ts'
import { type TaskInput, TaskSchedule, TaskTarget, TaskType } from '@ithings/contract/features/tasks.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { jsonText } from '#db/json-text.ts'
import { actionInputs, propertyValues, readObject, withoutShadow } from '#features/commands/door.ts'
import type { CachedProduct } from '#features/products/door.ts'
import { requireVersion } from '#features/remote-config/door.ts'
import { nextTime } from './next-time.ts'
import { scopeOf, unknownNames, withNames } from './targets.ts'
import type { TasksDeps } from './tasks-deps.ts'

const shownNames = 20

const refused = (detail: Phrase, field: string) => new AppError(errors.parameter, { detail, field })

export async function requireProduct({ products }: TasksDeps, productID: string): Promise<CachedProduct> {
  const product = await products.get(productID)
  if (product) return product
  throw refusal(errors.notFound, '产品 {productID} 不存在', { productID }, { field: 'productID' })
}

async function checkNames({ db }: TasksDeps, plan: TaskInput): Promise<void> {
  if (plan.targetType !== TaskTarget.devices) return
  const unknown = await unknownNames(db, plan.productID, plan.deviceNames ?? [])
  if (unknown.length === 0) return
  const values = { productID: plan.productID, count: unknown.length, devices: unknown.slice(0, shownNames) }
  throw new AppError(errors.notFound, {
    detail:
      unknown.length > shownNames
        ? phrase('产品 {productID} 下没有这 {count} 台设备：{devices} 等', values)
        : phrase('产品 {productID} 下没有这 {count} 台设备：{devices}', values),
    field: 'deviceNames',
  })
}

/** The plan is asked for its identifiers in the database, which cannot read a NUL or half a surrogate pair. */
function readStorable(text: string, field: string) {
  const value = readObject(text, field)
  if (jsonText(value) !== JSON.stringify(value)) throw refused(phrase('{field} 包含不能保存的字符', { field }), field)
  return value
}

async function checkContent({ db }: TasksDeps, product: CachedProduct, plan: TaskInput): Promise<void> {
  const { productID, configID, data, actionID, inputParams, shadowControl } = plan
  if (plan.taskType === TaskType.config) {
    await requireVersion(db, productID, configID ?? undefined).catch((cause: unknown) => {
      if (!(cause instanceof AppError)) throw cause
      throw new AppError(errors.notFound, { msg: phrase('{why}', { why: cause.kept() }), field: 'configID', cause })
    })
    return
  }
  if (plan.taskType === TaskType.action) {
    actionInputs(product, actionID ?? '', readStorable(inputParams || '{}', 'inputParams'))
    return
  }
  const values = propertyValues(product, readStorable(data ?? '', 'data'))
  const shadowless = withoutShadow(product, values)
  if (shadowControl === ShadowControl.shadow && shadowless.length > 0) {
    throw refused(
      phrase('属性 {identifiers} 未启用设备影子，不能只写影子', { identifiers: shadowless }),
      'shadowControl',
    )
  }
}

function checkTiming(plan: TaskInput, now: number): void {
  const { scheduleType, runAt, cron } = plan
  if (scheduleType === TaskSchedule.once && (runAt ?? 0) < Math.floor(now / 1000)) {
    throw refused(phrase('执行时间不能早于现在'), 'runAt')
  }
  if (scheduleType === TaskSchedule.cron && nextTime(plan, now) === null) {
    throw refused(phrase('{cron} 在有效期内没有执行时间', { cron }), 'validEnd')
  }
}

/** Only what this task uses is kept, so that what is read later is what counts. */
function essence(input: TaskInput): TaskInput {
  const { taskType, targetType, scheduleType } = input
  const devices = targetType === TaskTarget.devices
  const inGroup = targetType === TaskTarget.group
  const cron = scheduleType === TaskSchedule.cron
  const property = taskType === TaskType.property
  return {
    ...input,
    deviceNames: devices ? [...new Set(input.deviceNames)] : null,
    groupID: inGroup ? input.groupID : null,
    includeChildren: inGroup ? input.includeChildren : true,
    data: property ? input.data : null,
    actionID: taskType === TaskType.action ? input.actionID : null,
    inputParams: taskType === TaskType.action ? input.inputParams : null,
    configID: taskType === TaskType.config ? input.configID : null,
    shadowControl: property ? input.shadowControl : ShadowControl.auto,
    runAt: scheduleType === TaskSchedule.once ? input.runAt : null,
    cron: cron ? input.cron : null,
    validStart: cron ? input.validStart : 0,
    validEnd: cron ? input.validEnd : 0,
  }
}

/** What may have changed since the task was saved. Devices that went are left out of a run; a group must be there. */
export async function checkParts(deps: TasksDeps, plan: TaskInput): Promise<void> {
  await checkContent(deps, await requireProduct(deps, plan.productID), plan)
  // A group that is gone says so itself.
  await scopeOf(deps.db, plan)
}

/** Throws with the field that is wrong. */
export async function readPlan(deps: TasksDeps, input: TaskInput): Promise<TaskInput> {
  const plan = essence(await withNames(deps.db, input))
  await checkParts(deps, plan)
  await checkNames(deps, plan)
  checkTiming(plan, deps.clock.now())
  return plan
}
