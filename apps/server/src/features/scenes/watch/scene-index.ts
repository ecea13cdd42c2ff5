/** From a message to the triggers that it can concern: product, then property or event, then device. */
import type { TermType } from '@ithings/contract/rules/terms.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CompiledScene, CompiledTrigger } from '../engine/engine-types.ts'
import { type Entry, TriggerBucket, type Visit } from './trigger-bucket.ts'

/** More than a scene can have triggers (sceneLimits), so that keys do not meet. */
const keysPerScene = 32
export const keyOf = (sceneID: number, no: number): number => sceneID * keysPerScene + no
export const sceneOf = (key: number): number => Math.floor(key / keysPerScene)

/** Who belongs to groups that triggers name. */
export interface GroupMembers {
  /** Groups in use that the device is in; undefined: in none. */
  of(deviceID: number): readonly number[] | undefined
}

/** Triggers on one property, event or presence: of all devices, by name, by group. */
export class Slot {
  #all = new TriggerBucket()
  #byName = new Map<string, TriggerBucket>()
  #byGroup = new Map<number, TriggerBucket>()
  size = 0

  #buckets({ trigger }: Entry): TriggerBucket[] {
    const { selector, groupID, names } = trigger
    if (selector === 'all') return [this.#all]
    const find = <K>(map: Map<K, TriggerBucket>, key: K) => {
      const bucket = map.get(key) ?? new TriggerBucket()
      map.set(key, bucket)
      return bucket
    }
    if (selector === 'group') return [find(this.#byGroup, groupID)]
    return [...names].map((name) => find(this.#byName, name))
  }

  add(entry: Entry): void {
    this.size++
    for (const bucket of this.#buckets(entry)) bucket.add(entry)
  }

  remove(entry: Entry): void {
    this.size--
    for (const bucket of this.#buckets(entry)) bucket.remove(entry)
    for (const name of entry.trigger.names) if (this.#byName.get(name)?.size === 0) this.#byName.delete(name)
    const { groupID } = entry.trigger
    if (this.#byGroup.get(groupID)?.size === 0) this.#byGroup.delete(groupID)
  }

  /** Whether a trigger with a memory can be concerned. */
  remembersOf({ deviceName, deviceID }: DeviceRef, members: GroupMembers): boolean {
    if (this.#all.remembering > 0 || (this.#byName.get(deviceName)?.remembering ?? 0) > 0) return true
    if (this.#byGroup.size === 0) return false
    return members.of(deviceID)?.some((groupID) => (this.#byGroup.get(groupID)?.remembering ?? 0) > 0) ?? false
  }

  visit({ deviceName, deviceID }: DeviceRef, value: unknown, members: GroupMembers, visit: Visit): void {
    if (this.#all.size > 0) this.#all.visit(value, visit)
    if (this.#byName.size > 0) this.#byName.get(deviceName)?.visit(value, visit)
    if (this.#byGroup.size === 0) return
    const groups = members.of(deviceID)
    if (groups) for (const groupID of groups) this.#byGroup.get(groupID)?.visit(value, visit)
  }
}

export interface ProductTriggers {
  properties: Map<string, Slot>
  events: Map<string, Slot>
  presence: Slot
  /** noReport, by key. */
  silence: Map<number, Entry>
}

export interface SceneIndex {
  product(productID: string): ProductTriggers | undefined
  /** In use now; undefined: gone. */
  entry(key: number): Entry | undefined
  groups(): number[]
  /** Triggers that wait for nothing to be heard. */
  silences(): Entry[]
  entries(): Iterable<Entry>
  add(scene: CompiledScene, terms: Array<TermType | undefined>): void
  remove(sceneID: number): void
  readonly triggers: number
}

const remembers = ({ keepMs, times, once, minIntervalMs, operator }: CompiledTrigger): boolean =>
  keepMs > 0 || times > 1 || once || minIntervalMs > 0 || (operator !== 'reportProperty' && operator !== 'reportEvent')

const newProduct = (): ProductTriggers => ({
  properties: new Map(),
  events: new Map(),
  presence: new Slot(),
  silence: new Map(),
})

const isEmpty = ({ properties, events, presence, silence }: ProductTriggers) =>
  properties.size + events.size + presence.size + silence.size === 0

export function makeSceneIndex(): SceneIndex {
  const products = new Map<string, ProductTriggers>()
  const entries = new Map<number, Entry>()
  const scenes = new Map<number, Entry[]>()

  const productOf = ({ productID }: CompiledTrigger): ProductTriggers => {
    const known = products.get(productID) ?? newProduct()
    products.set(productID, known)
    return known
  }
  const slotIn = (slots: Map<string, Slot>, dataID: string): Slot => {
    const slot = slots.get(dataID) ?? new Slot()
    slots.set(dataID, slot)
    return slot
  }

  const put = (entry: Entry) => {
    const { trigger } = entry
    const { properties, events, presence, silence } = productOf(trigger)
    if (trigger.operator === 'noReport') silence.set(entry.key, entry)
    else if (trigger.operator === 'reportProperty') slotIn(properties, trigger.dataID).add(entry)
    else if (trigger.operator === 'reportEvent') slotIn(events, trigger.dataID).add(entry)
    else presence.add(entry)
  }

  const take = (entry: Entry) => {
    const { trigger } = entry
    const product = products.get(trigger.productID)
    if (!product) return
    const { properties, events, presence, silence } = product
    if (trigger.operator === 'noReport') silence.delete(entry.key)
    else if (trigger.operator === 'connected' || trigger.operator === 'disConnected') presence.remove(entry)
    else {
      const slots = trigger.operator === 'reportProperty' ? properties : events
      const slot = slots.get(trigger.dataID)
      slot?.remove(entry)
      if (slot?.size === 0) slots.delete(trigger.dataID)
    }
    if (isEmpty(product)) products.delete(trigger.productID)
  }

  const remove = (sceneID: number) => {
    for (const entry of scenes.get(sceneID) ?? []) {
      take(entry)
      entries.delete(entry.key)
    }
    scenes.delete(sceneID)
  }

  return {
    product: (productID) => products.get(productID),
    entry: (key) => entries.get(key),
    groups: () => [
      ...new Set([...entries.values()].flatMap(({ trigger }) => (trigger.selector === 'group' ? trigger.groupID : []))),
    ],
    entries: () => entries.values(),
    silences: () => [...products.values()].flatMap(({ silence }) => [...silence.values()]),
    add(scene, terms) {
      remove(scene.sceneID)
      const own = scene.triggers.map(
        (trigger): Entry => ({
          key: keyOf(scene.sceneID, trigger.no),
          scene,
          trigger,
          remembers: remembers(trigger),
          term: terms[trigger.no],
        }),
      )
      for (const entry of own) {
        put(entry)
        entries.set(entry.key, entry)
      }
      scenes.set(scene.sceneID, own)
    },
    remove,
    get triggers() {
      return entries.size
    },
  }
}
