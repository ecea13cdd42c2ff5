/** The whole model as one document (thing-model.md 1). */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { ImportMode, type importTsl as importEndpoint } from '@ithings/contract/features/thing-model.ts'
import { kept } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { diffModels, type ModelDiff } from '@ithings/contract/thing-model/model-diff.ts'
import { readTslText, writeTslText } from '@ithings/contract/thing-model/tsl.ts'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { ProductsDeps } from '../products-deps.ts'
import { requireProduct } from '../store.ts'
import { changeModel, type ProposedChange } from './change-model.ts'
import { refuseModel } from './function-item.ts'
import {
  loadModel,
  modelOf,
  refuseLosingRequired,
  refuseTooMany,
  type StoredFunction,
  withTags,
} from './model-store.ts'

export async function exportTsl(db: Db, { productID }: { productID: string }) {
  await requireProduct(db, productID)
  return { tsl: writeTslText(await loadModel(db, productID), productID) }
}

/** What the document changes takes the place of what is stored, the rest stays where it is. */
function mergeParts(stored: StoredFunction[], document: StoredFunction[]): StoredFunction[] {
  const given = new Map(document.map((part) => [part.value.identifier, part]))
  const merged = stored.map((part) => {
    const replacement = given.get(part.value.identifier)
    given.delete(part.value.identifier)
    return replacement ?? part
  })
  return [...merged, ...given.values()]
}

const isEmpty = ({ added, changed, removed }: ModelDiff): boolean =>
  added.length + changed.length + removed.length === 0

const sameOrder = (before: ThingModel, after: ThingModel): boolean =>
  (['properties', 'events', 'actions'] as const).every((list) =>
    before[list].every((part, index) => after[list][index]?.identifier === part.identifier),
  )

/** What taking over a whole model would do; nothing when it is the same already. */
export function proposeModel(
  stored: StoredFunction[],
  parts: StoredFunction[],
  title: string,
): ProposedChange<ModelDiff> {
  const before = modelOf(stored)
  const after = modelOf(parts)
  const diff = diffModels(before, after)
  return { title, parts: isEmpty(diff) && sameOrder(before, after) ? undefined : parts, answer: diff }
}

export async function importTsl(deps: ProductsDeps, input: BodyOutput<typeof importEndpoint>, user: SignedInUser) {
  const { productID, tsl, mode } = input
  await requireProduct(deps.db, productID)
  const { model, issues } = readTslText(tsl)
  if (issues.length > 0) throw refuseModel(issues)
  return changeModel(deps, productID, user, (stored) => {
    const document = withTags(model, stored)
    switch (mode) {
      case ImportMode.merge:
        return proposeModel(stored, mergeParts(stored, document), kept('导入物模型（合并）'))
      case ImportMode.replace:
        return proposeModel(stored, document, kept('导入物模型（替换）'))
      case ImportMode.preview: {
        refuseLosingRequired(stored, document)
        refuseTooMany(document.length)
        return { ...proposeModel(stored, document, ''), parts: undefined }
      }
    }
  })
}
