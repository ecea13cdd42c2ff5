import { InfoCircleOutlined, WarningFilled } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Skeleton, Tooltip } from 'antd'
import { ErrorState } from '#kit/states/error-state.tsx'
import { durationText } from '../../labels.ts'
import { shownStages, stageNo } from '../../progress.ts'
import { previewQuery } from '../../task-queries.ts'
import { bodyOf, type TaskDraft } from './task-draft.ts'

export type Preview = DataOf<typeof previewOtaTask>

const Figure = ({ label, value, hint, tone }: { label: string; value: string; hint?: string; tone?: string }) => (
  <div className={tone ? `preview-figure column gap-4 preview-${tone}` : 'preview-figure column gap-4'}>
    <span className="meta">
      {label}
      {hint && (
        <Tooltip title={hint}>
          <InfoCircleOutlined className="preview-hint" />
        </Tooltip>
      )}
    </span>
    <b>{value}</b>
  </div>
)

function Skipped({ skipped }: { skipped: Preview['skipped'] }) {
  if (skipped.length === 0) return null
  return (
    <section className="preview-block">
      <h3>跳过的设备</h3>
      <ul className="preview-skipped">
        {skipped.map((group) => (
          <li key={group.reason}>
            <span className="preview-why">{group.label}</span>
            <b>{group.count.toLocaleString()} 台</b>
            <span className="mono preview-names" title={group.devices.join('、')}>
              {group.devices.slice(0, 5).join('、')}
              {group.count > 5 && ' 等'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Stages({ draft, preview }: { draft: TaskDraft; preview: Preview }) {
  const shown = shownStages(preview.stages)
  return (
    <section className="preview-block">
      <h3>阶段</h3>
      <ol className="preview-stages">
        {shown.map(({ no, item }) => {
          const rule = draft.stages[no]
          const last = no === shown.at(-1)?.no
          return (
            <li key={no}>
              <b>
                阶段 {stageNo(preview.stages, no)} · {item.percent}%
              </b>
              <span>{item.devices.toLocaleString()} 台</span>
              {rule && (
                <span className="meta">
                  {!last && `成功率达到 ${rule.successPercent}% 进入下一阶段，`}
                  {rule.failPercent > 0 ? `失败率达到 ${rule.failPercent}% 自动停止` : '失败不会停止'}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** What will happen, before it does. */
export function PreviewStep({ draft }: { draft: TaskDraft }) {
  const preview = useQuery(previewQuery(bodyOf(draft)))
  const { data } = preview
  if (!data) {
    if (!preview.isError) return <Skeleton active paragraph={{ rows: 8 }} />
    return (
      <ErrorState
        subject="预览"
        error={preview.error}
        retrying={preview.isFetching}
        onRetry={() => void preview.refetch()}
      />
    )
  }
  const skipped = data.skipped.reduce((sum, { count }) => sum + count, 0)
  const never = draft.stages.every(({ failPercent }) => failPercent === 0)
  return (
    <div className="preview">
      {data.matched === 0 && (
        <Alert type="warning" showIcon title="没有符合条件的设备，任务不会推送给任何设备。请回到前面修改范围。" />
      )}
      {never && data.matched > 0 && (
        <Alert
          type="warning"
          showIcon
          icon={<WarningFilled />}
          title="没有设置失败率阈值：固件有问题时任务不会自动停止。"
        />
      )}
      <div className="preview-figures">
        <Figure label="将升级" value={`${data.matched.toLocaleString()} 台`} />
        <Figure label="其中在线" value={`${data.online.toLocaleString()} 台`} />
        <Figure label="跳过" value={`${skipped.toLocaleString()} 台`} />
        <Figure
          label="最坏影响"
          tone="worst"
          value={`${data.worstCase.toLocaleString()} 台`}
          hint="如果固件在每台设备上都失败，自动停止之前最多会推送给这么多台"
        />
        <Figure label="推送用时" value={durationText(data.seconds)} hint="按推送速率推完最后一台，不含设备下载和重启" />
      </div>
      {data.stages.length > 0 && data.matched > 0 && <Stages draft={draft} preview={data} />}
      {data.versions.length > 0 && (
        <section className="preview-block">
          <h3>当前版本</h3>
          <div className="preview-versions flex wrap">
            {data.versions.map(({ version, count }) => (
              <span key={version}>
                <span className="mono">{version || '未上报'}</span> {count.toLocaleString()} 台
              </span>
            ))}
          </div>
        </section>
      )}
      <Skipped skipped={data.skipped} />
    </div>
  )
}
