import { InfoCircleOutlined, WarningFilled } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Tooltip } from 'antd'
import { figure } from '#blocks/rollout/words.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { durationText } from '../../labels.ts'
import { shownStages, stageNo } from '../../progress.ts'
import type { TaskDraft } from './task-draft.ts'

type Preview = DataOf<typeof previewOtaTask>

const Figure = ({ label, value, hint, tone }: { label: string; value: string; hint?: string; tone?: string }) => (
  <div className={tone ? `preview-figure column gap-4 tone-${tone}` : 'preview-figure column gap-4'}>
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
    <section className="column gap-8">
      <h3 className="part-title">跳过的设备</h3>
      <ul className="preview-rows framed bare-list">
        {skipped.map((group) => (
          <li key={group.reason}>
            <span>{group.label}</span>
            <b>{figure(group.count)} 台</b>
            <span className="mono small quiet cut preview-wide" title={group.devices.join('、')}>
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
    <section className="column gap-8">
      <h3 className="part-title">阶段</h3>
      <ol className="preview-rows framed bare-list">
        {shown.map(({ no, item }) => {
          const rule = draft.stages[no]
          const last = no === shown.at(-1)?.no
          return (
            <li key={no}>
              <b>
                阶段 {stageNo(preview.stages, no)} · {item.percent}%
              </b>
              <span>{figure(item.devices)} 台</span>
              {rule && (
                <span className="meta preview-wide">
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

function Body({ draft, data }: { draft: TaskDraft; data: Preview }) {
  const skipped = data.skipped.reduce((sum, { count }) => sum + count, 0)
  const never = draft.stages.every(({ failPercent }) => failPercent === 0)
  return (
    <div className="column gap-16">
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
      <div className="preview-figures framed">
        <Figure label="将升级" value={`${figure(data.matched)} 台`} />
        <Figure label="其中在线" value={`${figure(data.online)} 台`} />
        <Figure label="跳过" value={`${figure(skipped)} 台`} />
        <Figure
          label="最坏影响"
          tone="warning"
          value={`${figure(data.worstCase)} 台`}
          hint="如果固件在每台设备上都失败，自动停止之前最多会推送给这么多台"
        />
        <Figure label="推送用时" value={durationText(data.seconds)} hint="按推送速率推完最后一台，不含设备下载和重启" />
      </div>
      {data.stages.length > 0 && data.matched > 0 && <Stages draft={draft} preview={data} />}
      {data.versions.length > 0 && (
        <section className="column gap-8">
          <h3 className="part-title">当前版本</h3>
          <div className="preview-versions flex wrap">
            {data.versions.map(({ version, count }) => (
              <span key={version}>
                <span className="mono">{version || '未上报'}</span> {figure(count)} 台
              </span>
            ))}
          </div>
        </section>
      )}
      <Skipped skipped={data.skipped} />
    </div>
  )
}

/** What will happen, before it does. */
export const PreviewStep = ({ draft, preview }: { draft: TaskDraft; preview: UseQueryResult<Preview> }) => (
  <Loaded query={preview} subject="预览">
    {(data) => <Body draft={draft} data={data} />}
  </Loaded>
)
