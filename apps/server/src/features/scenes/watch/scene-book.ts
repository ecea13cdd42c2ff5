/** Enabled device scenes, compiled and indexed; read again when a scene, a product or a group changes. */

import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { parseScene } from '@ithings/contract/rules/scene-text.ts'
import type { Logger } from 'pino'
import { openReceivers } from '#db/scene-receivers.ts'
import type { Db } from '#db/schema.ts'
import type { BookProduct, ProductBook } from '#features/products/door.ts'
import type { Signal } from '#ports/signal.ts'
import { compileScene, productsOf } from '../engine/compile-scene.ts'
import { type GroupBook, makeGroupBook } from './group-members.ts'
import { makeSceneIndex, type SceneIndex } from './scene-index.ts'

const scenesAtOnce = 500
const scenesInATurn = 10
const retryMs = 1_000

interface Row {
  id: number
  name: string
  rev: number
  trigger: string
  conditions: string
  actions: string
}

export interface SceneBookKit {
  db: Db
  signal: Signal
  products: ProductBook
  log: Logger
  /** Something changed; `gone`: scenes that were edited, switched off or deleted, what was remembered is over. */
  onChanged(gone: ReadonlySet<number>): void
}

export interface SceneBook {
  index: SceneIndex
  groups: GroupBook
  start(): Promise<void>
  stop(): Promise<void>
  /** Resolves when every change that was told before is taken over. */
  settled(): Promise<void>
  readonly scenes: number
}

export function makeSceneBook({ db, signal, products, log, onChanged }: SceneBookKit): SceneBook {
  const index = makeSceneIndex()
  const groups = makeGroupBook({ db, log })
  /** What each scene was compiled with. */
  const known = new Map<number, { rev: number; products: string[] }>()
  const stale = new Set<number>()
  let gone = new Set<number>()
  let allStale = false
  let groupsStale = false
  let running: Promise<void> | undefined
  let stopped = true

  const forget = (sceneID: number) => {
    index.remove(sceneID)
    if (known.delete(sceneID)) gone.add(sceneID)
  }

  const take = async (row: Row): Promise<void> => {
    try {
      const { id: sceneID, name, rev } = row
      const parts = parseScene({
        triggerType: 'device',
        trigger: row.trigger,
        when: row.conditions,
        then: JSON.stringify(openReceivers(db, JSON.parse(row.actions))),
      })
      const needed = productsOf(parts)
      const models = new Map<string, BookProduct | undefined>()
      for (const productID of needed) models.set(productID, await products.get(productID))
      const compiled = compileScene({ sceneID, name, rev, ...parts }, { product: (productID) => models.get(productID) })
      const before = known.get(sceneID)
      if (before && before.rev !== rev) gone.add(sceneID)
      known.set(sceneID, { rev, products: needed })
      index.add(
        compiled,
        (parts.trigger.device ?? []).map(({ operationSchema }) => operationSchema?.termType ?? undefined),
      )
    } catch (error) {
      // One scene that cannot be read is no reason for the others not to run.
      log.error({ err: error, sceneID: row.id }, 'a scene could not be compiled')
      forget(row.id)
    }
  }

  /** Messages go on meanwhile. */
  const takeAll = async (rows: Row[]) => {
    for (const [place, row] of rows.entries()) {
      await take(row)
      if (place % scenesInATurn === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  const enabled = () =>
    db
      .selectFrom('scene')
      .select(['id', 'name', 'rev', 'trigger', 'conditions', 'actions'])
      .where('status', '=', SceneStatus.enabled)
      .where('trigger_type', '=', 'device')

  const loadAll = async () => {
    const seen = new Set<number>()
    for (let last = 0; ; ) {
      const rows = await enabled().where('id', '>', last).orderBy('id').limit(scenesAtOnce).execute()
      for (const row of rows) seen.add(row.id)
      await takeAll(rows)
      last = rows.at(-1)?.id ?? 0
      if (rows.length < scenesAtOnce) break
    }
    for (const sceneID of [...known.keys()]) if (!seen.has(sceneID)) forget(sceneID)
  }

  const loadSome = async (ids: number[]) => {
    const rows = await enabled().where('id', 'in', ids).execute()
    await takeAll(rows)
    const found = new Set(rows.map((row) => row.id))
    for (const sceneID of ids) if (!found.has(sceneID)) forget(sceneID)
  }

  const tellChanges = () => {
    const over = gone
    gone = new Set()
    onChanged(over)
  }

  const isStale = () => allStale || groupsStale || stale.size > 0

  const refresh = async (): Promise<void> => {
    const all = allStale
    const some = [...stale].slice(0, scenesAtOnce)
    const inUse = index.groups().join()
    const members = groupsStale
    allStale = false
    groupsStale = false
    if (all) stale.clear()
    for (const sceneID of some) stale.delete(sceneID)
    try {
      if (all) await loadAll()
      else if (some.length > 0) await loadSome(some)
      const now = index.groups()
      if (all || members || now.join() !== inUse) await groups.load(now)
      tellChanges()
    } catch (error) {
      allStale ||= all
      groupsStale = true
      for (const sceneID of some) stale.add(sceneID)
      throw error
    }
  }

  const run = async () => {
    while (!stopped && isStale()) {
      try {
        await refresh()
      } catch (error) {
        log.warn({ err: error }, 'scenes could not be read, trying again')
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref())
      }
    }
  }

  const wake = () => {
    if (stopped) return
    running ??= run().finally(() => {
      running = undefined
      if (isStale()) wake()
    })
  }

  signal.on('scene.changed', ({ sceneID }) => {
    if (sceneID === 0) allStale = true
    else stale.add(sceneID)
    wake()
  })
  signal.on('product.changed', ({ productID }) => {
    for (const [sceneID, { products: used }] of known) if (used.includes(productID)) stale.add(sceneID)
    wake()
  })
  signal.on('group.changed', () => {
    groupsStale = true
    wake()
  })
  signal.onGap(() => {
    allStale = true
    wake()
  })

  return {
    index,
    groups,
    async start() {
      stopped = false
      allStale = false
      await loadAll()
      await groups.load(index.groups())
      tellChanges()
      wake()
    },
    async stop() {
      stopped = true
      await running
    },
    async settled() {
      while (running !== undefined) await running
    },
    get scenes() {
      return known.size
    },
  }
}
