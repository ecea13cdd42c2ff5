/** One piece of a replay: values of many series gathered in typed arrays and put in the order of time. */
import type { ReplayChunk, SeriesKey } from '#ports/history.ts'
import { shapeOf } from './hot-rows.ts'
import { arrayHeader, headerLength, sizeOf } from './packed-rows.ts'

/** A key of the sort is the time within the piece (27 bits) and the place in the arrays (25 bits): exact in a double. */
const places = 2 ** 25
const firstRoom = 65_536

export type HotSlice = Map<number, Map<number, unknown>>

export function makeChunkBuilder(series: SeriesKey[], { from, to }: { from: number; to: number }) {
  let keys = new Float64Array(0)
  let numbers = new Float64Array(0)
  let owners = new Int32Array(0)
  const others = new Map<number, unknown>()
  let count = 0

  const room = (more: number) => {
    if (count + more <= keys.length) return
    if (count + more > places) throw new Error(`a piece of a replay has more than ${places} values`)
    const size = Math.max(firstRoom, keys.length * 2, count + more)
    const larger = { keys: new Float64Array(size), numbers: new Float64Array(size), owners: new Int32Array(size) }
    larger.keys.set(keys.subarray(0, count))
    larger.numbers.set(numbers.subarray(0, count))
    larger.owners.set(owners.subarray(0, count))
    ;({ keys, numbers, owners } = larger)
  }
  const put = (owner: number, time: number, number: number) => {
    keys[count] = (time - from) * places + count
    numbers[count] = number
    owners[count] = owner
    count++
  }
  const putOther = (owner: number, time: number, value: unknown) => {
    others.set(count, value)
    put(owner, time, Number.NaN)
  }

  const ownerOf = (key: number) => owners[key % places] as number

  /** Equal times in the order of the series; only what came from the journal can be out of it. */
  const settleTies = () => {
    for (let start = 0; start < count; ) {
      const time = Math.floor((keys[start] as number) / places)
      let end = start + 1
      let inOrder = true
      for (; end < count && Math.floor((keys[end] as number) / places) === time; end++) {
        if (ownerOf(keys[end] as number) < ownerOf(keys[end - 1] as number)) inOrder = false
      }
      if (!inOrder)
        keys.set(
          [...keys.subarray(start, end)].sort((a, b) => ownerOf(a) - ownerOf(b)),
          start,
        )
      start = end
    }
  }

  return {
    /** series, first index, times, nums, vals: a row of COPY's binary format. */
    addRow(bytes: Buffer, base: number, hot: HotSlice | undefined): void {
      let at = headerLength(bytes)
      if (at >= bytes.length || bytes.readInt16BE(at) < 0) return
      at += 2
      const column = () => {
        const length = bytes.readInt32BE(at)
        const begin = at + 4
        at = begin + Math.max(length, 0)
        return length < 0 ? undefined : { begin, end: at }
      }
      const [owner, lo, times, nums, vals] = [column(), column(), column(), column(), column()]
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      const index = view.getInt32(owner?.begin ?? 0)
      const first = view.getInt32(lo?.begin ?? 0) - 1
      const size = sizeOf(view, times?.begin ?? 0)
      const newer = hot?.get(index)
      room(size)
      let timeAt = (times?.begin ?? 0) + arrayHeader + 4
      if (nums) {
        for (let i = 0, numberAt = nums.begin + arrayHeader + 4; i < size; i++, timeAt += 8, numberAt += 12) {
          const time = base + view.getInt32(timeAt)
          if (!newer?.has(time)) put(index, time, view.getFloat64(numberAt))
        }
        return
      }
      const shape = series[index]?.shape
      // One byte of version, then text.
      const values: unknown[] = vals ? JSON.parse(bytes.toString('utf8', vals.begin + 1, vals.end)) : []
      for (let i = 0; i < size; i++, timeAt += 8) {
        const time = base + view.getInt32(timeAt)
        const value = values[first + i]
        if (shapeOf(value) === shape && !newer?.has(time)) putOther(index, time, value)
      }
    },
    addHot(hot: HotSlice): void {
      for (const [index, times] of hot) {
        room(times.size)
        for (const [time, value] of times) {
          if (typeof value === 'number' || typeof value === 'boolean') put(index, time, Number(value))
          else putOther(index, time, value)
        }
      }
    },
    finish(): ReplayChunk {
      keys.subarray(0, count).sort()
      settleTies()
      const times = new Float64Array(count)
      const order = new Int32Array(count)
      const owner = new Int32Array(count)
      for (let i = 0; i < count; i++) {
        const key = keys[i] as number
        const time = Math.floor(key / places)
        times[i] = from + time
        order[i] = key - time * places
        owner[i] = owners[order[i] as number] as number
      }
      const isBoolean = series.map(({ shape }) => shape === 'boolean')
      const isNumber = series.map(({ shape }) => shape === 'number')
      return {
        from,
        to,
        count,
        times,
        series: owner,
        value(i) {
          const one = owner[i] as number
          const place = order[i] as number
          if (isNumber[one]) return numbers[place]
          return isBoolean[one] ? numbers[place] === 1 : others.get(place)
        },
      }
    },
  }
}
