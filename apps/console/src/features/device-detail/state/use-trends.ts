import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { listPropertyLog } from '@ithings/contract/features/history.ts'
import { useQueries } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { keyOf } from '#blocks/device/queries.ts'
import { readPropertyLog } from '../live-queries.ts'
import { nextBatches, type Trend, trendHours, trendInterval, trendsOf } from './trend.ts'

/** Cards that scroll into view together are asked for together. */
const gatherMs = 150
const readAgainMs = 5 * 60_000

const trendQuery = (key: DeviceKey, dataIDs: readonly string[]) => ({
  queryKey: [listPropertyLog.path, 'trend', keyOf(key), dataIDs],
  staleTime: readAgainMs,
  refetchInterval: readAgainMs,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const now = Date.now()
    const { list } = await readPropertyLog(
      {
        productID: key.productID,
        deviceNames: [key.deviceName],
        dataIDs: [...dataIDs],
        timeStart: now - trendHours * 3_600_000,
        timeEnd: now,
        interval: trendInterval,
        argFunc: 'avg',
      },
      signal,
    )
    return trendsOf(list)
  },
})

export interface Trends {
  of: (identifier: string) => Trend | undefined
  /** Watches a card: its trend is read once it is in view. */
  watch: (node: Element | null) => void
}

/** Trends of the cards in view; each card carries its identifier as `data-trend`. */
export function useTrends(key: DeviceKey): Trends {
  const [batches, setBatches] = useState<string[][]>([])
  const seen = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const observer = useRef<IntersectionObserver>(undefined)

  const look = useCallback((entries: readonly IntersectionObserverEntry[]) => {
    for (const { isIntersecting, target } of entries) {
      const identifier = target instanceof HTMLElement ? target.dataset.trend : undefined
      if (isIntersecting && identifier) seen.current.add(identifier)
    }
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setBatches((asked) => {
        const more = nextBatches(asked, [...seen.current])
        return more.length === 0 ? asked : [...asked, ...more]
      })
    }, gatherMs)
  }, [])

  useEffect(
    () => () => {
      clearTimeout(timer.current)
      observer.current?.disconnect()
      observer.current = undefined
    },
    [],
  )

  const watch = useCallback(
    (node: Element | null) => {
      if (!node) return
      observer.current ??= new IntersectionObserver(look)
      observer.current.observe(node)
    },
    [look],
  )

  const results = useQueries({ queries: batches.map((dataIDs) => trendQuery(key, dataIDs)) })
  return { watch, of: (identifier) => results.find(({ data }) => data?.has(identifier))?.data?.get(identifier) }
}
