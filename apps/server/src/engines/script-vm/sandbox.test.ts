import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import { Sandbox } from './sandbox.ts'

const engineRequire = createRequire(import.meta.resolve('quickjs-emscripten'))
const wasm = new WebAssembly.Module(readFileSync(engineRequire.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))

/** A machine so slow that the time is up before the script begins, and so many more times after each start. */
function slowMeter(tripsAfterStart: number) {
  let left = Number.POSITIVE_INFINITY
  return {
    tripped: false,
    start() {
      left = tripsAfterStart
      this.tripped = false
    },
    isOver() {
      this.tripped = left-- > 0
      return this.tripped
    },
    spent: () => 60,
  }
}

const answer = 'function thingPropertyUp() { return 1 }'

test('the time that our own part needs is not the time of the script', async () => {
  const sandbox = await Sandbox.open(wasm, answer, slowMeter(0))
  expect(sandbox.names(1)).toMatchObject({ reason: '', names: ['thingPropertyUp'] })
  expect(sandbox.call(2, 'thingPropertyUp', '{}')).toMatchObject({ reason: '', json: '1' })
})

test('whoever runs out of time is told so, wherever it happens', async () => {
  const endless = 'for (;;);'
  const sandbox = await Sandbox.open(wasm, endless, slowMeter(Number.POSITIVE_INFINITY))
  expect(said(sandbox.names(1))).toMatchObject({
    reason: 'limit',
    error: '执行超过 50 ms 的时限，已停止',
    timedOut: true,
  })
})
