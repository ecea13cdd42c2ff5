import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { previewConfigPush } from '@ithings/contract/features/remote-config.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { ErrorState } from '#kit/states/error-state.tsx'
import { durationText } from '../push-scope.ts'

interface PushPreviewProps {
  /** Something is chosen. */
  target: boolean
  preview: UseQueryResult<DataOf<typeof previewConfigPush>>
  rate: number
}

/** How many devices it means, before anything is sent. */
export function PushPreview({ target, preview, rate }: PushPreviewProps) {
  if (!target) return <p className="config-preview meta">选择后显示受影响的设备数量</p>
  if (preview.isError) {
    return (
      <ErrorState
        compact
        subject="受影响的设备"
        error={preview.error}
        retrying={preview.isFetching}
        onRetry={() => void preview.refetch()}
      />
    )
  }
  if (!preview.data) return <Skeleton active title={false} paragraph={{ rows: 2 }} />
  const { total, online } = preview.data
  const away = total - online
  return (
    <div className="config-preview" role="status" aria-label="下发预览" aria-busy={preview.isFetching}>
      {total === 0 ? (
        <b>没有符合条件的设备</b>
      ) : (
        <>
          <b>
            将影响 <span className="config-figure">{total.toLocaleString()}</span> 台设备
          </b>
          <span>
            在线 {online.toLocaleString()} 台按速率下发（{durationText(online, rate)}）
            {away > 0 && `，离线 ${away.toLocaleString()} 台在上线或主动请求时送达`}
          </span>
          <span className="meta">设备须订阅 $config/down/push 主题才能收到。</span>
        </>
      )}
    </div>
  )
}
