/** Enabled device scenes, compiled and indexed; read again when a scene, a product or a group changes. */

import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { parseScene } from '@ithings/contract/rules/scene-text.ts'
import type { Common } from '#common-deps.ts'
import { openReceivers } from '#db/scene-receivers.ts'
import type { CachedProduct, ProductCache } from '#features/products/door.ts'
import { compileScene, productsOf } from '../engine/compile-scene.ts'
import { type GroupCache, makeGroupCache } from './group-members.ts'
import { makeSceneIndex } from './scene-index.ts'

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

export interface SceneRegistryDeps extends Common<'db' | 'signal' | 'log'> {
  products: ProductCache
  /** Something changed; `gone`: scenes that were edited, switched off or deleted, what was remembered is over. */
  onChanged(gone: ReadonlySet<number>): void
}

export class SceneRegistry {
  readonly index = makeSceneIndex()
  readonly groups: GroupCache
  readonly #deps: SceneRegistryDeps
  /** What each scene was compiled with. */
  readonly #known = new Map<number, { rev: number; products: string[] }>()
  readonly #stale = new Set<number>()
  #gone = new Set<number>()
  #allStale = false
  #groupsStale = false
  #running: Promise<void> | undefined
  #stopped = true

  constructor(deps: SceneRegistryDeps) {
    this.#deps = deps
    this.groups = makeGroupCache(deps)
    deps.signal.on('scene.changed', ({ sceneID }) => {
      if (sceneID === 0) this.#allStale = true
      else this.#stale.add(sceneID)
      this.#wake()
    })
    deps.signal.on('product.changed', ({ productID }) => {
      for (const [sceneID, { products: used }] of this.#known) if (used.includes(productID)) this.#stale.add(sceneID)
      this.#wake()
    })
    deps.signal.on('group.changed', () => {
      this.#groupsStale = true
      this.#wake()
    })
    deps.signal.onGap(() => {
      this.#allStale = true
      this.#wake()
    })
  }

  #forget(sceneID: number) {
    this.index.remove(sceneID)
    if (this.#known.delete(sceneID)) this.#gone.add(sceneID)
  }

  async #take(row: Row): Promise<void> {
    try {
      const { id: sceneID, name, rev } = row
      const parts = parseScene({
        triggerType: 'device',
        trigger: row.trigger,
        when: row.conditions,
        then: JSON.stringify(openReceivers(this.#deps.db, JSON.parse(row.actions))),
      })
      const needed = productsOf(parts)
      const models = new Map<string, CachedProduct | undefined>()
      for (const productID of needed) models.set(productID, await this.#deps.products.get(productID))
      const compiled = compileScene({ sceneID, name, rev, ...parts }, { product: (productID) => models.get(productID) })
      const before = this.#known.get(sceneID)
      if (before && before.rev !== rev) this.#gone.add(sceneID)
      this.#known.set(sceneID, { rev, products: needed })
      this.index.add(
        compiled,
        (parts.trigger.device ?? []).map(({ operationSchema }) => operationSchema?.termType ?? undefined),
      )
    } catch (error) {
      // One scene that cannot be read is no reason for the others not to run.
      this.#deps.log.error({ err: error, sceneID: row.id }, 'a scene could not be compiled')
      this.#forget(row.id)
    }
  }

  /** Messages go on meanwhile. */
  async #takeAll(rows: Row[]) {
    for (const [place, row] of rows.entries()) {
      await this.#take(row)
      if (place % scenesInATurn === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #enabled = () =>
    this.#deps.db
      .selectFrom('scene')
      .select(['id', 'name', 'rev', 'trigger', 'conditions', 'actions'])
      .where('status', '=', SceneStatus.enabled)
      .where('trigger_type', '=', 'device')

  async #loadAll() {
    const seen = new Set<number>()
    for (let last = 0; ; ) {
      const rows = await this.#enabled().where('id', '>', last).orderBy('id').limit(scenesAtOnce).execute()
      for (const row of rows) seen.add(row.id)
      await this.#takeAll(rows)
      last = rows.at(-1)?.id ?? 0
      if (rows.length < scenesAtOnce) break
    }
    for (const sceneID of [...this.#known.keys()]) if (!seen.has(sceneID)) this.#forget(sceneID)
  }

  async #loadSome(ids: number[]) {
    const rows = await this.#enabled().where('id', 'in', ids).execute()
    await this.#takeAll(rows)
    const found = new Set(rows.map((row) => row.id))
    for (const sceneID of ids) if (!found.has(sceneID)) this.#forget(sceneID)
  }

  #tellChanges() {
    const over = this.#gone
    this.#gone = new Set()
    this.#deps.onChanged(over)
  }

  #isStale = () => this.#allStale || this.#groupsStale || this.#stale.size > 0

  async #refresh(): Promise<void> {
    const all = this.#allStale
    const some = [...this.#stale].slice(0, scenesAtOnce)
    const inUse = this.index.groups().join()
    const members = this.#groupsStale
    this.#allStale = false
    this.#groupsStale = false
    if (all) this.#stale.clear()
    for (const sceneID of some) this.#stale.delete(sceneID)
    try {
      if (all) await this.#loadAll()
      else if (some.length > 0) await this.#loadSome(some)
      const now = this.index.groups()
      if (all || members || now.join() !== inUse) await this.groups.load(now)
      this.#tellChanges()
    } catch (error) {
      this.#allStale ||= all
      this.#groupsStale = true
      for (const sceneID of some) this.#stale.add(sceneID)
      throw error
    }
  }

  async #run() {
    while (!this.#stopped && this.#isStale()) {
      try {
        await this.#refresh()
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'scenes could not be read, trying again')
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref())
      }
    }
  }

  #wake() {
    if (this.#stopped) return
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#isStale()) this.#wake()
    })
  }

  async start() {
    this.#stopped = false
    this.#allStale = false
    await this.#loadAll()
    await this.groups.load(this.index.groups())
    this.#tellChanges()
    this.#wake()
  }

  async stop() {
    this.#stopped = true
    await this.#running
  }

  /** Resolves when every change that was told before is taken over. */
  async settled() {
    while (this.#running !== undefined) await this.#running
  }

  get scenes() {
    return this.#known.size
  }
}
