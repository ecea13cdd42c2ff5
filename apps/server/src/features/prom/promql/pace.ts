/** Keeps a query within its limits, and lets others have their turn while it runs. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { phrase } from '@ithings/contract/text.ts'
import { execution, PromError } from '../prom-error.ts'

/** Values that are looked at without giving others a turn: some milliseconds. */
const atOnce = 200_000

export interface Limits {
  /** When it has to be done, by `now`. */
  deadline: number
  now(): number
  /** Nobody waits for the answer any more. */
  gone(): boolean
  /** Values that are looked at. */
  mostRead: number
  /** Values that are kept. */
  mostSamples: number
  mostPoints: number
}

export class Pace {
  readonly #limits: Limits
  #work = 0
  #read = 0
  #samples = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Before work of that many values; true: `rest` is due. */
  due(work: number): boolean {
    this.#work += work
    return this.#work >= atOnce
  }

  async rest(): Promise<void> {
    this.#work = 0
    await nextTurn()
    this.check()
  }

  check(): void {
    const { deadline, now, gone } = this.#limits
    if (gone()) throw new PromError('canceled', phrase('查询已取消'))
    if (now() >= deadline) throw new PromError('timeout', phrase('查询超时，请缩短时间范围、加大步长或减少序列'))
  }

  /** Values of the whole query: how many more were read, and how many of them are kept. */
  countSamples(read: number, kept: number): void {
    this.#read += read
    this.#samples += kept
    const { mostRead, mostSamples } = this.#limits
    const most = this.#read > mostRead ? mostRead : this.#samples > mostSamples ? mostSamples : undefined
    if (most !== undefined) {
      throw execution(phrase('查询要读取的数据超过 {most, number} 个，请缩短时间范围或减少序列', { most }))
    }
  }

  /** What one part of the expression may become. */
  refusePoints(series: number, steps: number): void {
    const most = this.#limits.mostPoints
    if (series * steps > most) {
      throw execution(phrase('查询的结果超过 {most, number} 个点，请加大步长或减少序列', { most }))
    }
  }
}
