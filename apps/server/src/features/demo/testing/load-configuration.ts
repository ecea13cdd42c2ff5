import { fill } from '@ithings/contract/text.ts'
import { pino } from 'pino'
import type { World } from '#testing/world.ts'
import type { Loading } from '../demo-deps.ts'
import { demoDevices } from '../fleet/devices.ts'
import { makeDevices } from '../make/devices.ts'
import { makeGroups } from '../make/groups.ts'
import { makeProducts } from '../make/products.ts'
import { makeRules } from '../make/rules.ts'

/** What the demo sets up, without its past and without devices that live: those take most of the time of a loading. */
export async function loadDemoConfiguration(world: World): Promise<void> {
  const user = { userID: 1, userName: 'administrator', role: 1, sid: '', language: 'zh' as const }
  const ask: Loading['deps']['ask'] = (endpoint, body) => world.asAdmin(endpoint, body)
  const deps = { db: world.db, ask, log: pino({ level: 'silent' }) } as Loading['deps']
  const loading: Loading = { deps, user, now: world.clock.now(), t: fill }
  await makeProducts(loading)
  const devices = await makeDevices(loading, demoDevices('zh'))
  await makeRules(loading, await makeGroups(loading, devices))
}
