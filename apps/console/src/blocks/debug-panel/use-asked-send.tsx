/** A command that changes several properties at once is shown in words, old and new, before it goes out. */
import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useConfirm } from '#kit/confirm.tsx'
import { changesOf, reportedValues } from './changes.ts'
import { latestQuery } from './debug-queries.ts'
import type { DebugRequest } from './sends.ts'
import { type Sender, useSend } from './use-send.ts'

export interface AskedSender extends Sender {
  /** What the device has reported; nothing when that cannot be read. */
  reported: () => Promise<Record<string, unknown>>
}

export function useAskedSend(device: Device, { properties }: ThingModel): AskedSender {
  const client = useQueryClient()
  const confirm = useConfirm()
  const sender = useSend(device)
  const reported = () =>
    client.fetchQuery(latestQuery(device)).then(
      ({ list }) => reportedValues(properties, list),
      () => ({}),
    )
  const ask = async ({ kind, data }: DebugRequest, send: () => void) => {
    const values: Record<string, unknown> = kind === 'property' ? JSON.parse(data) : {}
    const changes = Object.keys(values).length > 1 ? changesOf(properties, await reported(), values) : []
    if (changes.length < 2) return send()
    confirm({
      title: `同时改变 ${changes.length} 个属性？`,
      content: (
        <>
          <p>指令会作用于设备「{device.deviceAlias || device.deviceName}」：</p>
          <ul>
            {changes.map(({ name, from, to }) => (
              <li key={name}>
                {name}：{from} → <b>{to}</b>
              </li>
            ))}
          </ul>
        </>
      ),
      okText: '发送',
      // The dialog closes at once: the pane shows how it goes on.
      onOk: async () => send(),
    })
  }
  return {
    ...sender,
    reported,
    send: (request, shadowControl) => void ask(request, () => sender.send(request, shadowControl)),
    repeat: (request) => void ask(request, () => sender.repeat(request)),
  }
}
