import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { ErrorState } from '#kit/states/error-state.tsx'
import { deviceModelQuery } from '../../queries.ts'

interface ModelGateProps {
  productID: string
  children: (model: ThingModel) => ReactNode
}

/** What is drawn by the thing model waits for it. */
export function ModelGate({ productID, children }: ModelGateProps) {
  const model = useQuery(deviceModelQuery(productID))
  if (model.data) return children(model.data)
  if (model.isError) {
    return (
      <ErrorState
        subject="物模型"
        error={model.error}
        retrying={model.isFetching}
        onRetry={() => void model.refetch()}
      />
    )
  }
  return <Skeleton active paragraph={{ rows: 8 }} />
}
