import type { ConfigPush } from '@ithings/contract/features/remote-config.ts'
import { StackedProgress } from '#blocks/stacked-progress.tsx'
import './pushes.css'

/** 已送达 8 / 10 beside its bar. */
export function PushProgress({ push, thick = false }: { push: ConfigPush; thick?: boolean }) {
  const { delivered, failed, total } = push
  return (
    <span className="config-progress row gap-8">
      <StackedProgress
        thick={thick}
        label={`下发 ${push.runID} 的进度`}
        total={total}
        parts={[
          { label: '已送达', value: delivered, tone: 'success' },
          { label: '失败', value: failed, tone: 'error' },
        ]}
      />
      <span className="meta">
        {delivered.toLocaleString()} / {total.toLocaleString()}
      </span>
    </span>
  )
}
