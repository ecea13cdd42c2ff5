/** What every engine of the signal port promises. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SignalPatience } from '#engines/signal-line/line.ts'
import type { Signal } from '#ports/signal.ts'
import { eventually } from './eventually.ts'

/** Somewhere to speak, made anew for each test. */
export interface SignalWorld {
  make(patience?: SignalPatience): Signal
  /** Ends all lines that are open; new ones can be opened. */
  cut(): Promise<void>
  /** Its line can be made to hang without a word; another one can be opened once that is over. */
  makeHanging(patience: SignalPatience): Promise<{ signal: Signal; hang(): void; endHanging(): void }>
  close(): Promise<void>
}

export function signalContract(openWorld: () => Promise<SignalWorld>): void {
  let world: SignalWorld
  let here: Signal
  let there: Signal

  beforeEach(async () => {
    world = await openWorld()
    here = world.make()
    there = world.make()
    await Promise.all([here.start(), there.start()])
  })
  afterEach(async () => {
    await Promise.all([here.stop(), there.stop()])
    await world.close()
  })

  test('a notice reaches the sender at once and the other server soon, once each', async () => {
    const heard: string[] = []
    here.on('access.user', ({ userID }) => heard.push(`here ${userID}`))
    there.on('access.user', ({ userID }) => heard.push(`there ${userID}`))
    await here.send('access.user', { userID: 7 })
    expect(heard[0]).toBe('here 7')
    await here.send('access.user', { userID: 8 })
    await eventually(() => expect(heard).toContain('there 8'))
    expect(heard.toSorted()).toEqual(['here 7', 'here 8', 'there 7', 'there 8'])
  })

  test('a notice with an address reaches who hears it there and nobody else', async () => {
    const heard: string[] = []
    there.hear('downlink.relayed', 'server-1', () => heard.push('1'))
    there.hear('downlink.relayed', 'server-2', () => heard.push('2'))
    there.hear('session.taken', 'server-1', () => heard.push('taken'))
    here.hear('downlink.relayed', 'server-2', () => heard.push('here'))
    // What a server asked to hear is in place once it has sent something itself.
    await there.send('group.changed', {})
    await here.send('downlink.relayed', { serverID: 'server-2' })
    expect(heard[0]).toBe('here')
    await eventually(() => expect(heard).toEqual(['here', '2']))
    await here.send('downlink.relayed', { serverID: 'server-1' })
    await eventually(() => expect(heard).toEqual(['here', '2', '1']))
  })

  test('what is no longer heard is not told, and the other listeners of the address stay', async () => {
    const heard: string[] = []
    const topic = 'device/p.1/灯 *>'
    const told = vi.fn()
    there.on('access.role', told)
    const end = there.hear('live.changed', topic, () => heard.push('first'))
    const endOther = there.hear('live.changed', topic, () => heard.push('second'))
    await there.send('group.changed', {})
    const heardAfter = async (mark: number) => {
      heard.length = 0
      await here.send('live.changed', { topic, changes: ['info'] })
      await here.send('access.role', { roleID: mark })
      await eventually(() => expect(told).toHaveBeenCalledWith({ roleID: mark }))
      return heard
    }
    expect(await heardAfter(1)).toEqual(['first', 'second'])
    end()
    expect(await heardAfter(2)).toEqual(['second'])
    endOther()
    expect(await heardAfter(3)).toEqual([])
  })

  test('a lost connection is told as a gap, opened again, and notices arrive afterwards', async () => {
    const gaps: boolean[] = []
    const heard = vi.fn()
    const relayed = vi.fn()
    there.onGap(() => gaps.push(there.connected))
    there.on('access.role', heard)
    there.hear('downlink.relayed', 'server-1', relayed)
    await world.cut()
    await eventually(() => expect(gaps.slice(0, 2)).toEqual([false, true]))
    await eventually(() => expect([here.connected, there.connected]).toEqual([true, true]))
    await here.send('access.role', { roleID: 3 })
    await eventually(() => expect(heard).toHaveBeenCalledWith({ roleID: 3 }))
    await here.send('downlink.relayed', { serverID: 'server-1' })
    await eventually(() => expect(relayed).toHaveBeenCalled())
  })

  test('what is sent while the own line is lost arrives, or the others are told of a gap', async () => {
    const learnt = vi.fn()
    const sending = world.make()
    await sending.start()
    await sending.stop()
    there.onGap(learnt)
    there.on('access.role', learnt)
    await sending.send('access.role', { roleID: 3 })
    await sending.start()
    await eventually(() => expect(learnt).toHaveBeenCalled())
    await sending.stop()
  })

  test('while the connection is lost it says so, so that nobody trusts memory', async () => {
    await there.stop()
    expect(there.connected).toBe(false)
    await there.start()
    expect(there.connected).toBe(true)
  })

  test('a line that hangs without a word is noticed, told as a gap and opened again', async () => {
    const { signal: far, hang, endHanging } = await world.makeHanging({ everyMs: 50, silentMs: 2_000 })
    const gaps: boolean[] = []
    far.onGap(() => gaps.push(far.connected))
    await far.start()
    expect(gaps).toEqual([true])
    hang()
    await eventually(() => expect(gaps).toContain(false))
    endHanging()
    await eventually(() => expect(gaps.slice(0, 3)).toEqual([true, false, true]))
    const heard = vi.fn()
    far.on('access.role', heard)
    await eventually(async () => {
      await here.send('access.role', { roleID: 3 })
      expect(heard).toHaveBeenCalledWith({ roleID: 3 })
    })
    await far.stop()
  })
}
