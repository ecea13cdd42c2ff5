import { compileTerm, type TermType } from '@ithings/contract/rules/terms.ts'
import type { DataType } from '@ithings/contract/thing-model/define.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CompiledScene, CompiledTrigger } from '../engine/engine-types.ts'
import { makeSceneIndex } from './scene-index.ts'
import { type Entry, TriggerBucket } from './trigger-bucket.ts'

let made = 0
function entry(type: DataType, term: TermType | undefined, threshold: string[]): Entry {
  const trigger = {
    member: '',
    threshold,
    test: term && compileTerm(type, term, threshold),
  } as unknown as CompiledTrigger
  return { key: ++made, scene: {} as CompiledScene, trigger, remembers: false, term }
}
const visited = (bucket: TriggerBucket, value: unknown): Entry[] => {
  const seen: Entry[] = []
  bucket.visit(value, (one) => seen.push(one))
  return seen
}

const numbers = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: -5, max: 5, noNaN: true }))
const term = fc.oneof(
  fc.record({ term: fc.constantFrom<TermType>('gt', 'gte', 'lt', 'lte', 'eq', 'not'), values: fc.tuple(numbers) }),
  fc.record({ term: fc.constantFrom<TermType>('btw', 'in'), values: fc.tuple(numbers, numbers) }),
)

describe('a bucket', () => {
  test('leads a number to every trigger that it fulfils, each once, also after others were removed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(term, fc.boolean()), { maxLength: 40 }), numbers, (list, value) => {
        const bucket = new TriggerBucket()
        const entries = list.map(([one]) => entry('float', one.term, one.values.map(String)))
        for (const one of entries) bucket.add(one)
        for (const [place, one] of entries.entries()) if (list[place]?.[1]) bucket.remove(one)
        const kept = entries.filter((_, place) => !list[place]?.[1])
        const seen = visited(bucket, value)
        expect(new Set(seen).size).toBe(seen.length)
        expect(
          seen
            .filter((one) => one.trigger.test?.(value))
            .map((one) => one.key)
            .sort(),
        ).toEqual(
          kept
            .filter((one) => one.trigger.test?.(value))
            .map((one) => one.key)
            .sort(),
        )
        expect(seen.every((one) => kept.includes(one))).toBe(true)
        expect(bucket.size).toBe(kept.length)
      }),
    )
  })

  test('of ten thousand thresholds asks only those that the value has passed', () => {
    const bucket = new TriggerBucket()
    for (let at = 0; at < 5_000; at++) {
      bucket.add(entry('float', 'gt', [String(at)]))
      bucket.add(entry('float', 'eq', [String(at)]))
      bucket.add(entry('float', 'lte', [String(-at)]))
    }
    expect(visited(bucket, -0.5)).toHaveLength(1)
    expect(visited(bucket, 2)).toHaveLength(4)
  })

  test('texts and switches that look like numbers are compared as what they are', () => {
    const bucket = new TriggerBucket()
    const [text, on] = [entry('string', 'eq', ['5']), entry('bool', 'eq', ['1'])]
    bucket.add(text)
    bucket.add(on)
    expect(visited(bucket, '5')).toContain(text)
    expect(visited(bucket, true)).toContain(on)
  })
})

describe('the index', () => {
  const trigger = (fields: Partial<CompiledTrigger>): CompiledTrigger => ({
    no: 0,
    productID: 'p',
    selector: 'all',
    names: new Set(),
    groupID: 0,
    operator: 'reportProperty',
    dataID: 'temp',
    member: '',
    test: undefined,
    threshold: [],
    keepMs: 0,
    times: 1,
    windowMs: 0,
    silenceMs: 0,
    once: false,
    minIntervalMs: 0,
    text: '',
    show: String,
    ...fields,
  })
  const scene = (sceneID: number, ...triggers: CompiledTrigger[]): CompiledScene => ({
    sceneID,
    name: '',
    rev: 1,
    triggerType: 'device',
    triggers,
    conditions: [],
    actions: [],
    needs: [],
    problems: [],
    goneTriggers: [],
  })
  const members = { of: (deviceID: number) => (deviceID === 7 ? [3] : undefined) }
  const device = (deviceName: string, deviceID: number) => ({ productID: 'p', deviceName, deviceID })

  test('tells all, chosen and grouped devices apart', () => {
    const index = makeSceneIndex()
    index.add(scene(1, trigger({})), [])
    index.add(scene(2, trigger({ selector: 'fixed', names: new Set(['a', 'b']) })), [])
    index.add(scene(3, trigger({ selector: 'group', groupID: 3, once: true })), [])
    const scenesOf = (name: string, id: number) => {
      const found: number[] = []
      index
        .product('p')
        ?.properties.get('temp')
        ?.visit(device(name, id), 1, members, (one) => found.push(one.scene.sceneID))
      return found
    }
    expect(scenesOf('a', 1)).toEqual([1, 2])
    expect(scenesOf('c', 7)).toEqual([1, 3])
    expect(scenesOf('c', 2)).toEqual([1])
    const slot = index.product('p')?.properties.get('temp')
    expect(slot?.remembersOf(device('c', 7), members)).toBe(true)
    expect(slot?.remembersOf(device('c', 2), members)).toBe(false)
    expect(index.groups()).toEqual([3])
  })

  test('is empty again when all scenes are gone, and a scene that comes again replaces itself', () => {
    const index = makeSceneIndex()
    const all = scene(
      1,
      trigger({ no: 0 }),
      trigger({ no: 1, operator: 'reportEvent', dataID: 'e' }),
      trigger({ no: 2, operator: 'connected', dataID: '' }),
      trigger({ no: 3, operator: 'noReport', dataID: '', silenceMs: 60_000 }),
    )
    index.add(all, [])
    index.add(all, [])
    expect(index.triggers).toBe(4)
    expect(index.silences()).toHaveLength(1)
    index.remove(1)
    expect(index.product('p')).toBeUndefined()
    expect(index.triggers).toBe(0)
  })
})
