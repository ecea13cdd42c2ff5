import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { TopicTable } from '#blocks/topics/topic-table.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { deviceModelQuery, deviceProductQuery } from '../../queries.ts'

/** screens.md 6.12: the topics of the product with the names of this device. */
export function TopicsTab({ device }: { device: Device }) {
  const product = useQuery(deviceProductQuery(device.productID))
  // Only samples need the model: without it they are empty, the topics are the same.
  const { data: model } = useQuery(deviceModelQuery(device.productID))
  if (product.data) return <TopicTable product={product.data} model={model} deviceName={device.deviceName} />
  if (product.isError) {
    return (
      <ErrorState
        subject="Topic 列表"
        error={product.error}
        retrying={product.isFetching}
        onRetry={() => void product.refetch()}
      />
    )
  }
  return <Skeleton active paragraph={{ rows: 8 }} />
}
