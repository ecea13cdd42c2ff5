/** What a device says and what it is told: latest values, history, commands, shadow (screens.md 6.2, 6.4, 6.8). */
import type { BodyInput, Endpoint } from '@ithings/contract/endpoint.ts'
import {
  deleteShadow,
  getPropertyReply,
  listCommands,
  listShadow,
  sendAction,
  sendProperty,
} from '@ithings/contract/features/commands.ts'
import { type DeviceKey, readDevice } from '@ithings/contract/features/devices/info.ts'
import { listLatest, listPropertyLog } from '@ithings/contract/features/history.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { keyOf } from '#blocks/device/queries.ts'

const quiet = { quiet: true }

export const latestQuery = (key: DeviceKey) => endpointQuery(listLatest, keyOf(key), quiet)

export const shadowQuery = (key: DeviceKey) => endpointQuery(listShadow, keyOf(key), quiet)

export const commandsQuery = (body: BodyInput<typeof listCommands>) => endpointQuery(listCommands, body, quiet)

export type PropertyLogBody = BodyInput<typeof listPropertyLog>
export const readPropertyLog = (body: PropertyLogBody, signal?: AbortSignal) =>
  call(listPropertyLog, body, { quiet: true, signal })

/** Whatever an answered command may have moved. */
const movedByCommand = [listLatest, listCommands, listShadow, readDevice]

/** How long the device took, not how long the screen takes to show it. */
async function timed<T>(work: Promise<T>): Promise<{ reply: T; took: number }> {
  const started = performance.now()
  const reply = await work
  return { reply, took: Math.round(performance.now() - started) }
}

/** Cards and panels show the outcome themselves, so the failure is no notification beside it. */
function useAsked<Input, Output>(key: DeviceKey, mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  // Bodies hold more than the device: TanStack compares only the members that are given.
  const readAgain = () =>
    Promise.all(movedByCommand.map(({ path }) => client.invalidateQueries({ queryKey: [path, keyOf(key)] })))
  return useMutation({ mutationFn, onSettled: readAgain })
}

type Sent<E extends Endpoint> = Omit<BodyInput<E>, keyof DeviceKey>

export const useSendProperty = (key: DeviceKey) =>
  useAsked(key, ({ signal, ...body }: Sent<typeof sendProperty> & { signal?: AbortSignal }) =>
    timed(call(sendProperty, { ...keyOf(key), ...body }, { ...quiet, signal })),
  )

export const useSendAction = (key: DeviceKey) =>
  useAsked(key, (body: Sent<typeof sendAction>) => timed(call(sendAction, { ...keyOf(key), ...body }, quiet)))

export const useReadNow = (key: DeviceKey) =>
  useAsked(key, (dataIDs: string[]) => timed(call(getPropertyReply, { ...keyOf(key), dataIDs }, quiet)))

export const useClearShadow = (key: DeviceKey) =>
  useAsked(key, (dataIDs: string[]) => call(deleteShadow, { ...keyOf(key), dataIDs }, quiet))
