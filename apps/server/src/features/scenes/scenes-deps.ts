import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { createAlarm } from '@ithings/contract/features/alarms/config.ts'
import type { Common } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Gate } from '#http/route.ts'
import type { SceneFiring } from './engine/engine-types.ts'

/** What the operations on scenes need; made once in app/. */
export interface ScenesDeps extends Common<'db' | 'clock' | 'signal'> {
  products: ProductCache
  allows: Gate['allows']
  /** Of the caller's transaction; alarms stand above scenes. */
  newAlarm(db: Db, alarm: BodyOutput<typeof createAlarm>): Promise<{ id: number }>
  runner: {
    /** Resolves with the run once it is stored; throws when the scene may not run now. */
    trigger(firing: SceneFiring): Promise<number>
  }
}
