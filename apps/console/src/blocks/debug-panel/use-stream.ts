import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { listHubLog } from '@ithings/contract/features/devices/msg.ts'
import { deviceTopic } from '@ithings/contract/features/live.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useLive, useLivePolling } from '#api/live.ts'
import { groupByRequest } from '../log-table/exchanges.ts'
import { streamQuery } from './debug-queries.ts'

/** What happened just before the page was opened is shown too. */
const lookBack = 15 * 60_000
const second = 1000

/** The clock by which missing replies are judged. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), second)
    return () => clearInterval(timer)
  }, [running])
  return now
}

/** Messages of a device as they come; paused it stands still, cleared it begins anew. */
export function useStream(device: DeviceKey) {
  const [since, setSince] = useState(() => Date.now() - lookBack)
  const [paused, setPaused] = useState(false)
  useLive(paused ? undefined : deviceTopic(device), { log: [[listHubLog.path, 'stream']] })
  const pace = useLivePolling()
  const result = useQuery({ ...streamQuery(device, since), enabled: !paused, refetchInterval: pace })
  const now = useNow(!paused)
  const exchanges = useMemo(() => groupByRequest(result.data ?? []), [result.data])
  return {
    exchanges,
    count: result.data?.length ?? 0,
    now,
    paused,
    setPaused,
    clear: () => setSince(Date.now()),
    result,
  }
}
