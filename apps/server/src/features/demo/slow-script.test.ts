/** A machine so slow that the trial of the demo's script takes longer than it may. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { readCustom, updateCustom } from '@ithings/contract/features/scripts.ts'
import { fill } from '@ithings/contract/text.ts'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld } from '#testing/world.ts'
import type { Ask, Loading } from './demo-deps.ts'
import { coldChain, coldChainScript } from './fleet/cold-chain.ts'
import { demoProducts } from './fleet/products.ts'
import { itemsOf } from './items.ts'
import { makeProducts } from './make/products.ts'

/** The platform's own calls, of which the publishing of a script times out so many times. */
async function makeSlowly(timeouts: number) {
  const world = await openWorld()
  onTestFinished(() => world.close())
  let left = timeouts
  const ask: Ask = async (endpoint, body) => {
    if (endpoint.path === updateCustom.path && left-- > 0) throw new AppError(errors.script, { detail: '超时' })
    return world.asAdmin(endpoint, body)
  }
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void said.push(JSON.parse(line).msg) })
  const user = { userID: 1, userName: 'administrator', role: 1, sid: '', language: 'zh' as const }
  const deps = { db: world.db, ask, log } as Loading['deps']
  await makeProducts({ deps, user, now: world.clock.now(), t: fill })
  expect(await itemsOf(world.db, 'product')).toHaveLength(demoProducts.length)
  const { transformScript, draft } = await world.asAdmin(readCustom, { productID: coldChain.productID })
  expect(draft).toBe(coldChainScript(fill))
  return { transformScript, said }
}

test('is given more time, and the script is there', async () => {
  const { transformScript, said } = await makeSlowly(4)
  expect(transformScript).toBe(coldChainScript(fill))
  expect(said).toHaveLength(4)
})

test('gets the demo without the script at last, and is told', async () => {
  const { transformScript, said } = await makeSlowly(Number.POSITIVE_INFINITY)
  expect(transformScript).toBe('')
  expect(said.at(-1)).toContain('goes on without this script')
})
