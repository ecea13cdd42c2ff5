/** Keeps what is on the screen about one device as fresh as the device itself. */
import { type DeviceKey, readDevice } from '@ithings/contract/features/devices/info.ts'
import { listCommands, listShadow } from '@ithings/contract/features/devices/interact.ts'
import { listEventLog, listLatest } from '@ithings/contract/features/devices/msg.ts'
import { deviceTopic } from '@ithings/contract/features/live.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type LiveQueries, useLive, useLivePolling } from '#api/live.ts'
import { useVisible } from '#kit/auto-refresh.tsx'

/** Bodies hold more than the device: TanStack compares only the members that are given. */
const queriesOf = (key: DeviceKey): LiveQueries => {
  const latest = [listLatest.path, key]
  const info = [readDevice.path, key]
  const shadow = [listShadow.path, key]
  return {
    values: [latest],
    presence: [info],
    info: [info],
    command: [[listCommands.path, key], latest],
    shadow: [shadow, latest],
    log: [[listEventLog.path, { productID: key.productID }]],
  }
}

export function useDeviceLive({ productID, deviceName }: DeviceKey): void {
  const client = useQueryClient()
  const visible = useVisible()
  const queries = useMemo(() => queriesOf({ productID, deviceName }), [productID, deviceName])
  useLive(deviceTopic({ productID, deviceName }), queries)
  const pace = useLivePolling()
  useEffect(() => {
    if (!visible) return
    const timer = setInterval(() => {
      const all = new Set(Object.values(queries).flat())
      for (const queryKey of all) void client.invalidateQueries({ queryKey }, { cancelRefetch: false })
    }, pace)
    return () => clearInterval(timer)
  }, [client, visible, pace, queries])
}
