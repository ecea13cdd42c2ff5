/**
 * Values of many series gathered in typed arrays and given out in the order of time, in small pieces: to put a million of
 * them in order at once would keep everybody else waiting.
 */
import type { ReplayChunk, SeriesKey } from '#ports/history.ts'
import { shapeOf } from './hot-rows.ts'
import { arrayHeader, columnsOf, sizeOf } from './packed-rows.ts'

/** A key of the sort is the time within the piece (27 bits) and the place in the arrays (25 bits): exact in a double. */
const places = 2 ** 25
const firstRoom = 65_536
/** Values that are put in order without giving others a turn. */
const sortedAtOnce = 50_000

export type HotSlice = Map<number, Map<number, unknown>>

const timeOf = (key: number): number => Math.floor(key / places)

export class ChunkBuilder {
  readonly #series: SeriesKey[]
  readonly #from: number
  readonly #to: number
  #keys = new Float64Array(0)
  #numbers = new Float64Array(0)
  /** Index in `series`. */
  #owners = new Int32Array(0)
  /** Values that are neither numbers nor booleans, by their place. */
  readonly #others = new Map<number, unknown>()
  #count = 0

  constructor(series: SeriesKey[], { from, to }: { from: number; to: number }) {
    this.#series = series
    this.#from = from
    this.#to = to
  }

  /** series, first index, times, nums, vals: a row of COPY's binary format. */
  addRow(bytes: Buffer, base: number, hot: HotSlice | undefined): void {
    const column = columnsOf(bytes)
    if (!column) return
    const [owner, lo, times, nums, vals] = [column(), column(), column(), column(), column()]
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const index = view.getInt32(owner?.begin ?? 0)
    const first = view.getInt32(lo?.begin ?? 0) - 1
    const size = sizeOf(view, times?.begin ?? 0)
    const newer = hot?.get(index)
    this.#makeRoom(size)
    let timeAt = (times?.begin ?? 0) + arrayHeader + 4
    if (nums) {
      for (let i = 0, numberAt = nums.begin + arrayHeader + 4; i < size; i++, timeAt += 8, numberAt += 12) {
        const time = base + view.getInt32(timeAt)
        if (!newer?.has(time)) this.#put(index, time, view.getFloat64(numberAt))
      }
      return
    }
    const shape = this.#series[index]?.shape
    // One byte of version, then text.
    const values: unknown[] = vals ? JSON.parse(bytes.toString('utf8', vals.begin + 1, vals.end)) : []
    for (let i = 0; i < size; i++, timeAt += 8) {
      const time = base + view.getInt32(timeAt)
      const value = values[first + i]
      if (shapeOf(value) === shape && !newer?.has(time)) this.#putOther(index, time, value)
    }
  }

  addHot(hot: HotSlice): void {
    for (const [index, times] of hot) {
      this.#makeRoom(times.size)
      for (const [time, value] of times) {
        if (typeof value === 'number' || typeof value === 'boolean') this.#put(index, time, Number(value))
        else this.#putOther(index, time, value)
      }
    }
  }

  /** Old to new; together they cover the stretch of time without a gap. */
  *pieces(): Generator<ReplayChunk, void> {
    const from = this.#from
    const length = this.#to - from
    const width = Math.max(1, Math.ceil(length / Math.max(1, Math.ceil(this.#count / sortedAtOnce))))
    const stretches = Math.ceil(length / width)
    const { list, begins } = this.#spread(stretches, width)
    for (let i = 0; i < stretches; i++) {
      const part = list.subarray(begins[i] as number, begins[i + 1] as number)
      yield this.#pieceOf(part, from + i * width, Math.min(this.#to, from + (i + 1) * width))
    }
  }

  #makeRoom(more: number): void {
    const count = this.#count
    if (count + more <= this.#keys.length) return
    if (count + more > places) throw new Error(`a piece of a replay has more than ${places} values`)
    const size = Math.max(firstRoom, this.#keys.length * 2, count + more)
    const [keys, numbers, owners] = [new Float64Array(size), new Float64Array(size), new Int32Array(size)]
    keys.set(this.#keys.subarray(0, count))
    numbers.set(this.#numbers.subarray(0, count))
    owners.set(this.#owners.subarray(0, count))
    this.#keys = keys
    this.#numbers = numbers
    this.#owners = owners
  }

  #put(owner: number, time: number, number: number): void {
    const place = this.#count++
    this.#keys[place] = (time - this.#from) * places + place
    this.#numbers[place] = number
    this.#owners[place] = owner
  }

  #putOther(owner: number, time: number, value: unknown): void {
    this.#others.set(this.#count, value)
    this.#put(owner, time, Number.NaN)
  }

  /** Keys of each stretch of `width` ms together, and where the stretches begin. */
  #spread(stretches: number, width: number): { list: Float64Array; begins: Int32Array } {
    const keys = this.#keys
    const count = this.#count
    const begins = new Int32Array(stretches + 1)
    for (let i = 0; i < count; i++) {
      const place = Math.floor(timeOf(keys[i] as number) / width) + 1
      begins[place] = (begins[place] as number) + 1
    }
    for (let i = 1; i <= stretches; i++) begins[i] = (begins[i] as number) + (begins[i - 1] as number)
    const next = begins.slice(0, stretches)
    const list = new Float64Array(count)
    for (let i = 0; i < count; i++) {
      const key = keys[i] as number
      const stretch = Math.floor(timeOf(key) / width)
      const place = next[stretch] as number
      next[stretch] = place + 1
      list[place] = key
    }
    return { list, begins }
  }

  /** Equal times in the order of the series; only what came from the journal can be out of it. */
  #settleTies(list: Float64Array): void {
    const owners = this.#owners
    const ownerOf = (key: number) => owners[key % places] as number
    for (let start = 0; start < list.length; ) {
      const time = timeOf(list[start] as number)
      let end = start + 1
      let inOrder = true
      for (; end < list.length && timeOf(list[end] as number) === time; end++) {
        if (ownerOf(list[end] as number) < ownerOf(list[end - 1] as number)) inOrder = false
      }
      if (!inOrder) {
        const tied = [...list.subarray(start, end)].sort((a, b) => ownerOf(a) - ownerOf(b))
        list.set(tied, start)
      }
      start = end
    }
  }

  #pieceOf(list: Float64Array, begin: number, end: number): ReplayChunk {
    list.sort()
    this.#settleTies(list)
    const times = new Float64Array(list.length)
    const order = new Int32Array(list.length)
    const owner = new Int32Array(list.length)
    for (let i = 0; i < list.length; i++) {
      const key = list[i] as number
      const time = timeOf(key)
      const place = key - time * places
      times[i] = this.#from + time
      order[i] = place
      owner[i] = this.#owners[place] as number
    }
    const value = (i: number) => this.#valueAt(order[i] as number)
    return { from: begin, to: end, count: list.length, times, series: owner, value }
  }

  #valueAt(place: number): unknown {
    const shape = this.#series[this.#owners[place] as number]?.shape
    if (shape === 'number') return this.#numbers[place]
    return shape === 'boolean' ? this.#numbers[place] === 1 : this.#others.get(place)
  }
}
