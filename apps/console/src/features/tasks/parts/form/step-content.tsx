import { TaskType } from '@ithings/contract/features/tasks.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { modelQuery } from '#blocks/debug-panel/debug-queries.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { ActionContent, PropertyContent } from './command-content.tsx'
import { ConfigContent } from './config-content.tsx'
import type { StepProps } from './step-props.ts'

export function StepContent(props: StepProps) {
  const { taskType, productID } = props.draft
  const needsModel = taskType !== TaskType.config
  const model = useQuery({ ...modelQuery(productID), enabled: needsModel })
  if (!needsModel) return <ConfigContent {...props} />
  if (model.isError && !model.data) {
    return (
      <ErrorState
        subject="物模型"
        error={model.error}
        onRetry={() => void model.refetch()}
        retrying={model.isFetching}
      />
    )
  }
  if (!model.data) return <Skeleton active paragraph={{ rows: 6 }} />
  return taskType === TaskType.property ? (
    <PropertyContent {...props} model={model.data} />
  ) : (
    <ActionContent {...props} model={model.data} />
  )
}
