import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useMemo } from 'react'
import { TopicTable } from '#blocks/topics/topic-table.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { deviceModelQuery, deviceProductQuery, keyOf } from '../../queries.ts'
import { topicExtras } from '../logs/topic-use.tsx'

/** screens.md 6.12: the topics of the product with the names of this device. */
export function TopicsTab({ device }: { device: Device }) {
  const product = useQuery(deviceProductQuery(device.productID))
  // Only samples need the model: without it they are empty, the topics are the same.
  const { data: model } = useQuery(deviceModelQuery(device.productID))
  const extras = useMemo(() => topicExtras(keyOf(device)), [device])
  if (product.data) {
    return <TopicTable product={product.data} model={model} deviceName={device.deviceName} extras={extras} />
  }
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
