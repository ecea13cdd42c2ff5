import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, badField, errors } from '@ithings/contract/errors.ts'
import type { updateCustom as endpoint } from '@ithings/contract/features/scripts.ts'
import { phrase } from '@ithings/contract/text.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { ProductsDeps } from '../products-deps.ts'
import { lockProduct, requireProduct } from '../store.ts'
import { findScript, javaScript } from './store.ts'

type Input = BodyOutput<typeof endpoint>

/** An empty script turns parsing off; any other must load, or every message of the product would fail. */
async function refuseBrokenScript(scripts: ScriptRunner, script: string): Promise<void> {
  if (script.trim() === '') return
  const { error, line } = await scripts.functionsOf(script)
  if (error === '') return
  throw new AppError(errors.script, {
    detail: line > 0 ? phrase('第 {line} 行，{error}', { line, error }) : error,
    field: 'transformScript',
  })
}

/** Absent fields stay as they are. The draft follows what is published, except when parsing is only turned off. */
export async function publishScript(deps: ProductsDeps, input: Input): Promise<void> {
  const { productID, transformScript, customTopic } = input
  if ((input.scriptLang ?? 0) > javaScript) throw badField('scriptLang', '脚本语言目前只支持 1 JavaScript')
  await requireProduct(deps.db, productID)
  // Outside of the transaction: a script may take its whole time limit.
  if (transformScript !== undefined) await refuseBrokenScript(deps.scripts, transformScript)
  await deps.db.transaction().execute(async (db) => {
    await lockProduct(db, productID)
    const row = await findScript(db, productID)
    refuseStaleEdit(input.rev, row.rev)
    const columns = {
      rev: row.rev + 1,
      ...(customTopic === undefined ? {} : { custom_topic: JSON.stringify(customTopic) }),
      ...(transformScript === undefined
        ? {}
        : {
            script: transformScript,
            published_at: new Date(deps.clock.now()),
            ...(transformScript.trim() === '' ? {} : { draft: transformScript }),
          }),
    }
    await db
      .insertInto('product_script')
      .values({ product_id: productID, ...columns })
      .onConflict((conflict) => conflict.column('product_id').doUpdateSet(columns))
      .execute()
  })
  await deps.signal.send('product.changed', { productID })
}
