import type { ConfigVersion } from '@ithings/contract/features/remote-config.ts'
import { Alert, Button, Space } from 'antd'
import { TimeText } from '#kit/time-text.tsx'

interface StaleDraftProps {
  latest: ConfigVersion
  onCompare: () => void
  onTake: () => void
  onKeep: () => void
}

/** Somebody saved another version while this one was typed: nothing is overwritten unseen. */
export function StaleDraft({ latest, onCompare, onTake, onKeep }: StaleDraftProps) {
  return (
    <Alert
      type="warning"
      showIcon
      className="config-stale"
      title={
        <>
          {latest.userName || '他人'} 已提交版本 {latest.id}（<TimeText value={latest.createTime} />
          ），你的草稿基于更早的版本
        </>
      }
      description={
        <Space wrap size="small">
          <Button size="small" onClick={onCompare}>
            查看差异
          </Button>
          <Button size="small" onClick={onKeep}>
            保留草稿，基于最新版本继续
          </Button>
          <Button size="small" onClick={onTake}>
            放弃草稿，使用最新版本
          </Button>
        </Space>
      }
    />
  )
}
