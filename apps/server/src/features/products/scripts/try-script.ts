import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type runScript as endpoint, ScriptDirection, type ScriptResult } from '@ithings/contract/features/scripts.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { ProductsDeps } from '../products-deps.ts'
import { requireProduct } from '../store.ts'
import { loadModel } from '../thing-model/model-store.ts'
import { modelIssues } from './model-issues.ts'

// What people type into the test bench: hex for messages of devices, JSON for messages to devices.

const refuse = (detail: Phrase) => new AppError(errors.parameter, { detail, field: 'input' })

/** `0x01A0`, `01 a0`, `01,A0`, `0x01 0xA0`, `01:a0` and line breaks are all the same two bytes. */
export function readHex(text: string): Uint8Array {
  const words = text.split(/[\s,:;-]+/).filter((word) => word !== '')
  const bytes: number[] = []
  for (const word of words) {
    const digits = word.replace(/^0x/i, '')
    if (!/^[0-9a-f]+$/i.test(digits))
      throw refuse(phrase('输入须为十六进制文本，如 0x01A0，收到 {given}', { given: word.slice(0, 20) }))
    if (digits.length % 2 === 1)
      throw refuse(
        phrase('十六进制须两位一个字节，{given} 有 {count} 位', { given: word.slice(0, 20), count: digits.length }),
      )
    for (let at = 0; at < digits.length; at += 2) bytes.push(Number.parseInt(digits.slice(at, at + 2), 16))
  }
  return Uint8Array.from(bytes)
}

export function readJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError(errors.parameter, { detail: phrase('输入不是有效的 JSON'), field: 'input', cause })
  }
}

const defaultHandlers: Record<ScriptDirection, string> = { up: 'thingPropertyUp', down: 'thingPropertyDown' }

/** Runs the text that was sent, published or not; nothing is stored and no device hears of it. */
export async function tryScript(deps: ProductsDeps, input: BodyOutput<typeof endpoint>): Promise<ScriptResult> {
  const { productID, script, direction } = input
  await requireProduct(deps.db, productID)
  const isUp = direction === ScriptDirection.up
  const handler = input.handler ?? defaultHandlers[direction]
  const outcome = await deps.scripts.run({
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
    modelIssues: ok && isUp ? modelIssues(handler, value, await loadModel(deps.db, productID)) : [],
  }
}
