/** The thing model of a product. A product without functions has no such object. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { createSchema, ImportMode, importTsl, readTsl } from '@ithings/contract/features/thing-model.ts'
import { phrase } from '@ithings/contract/text.ts'
import { FunctionTag, functionsOf, toAffordance } from '@ithings/contract/thing-model/affordance.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { dropNulls } from '@ithings/contract/wire.ts'
import { loadFunctions, modelOf } from '#features/products/door.ts'
import type { Scope } from '../plans-deps.ts'
import type { Kind, Spec } from './kind.ts'

const lists = ['properties', 'events', 'actions'] as const
type Tagged = { identifier: string; tag?: number }

const tagsIn = (spec: Spec): Map<string, number> =>
  new Map(
    lists.flatMap((list) =>
      ((spec[list] ?? []) as Tagged[]).flatMap(({ identifier, tag }) => (tag === undefined ? [] : [[identifier, tag]])),
    ),
  )

/** Most functions are of people's own; only the others are marked. */
function withTags(model: ThingModel, tags: ReadonlyMap<string, number>): Spec {
  const marked = (part: { identifier: string }) => {
    const tag = tags.get(part.identifier) ?? FunctionTag.custom
    return tag === FunctionTag.custom ? part : { ...part, tag }
  }
  return dropNulls({
    properties: model.properties.map(marked),
    events: model.events.map(marked),
    actions: model.actions.map(marked),
  }) as Spec
}

function readModel(spec: Spec): ThingModel {
  const { model, issues } = readTslText(JSON.stringify(spec))
  const [first] = issues
  if (!first) return model
  // Said again in the language of whoever reads it.
  const fault = () => readTslText(JSON.stringify(spec)).issues[0]?.text ?? ''
  const detail = first.path === '' ? fault : phrase('{path}：{fault}', { path: first.path, fault })
  throw new AppError(errors.parameter, { detail, field: first.path })
}

/** A mark is given when a function is made, and never after. */
async function write({ ask }: Scope, productID: string, spec: Spec, before: Spec): Promise<void> {
  const model = readModel(spec)
  const [wanted, had] = [tagsIn(spec), tagsIn(before)]
  const known = new Set(functionsOf(readModel(before)).map(({ value }) => value.identifier))
  for (const part of functionsOf(model)) {
    const { identifier, name, desc, required } = part.value
    const tag = (wanted.get(identifier) ?? FunctionTag.custom) as FunctionTag
    if (known.has(identifier)) {
      if (tag === (had.get(identifier) ?? FunctionTag.custom)) continue
      throw new AppError(errors.parameter, { detail: phrase('功能「{identifier}」的标签不能修改', { identifier }) })
    }
    if (tag === FunctionTag.custom) continue
    const affordance = toAffordance(part)
    await ask(createSchema, {
      productID,
      type: part.type,
      tag,
      identifier,
      name,
      desc,
      required: required ? 1 : 2,
      affordance,
    })
  }
  await ask(importTsl, { productID, tsl: JSON.stringify(spec), mode: ImportMode.replace })
}

const nothing: Spec = { properties: [], events: [], actions: [] }

export const modelKind: Kind = {
  kind: 'model',
  seenBy: (productID) => ({ endpoint: readTsl, body: { productID } }),
  async load(db) {
    const products = await db
      .selectFrom('product_function')
      .select('product_id')
      .distinct()
      .orderBy('product_id')
      .execute()
    const found = []
    for (const { product_id: name } of products) {
      const parts = await loadFunctions(db, name)
      const tags = new Map(parts.map(({ tag, value }) => [value.identifier, tag]))
      // Through the text, as a file would be: one form for both.
      found.push({ name, id: 0, spec: withTags(readModel(modelOf(parts) as unknown as Spec), tags) })
    }
    return found
  },
  async read(_db, given) {
    const { properties, events, actions } = given
    const model = readModel({ properties, events, actions })
    const tags = tagsIn(given)
    for (const tag of tags.values()) {
      if (Object.values(FunctionTag).some((one) => one === tag)) continue
      throw new AppError(errors.parameter, { detail: phrase('功能标签只能是 1、2、3'), field: 'tag' })
    }
    const spec = withTags(model, tags)
    if (lists.every((list) => (spec[list] as unknown[]).length === 0))
      throw new AppError(errors.parameter, { detail: phrase('物模型没有任何功能：不需要时请去掉这个对象') })
    return spec
  },
  create: (scope, productID, spec) => write(scope, productID, spec, nothing),
  update: (scope, { name, spec: before }, spec) => write(scope, name, spec, before),
  async remove({ ask }, { name: productID }) {
    await ask(importTsl, { productID, tsl: JSON.stringify(nothing), mode: ImportMode.replace })
  },
}
