import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  type runScript as endpoint,
  ScriptDirection,
  type ScriptResult,
} from '@ithings/contract/features/products/custom.ts'
import type { ProductsKit } from '../products-kit.ts'
import { loadModel } from '../schema/model-store.ts'
import { requireProduct } from '../store.ts'
import { readHex, readJsonText } from './bench-input.ts'
import { modelIssues } from './model-issues.ts'

const defaultHandlers: Record<ScriptDirection, string> = { up: 'thingPropertyUp', down: 'thingPropertyDown' }

/** Runs the text that was sent, published or not; nothing is stored and no device hears of it. */
export async function tryScript(kit: ProductsKit, input: BodyOutput<typeof endpoint>): Promise<ScriptResult> {
  const { productID, script, direction } = input
  await requireProduct(kit.db, productID)
  const isUp = direction === ScriptDirection.up
  const handler = input.handler ?? defaultHandlers[direction]
  const outcome = await kit.scripts.run({
    script,
    handler,
    input: isUp ? readHex(input.input) : readJsonText(input.input),
  })
  if (outcome.reason === 'busy') throw new AppError(errors.rateLimited, { msg: outcome.error })
  const { ok, value, bytes, logs, error, line, milliseconds } = outcome
  return {
    ok,
    output: ok ? JSON.stringify(value) : '',
    outputHex: bytes ? Buffer.from(bytes).toString('hex') : '',
    logs,
    error,
    line,
    milliseconds,
    modelIssues: ok && isUp ? modelIssues(handler, value, await loadModel(kit.db, productID)) : [],
  }
}
