/** screens.md 6.9, 18: send to a device on the left, see what comes of it on the right. */
import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { ErrorState } from '#kit/states/error-state.tsx'
import './debug-panel.css'
import './message-stream.css'
import { modelQuery, productQuery } from './debug-queries.ts'
import { MessageStream } from './message-stream.tsx'
import type { Draft } from './send-form.ts'
import { SendPane } from './send-pane.tsx'

const emptyModel: ThingModel = { properties: [], events: [], actions: [] }

interface DebugPanelProps {
  device: Device
  /** What the send forms start from. */
  initial?: Draft | undefined
}

export function DebugPanel({ device, initial }: DebugPanelProps) {
  const product = useQuery(productQuery(device.productID))
  const model = useQuery(modelQuery(device.productID))
  const failed = [product, model].find(({ isError, data }) => isError && !data)
  return (
    <div className="debug-panel">
      {failed ? (
        <section className="debug-pane debug-send-pane">
          <ErrorState
            subject="产品和物模型"
            error={failed.error}
            retrying={failed.isFetching}
            onRetry={() => void failed.refetch()}
          />
        </section>
      ) : product.data && !model.isPending ? (
        <SendPane device={device} product={product.data} model={model.data ?? emptyModel} initial={initial} />
      ) : (
        <section className="debug-pane debug-send-pane">
          <Skeleton active paragraph={{ rows: 10 }} />
        </section>
      )}
      <MessageStream device={device} />
    </div>
  )
}
