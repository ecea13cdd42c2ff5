/** What an import takes from a file of products, and what is wrong with it. Pure. */

import { describeIssue } from '@ithings/contract/describe-issue.ts'
import { createProductBody } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import * as z from 'zod'
import type { ReadRow } from '#blocks/file-import.tsx'
import { readJsonText } from '#kit/read-json-text.ts'
import { type NewProduct, productFormat } from './product-file.ts'

export interface ReadProduct extends ReadRow {
  info: NewProduct
  /** Ready for tsl-import. */
  tsl: string
  counts: { properties: number; events: number; actions: number }
}

const file = z.object({
  format: z.literal(productFormat, '不是产品导出文件'),
  products: z.array(z.record(z.string(), z.unknown())).min(1, '文件里没有产品').max(200, '一次最多导入 200 个产品'),
})

function readOne({ tsl, ...raw }: Record<string, unknown>): ReadProduct {
  const info = createProductBody.safeParse(raw)
  const { model, issues } = readTslText(JSON.stringify(tsl ?? {}))
  const shape = info.error?.issues.map((issue) => describeIssue(issue, issue.path.map(String).join('.'))) ?? []
  const name = String(raw.productName ?? '')
  return {
    name,
    // The checked input itself: the answer of the check has empty fields dropped already.
    info: info.success ? info.data : { productName: name },
    tsl: JSON.stringify(tsl ?? {}),
    counts: { properties: model.properties.length, events: model.events.length, actions: model.actions.length },
    problems: [...shape, ...issues.map((issue) => t('物模型 {path}：{text}', { path: issue.path, text: issue.text }))],
  }
}

/** Throws a sentence when the text is no such file; faults of one product are its own. */
export function readProducts(text: string): ReadProduct[] {
  const parsed = file.safeParse(readJsonText(text))
  const issue = parsed.error?.issues[0]
  if (issue) throw new Error(issue.path[0] === 'products' ? t(issue.message) : t('不是从产品列表导出的文件'))
  return (parsed.data?.products ?? []).map(readOne)
}
