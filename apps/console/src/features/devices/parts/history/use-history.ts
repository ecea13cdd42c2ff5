import type { Device } from '@ithings/contract/features/devices/info.ts'
import { listEventLog, listHubLog, listPropertyLog } from '@ithings/contract/features/devices/msg.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#api/call.ts'
import { buildSeries } from '#blocks/history-chart/series.ts'
import { toMillis } from '#kit/time.ts'
import { readPropertyLog } from '../../live-queries.ts'
import { deviceProductQuery } from '../../queries.ts'
import { type HistoryChoice, isDrawable, rangeOf, readHistory } from './history-plan.ts'
import { offlineBands } from './offline-bands.ts'

/** Presets move with the clock, so the range is worked out at each read. */
export function useHistory(choice: HistoryChoice) {
  const ids = choice.properties.map(({ identifier }) => identifier)
  const asked = { ...choice, properties: ids }
  const result = useQuery({
    queryKey: [listPropertyLog.path, 'history', asked],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const answer = await readHistory(choice, Date.now(), (body) => readPropertyLog(body, signal))
      return { ...answer, asked }
    },
  })
  const { data } = result
  const { properties, deviceNames, func } = choice
  const series = useMemo(() => {
    if (!data) return []
    const drawn = properties.filter(isDrawable)
    return buildSeries({ rows: data.rows, properties: drawn, deviceNames, interval: data.interval, func })
  }, [data, properties, deviceNames, func])
  return { ...result, series }
}

/** One answer is enough to mark a chart; more of them would only be a grey wall. */
const shownPassages = 500
const shownEvents = 50
const dayMs = 86_400_000

const pageOf = (size: number) => ({ page: 1, size })

/** What happened to the device in the range, for the chart of one device. Who may not read it sees the chart without. */
export function useHappenings(device: Device, model: ThingModel, choice: HistoryChoice, enabled: boolean) {
  const { productID, deviceName } = device
  const { time } = choice
  // Before its first sign-in it was not away, and beyond the kept log nobody knows.
  const activated = toMillis(device.firstLogin) ?? 0
  const logDays = useQuery(deviceProductQuery(productID)).data?.logDays ?? 1
  const passages = useQuery({
    queryKey: [listHubLog.path, 'passages', { productID, deviceName }, time, activated, logDays],
    enabled,
    queryFn: async ({ signal }) => {
      const { from, to } = rangeOf(time, Date.now())
      const body = {
        productID,
        deviceName,
        actions: ['connected', 'disconnected'],
        timeStart: from,
        timeEnd: to,
        page: pageOf(shownPassages),
      }
      const { list } = await call(listHubLog, body, { quiet: true, signal })
      return offlineBands(list, Math.max(from, activated, to - logDays * dayMs), to)
    },
  })
  const events = useQuery({
    queryKey: [listEventLog.path, 'marks', { productID, deviceName }, time],
    enabled: enabled && model.events.length > 0,
    queryFn: async ({ signal }) => {
      const { from, to } = rangeOf(time, Date.now())
      const body = { productID, deviceNames: [deviceName], timeStart: from, timeEnd: to, page: pageOf(shownEvents) }
      return call(listEventLog, body, { quiet: true, signal })
    },
  })
  return { bands: passages.data, events: events.data }
}
