/** The published script of a product, its topics and saved cases; a draft is nobody's configuration. */
import { readCustom, saveDraft, testCase, updateCustom } from '@ithings/contract/features/scripts.ts'
import { text } from '@ithings/contract/wire.ts'
import * as z from 'zod'
import type { Scope } from '../plans-deps.ts'
import { isSame } from '../same.ts'
import type { Found, Kind } from './kind.ts'
import { readSpec } from './read-spec.ts'

const schema = z.object({
  transformScript: updateCustom.body.shape.transformScript.unwrap().default(''),
  customTopic: z.array(text(256, 1)).max(50).default([]),
  cases: z.array(testCase).max(50).default([]),
})
type ScriptSpec = z.output<typeof schema>

const nothing: ScriptSpec = { transformScript: '', customTopic: [], cases: [] }

async function write({ ask }: Scope, productID: string, spec: ScriptSpec, before: ScriptSpec): Promise<void> {
  const { transformScript, customTopic, cases } = spec
  const isPublished = !isSame({ ...spec, cases: [] }, { ...before, cases: [] })
  if (isPublished) await ask(updateCustom, { productID, transformScript, customTopic })
  if (isSame(cases, before.cases)) return
  const { draft } = await ask(readCustom, { productID })
  await ask(saveDraft, { productID, draft, cases })
}

export const scriptKind: Kind = {
  kind: 'script',
  seenBy: (productID) => ({ endpoint: readCustom, body: { productID } }),
  async load(db) {
    const rows = await db.selectFrom('product_script').selectAll().orderBy('product_id').execute()
    return rows.flatMap(({ product_id: name, script, custom_topic, cases }): Found[] => {
      const spec: ScriptSpec = { transformScript: script, customTopic: custom_topic, cases }
      return isSame(spec, nothing) ? [] : [{ name, id: 0, spec }]
    })
  },
  read: async (_db, given) => readSpec(schema, given),
  create: (scope, productID, spec) => write(scope, productID, spec as ScriptSpec, nothing),
  update: (scope, { name, spec: before }, spec) => write(scope, name, spec as ScriptSpec, before as ScriptSpec),
  remove: (scope, { name, spec: before }) => write(scope, name, nothing, before as ScriptSpec),
}
