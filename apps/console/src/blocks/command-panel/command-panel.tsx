/** screens.md 6.9, 18: send to a device on the left, see what comes of it on the right. */

import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { deviceModelQuery, deviceProductQuery } from '#blocks/device/queries.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import './command-panel.css'
import { MessageStream } from './message-stream.tsx'
import { SendPane } from './send-pane.tsx'
import type { SendRequest } from './sends.ts'

interface CommandPanelProps {
  device: Device
  /** What the forms start from. */
  initial?: SendRequest | undefined
}

export function CommandPanel({ device, initial }: CommandPanelProps) {
  const product = useQuery(deviceProductQuery(device.productID))
  const model = useQuery(deviceModelQuery(device.productID))
  const missing = [product, model].find(({ data }) => data === undefined)
  return (
    <div className="send-panel grid gap-16">
      {product.data && model.data ? (
        <SendPane device={device} product={product.data} model={model.data} initial={initial} />
      ) : (
        <section className="sheet send-pane shrink">
          {missing && (
            <Loaded<unknown> query={missing} subject={t('产品和物模型')} rows={10}>
              {() => null}
            </Loaded>
          )}
        </section>
      )}
      <MessageStream device={device} />
    </div>
  )
}
