import type { SceneNames } from '@ithings/contract/rules/scene-names.ts'
import type { SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { modelQuery } from '#blocks/model-query.ts'
import { useMemo } from '#language/use-memo.ts'
import { productNamesQuery } from '../editor/editor-queries.ts'
import { productWords } from '../editor/use-scene-names.ts'

/** Products that a scene needs; a file may come from another installation. */
export function productsOf({ trigger, conditions, actions }: SceneParts): string[] {
  const inConditions = (list: SceneParts['conditions']): string[] =>
    list.flatMap(({ columnSchema, terms }) => [
      ...(columnSchema ? [columnSchema.productID] : []),
      ...inConditions(terms ?? []),
    ])
  const found = [
    ...(trigger.device ?? []).map(({ productID }) => productID),
    ...inConditions(conditions),
    ...actions.flatMap(({ device }) => (device ? [device.productID] : [])),
  ]
  return [...new Set(found)].sort()
}

const mostModels = 50

/** Names for the preview: of products and their functions; groups, channels and scenes are shown by number. */
export function useImportNames(parts: readonly SceneParts[]): {
  names: SceneNames
  /** Products that are not here; undefined while that is not known. */
  gone: ReadonlySet<string> | undefined
} {
  const productIDs = useMemo(() => [...new Set(parts.flatMap(productsOf))].sort().slice(0, mostModels), [parts])
  const products = useQuery(productNamesQuery(productIDs)).data
  const here = productIDs.filter((id) => products?.has(id))
  const models = useQueries({
    queries: here.map(modelQuery),
    combine: (results) =>
      new Map(
        here.flatMap((id, at) => {
          const model = results[at]?.data
          return model ? [[id, model] as const] : []
        }),
      ),
  })
  return useMemo(() => {
    const names: SceneNames = {
      ...productWords(products, models),
      device: () => undefined,
      group: () => undefined,
      channel: () => undefined,
      scene: () => undefined,
      alarms: [],
    }
    const known = productIDs.length === 0 || products
    return { names, gone: known ? new Set(productIDs.filter((id) => !products?.has(id))) : undefined }
  }, [products, productIDs, models])
}
