/** One property, event or action at a time (http-api.md 3.3). */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { createSchema, updateSchema } from '@ithings/contract/features/thing-model.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { functionTypeLabels } from '@ithings/contract/thing-model/model.ts'
import { diffModels } from '@ithings/contract/thing-model/model-diff.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { ProductsDeps } from '../products-deps.ts'
import { changeModel } from './change-model.ts'
import { readItem, toItem } from './function-item.ts'
import { modelOf, type StoredFunction } from './model-store.ts'

function requirePart(stored: StoredFunction[], identifier: string): StoredFunction {
  const part = stored.find((one) => one.value.identifier === identifier)
  if (!part)
    throw new AppError(errors.parameter, {
      msg: phrase('标识符不存在:{identifier}', { identifier }),
      field: 'identifier',
    })
  return part
}

const partOf = ({ type, value }: StoredFunction) => ({
  type: kept(functionTypeLabels[type]),
  identifier: value.identifier,
})

export async function createFunction(deps: ProductsDeps, input: BodyOutput<typeof createSchema>, user: SignedInUser) {
  const { productID, tag, ...item } = input
  const part: StoredFunction = { ...readItem(item), tag }
  await changeModel(deps, productID, user, (stored) => {
    if (stored.some((one) => one.value.identifier === item.identifier)) {
      throw new AppError(errors.parameter, {
        msg: phrase('标识符在该产品中已经被使用:{identifier}', { identifier: item.identifier }),
        field: 'identifier',
      })
    }
    return { title: kept('新增{type} {identifier}', partOf(part)), parts: [...stored, part], answer: undefined }
  })
}

/** Absent fields stay as they are. */
export async function updateFunction(deps: ProductsDeps, input: BodyOutput<typeof updateSchema>, user: SignedInUser) {
  const { productID, identifier, type, name, desc, required, affordance } = input
  await changeModel(deps, productID, user, (stored) => {
    const before = requirePart(stored, identifier)
    const { tag = before.tag } = input
    if (before.tag !== tag) throw new AppError(errors.parameter, { msg: phrase('功能标签不支持修改'), field: 'tag' })
    if (before.type !== type) {
      throw new AppError(errors.parameter, {
        msg: phrase('功能类型不支持修改:{identifier} 是{type}', {
          identifier,
          type: phrase(functionTypeLabels[before.type]),
        }),
        field: 'type',
      })
    }
    const old = toItem(productID, before)
    const after: StoredFunction = {
      ...readItem({
        type,
        identifier,
        name: name ?? old.name,
        desc: desc ?? old.desc,
        // http-api.md 1 "Enumerated bool": 0 is not given.
        required: required || old.required,
        affordance: affordance ?? old.affordance,
      }),
      tag,
    }
    const changed = diffModels(modelOf([before]), modelOf([after])).changed.length > 0
    return {
      title: kept('修改{type} {identifier}', partOf(after)),
      parts: changed ? stored.map((one) => (one === before ? after : one)) : undefined,
      answer: undefined,
    }
  })
}

export async function deleteFunction(
  deps: ProductsDeps,
  { productID, identifier }: { productID: string; identifier: string },
  user: SignedInUser,
) {
  await changeModel(deps, productID, user, (stored) => {
    const part = requirePart(stored, identifier)
    return {
      title: kept('删除{type} {identifier}', partOf(part)),
      parts: stored.filter((one) => one !== part),
      answer: undefined,
    }
  })
}
