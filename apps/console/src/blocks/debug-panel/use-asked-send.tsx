/** Sends as the debug pane does, but asks before several properties change at once. */
import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import type { Values } from '../property-changes/changes.ts'
import { useChanges } from '../property-changes/use-changes.tsx'
import type { DebugRequest } from './sends.ts'
import { type Sender, useSend } from './use-send.ts'

export interface AskedSender extends Sender {
  /** What the device has reported; nothing when that cannot be read. */
  reported: () => Promise<Values>
}

export function useAskedSend(device: Device, model: ThingModel): AskedSender {
  const sender = useSend(device)
  const { reported, ask } = useChanges(device, model)
  const asked = ({ kind, data }: DebugRequest, send: () => void) =>
    ask({ values: kind === 'property' ? JSON.parse(data) : {}, okText: '发送', send })
  return {
    ...sender,
    reported,
    send: (request, shadowControl) => asked(request, () => sender.send(request, shadowControl)),
    repeat: (request) => asked(request, () => sender.repeat(request)),
  }
}
