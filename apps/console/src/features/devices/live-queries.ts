/** What a device says and what it is told: latest values, history, commands, shadow (screens.md 6.2, 6.4, 6.8). */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import {
  deleteShadow,
  getPropertyReply,
  listCommands,
  listShadow,
  sendAction,
  sendProperty,
} from '@ithings/contract/features/devices/interact.ts'
import { listLatest, listPropertyLog } from '@ithings/contract/features/devices/msg.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { keyOf } from './queries.ts'

const quiet = { quiet: true }

export const latestQuery = (key: DeviceKey) => endpointQuery(listLatest, keyOf(key), { quiet: true })

export const shadowQuery = (key: DeviceKey) => endpointQuery(listShadow, keyOf(key), { quiet: true })

export const commandsQuery = (body: BodyInput<typeof listCommands>) =>
  endpointQuery(listCommands, body, { quiet: true })

export type PropertyLogBody = BodyInput<typeof listPropertyLog>
export const readPropertyLog = (body: PropertyLogBody, signal?: AbortSignal) =>
  call(listPropertyLog, body, { quiet: true, signal })

/** Whatever an answered command may have moved. */
const movedByCommand = [listLatest, listCommands, listShadow, readDevice]

function useAfterCommand(key: DeviceKey) {
  const client = useQueryClient()
  return () =>
    // Bodies hold more than the device: TanStack compares only the members that are given.
    Promise.all(movedByCommand.map(({ path }) => client.invalidateQueries({ queryKey: [path, keyOf(key)] })))
}

/** How long the device took, not how long the screen takes to show it. */
async function timed<T>(work: Promise<T>): Promise<{ reply: T; took: number }> {
  const started = performance.now()
  const reply = await work
  return { reply, took: Math.round(performance.now() - started) }
}

/** Cards and panels show the outcome themselves, so the failure is no notification beside it. */
export const useSendProperty = (key: DeviceKey) =>
  useMutation({
    mutationFn: ({
      signal,
      ...body
    }: Omit<BodyInput<typeof sendProperty>, keyof DeviceKey> & { signal?: AbortSignal }) =>
      timed(call(sendProperty, { ...keyOf(key), ...body }, { quiet: true, signal })),
    onSettled: useAfterCommand(key),
  })

export const useSendAction = (key: DeviceKey) =>
  useMutation({
    mutationFn: (body: Omit<BodyInput<typeof sendAction>, keyof DeviceKey>) =>
      timed(call(sendAction, { ...keyOf(key), ...body }, quiet)),
    onSettled: useAfterCommand(key),
  })

export const useReadNow = (key: DeviceKey) =>
  useMutation({
    mutationFn: (dataIDs: string[]) => timed(call(getPropertyReply, { ...keyOf(key), dataIDs }, quiet)),
    onSettled: useAfterCommand(key),
  })

export const useClearShadow = (key: DeviceKey) =>
  useMutation({
    mutationFn: (dataIDs: string[]) => call(deleteShadow, { ...keyOf(key), dataIDs }, quiet),
    onSettled: useAfterCommand(key),
  })
