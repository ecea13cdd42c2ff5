import { InfoCircleOutlined, WarningFilled } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { OtaStage, previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Tooltip } from 'antd'
import { Loaded } from '#kit/states/loaded.tsx'
import { durationText } from '../../labels.ts'
import { shownStages, stageNo } from '../../progress.ts'
import type { TaskDraft } from './task-draft.ts'

type Preview = DataOf<typeof previewOtaTask>

const Figure = ({ label, value, hint, tone }: { label: string; value: string; hint?: string; tone?: string }) => (
  <div
    className={tone ? `preview-figure pad-12-16 column gap-4 tone-${tone}` : 'preview-figure pad-12-16 column gap-4'}
  >
    <span className="meta">
      {label}
      {hint && (
        <Tooltip title={hint}>
          <InfoCircleOutlined className="after-4" />
        </Tooltip>
      )}
    </span>
    <b>{value}</b>
  </div>
)

const firstOf = ({ devices, count }: Preview['skipped'][number]): string => {
  const names = devices.slice(0, 5).join(t('、'))
  return count > 5 ? t('{names} 等', { names }) : names
}

function Skipped({ skipped }: { skipped: Preview['skipped'] }) {
  if (skipped.length === 0) return null
  return (
    <section className="column gap-8">
      <h3 className="subtitle">{t('跳过的设备')}</h3>
      <ul className="preview-rows boxed bare-list">
        {skipped.map((group) => (
          <li key={group.reason}>
            <span>{group.label}</span>
            <b>{t('{count, number} 台', { count: group.count })}</b>
            <span className="mono small quiet cut preview-wide" title={group.devices.join(t('、'))}>
              {firstOf(group)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** When a stage passes and when it halts; after the last one nothing passes. */
function ruleText({ successPercent, failPercent }: OtaStage, last: boolean): string {
  if (last) return failPercent > 0 ? t('失败率达到 {failPercent}% 自动停止', { failPercent }) : t('失败不会停止')
  return failPercent > 0
    ? t('成功率达到 {successPercent}% 进入下一阶段，失败率达到 {failPercent}% 自动停止', {
        successPercent,
        failPercent,
      })
    : t('成功率达到 {successPercent}% 进入下一阶段，失败不会停止', { successPercent })
}

function Stages({ draft, preview }: { draft: TaskDraft; preview: Preview }) {
  const shown = shownStages(preview.stages)
  return (
    <section className="column gap-8">
      <h3 className="subtitle">{t('阶段')}</h3>
      <ol className="preview-rows boxed bare-list">
        {shown.map(({ no, item }) => {
          const rule = draft.stages[no]
          const last = no === shown.at(-1)?.no
          return (
            <li key={no}>
              <b>{t('阶段 {stageNo} · {percent}%', { stageNo: stageNo(preview.stages, no), percent: item.percent })}</b>
              <span>{t('{count, number} 台', { count: item.devices })}</span>
              {rule && <span className="meta preview-wide">{ruleText(rule, last)}</span>}
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
        <Alert type="warning" showIcon title={t('没有符合条件的设备，任务不会推送给任何设备。请回到前面修改范围。')} />
      )}
      {never && data.matched > 0 && (
        <Alert
          type="warning"
          showIcon
          icon={<WarningFilled />}
          title={t('没有设置失败率阈值：固件有问题时任务不会自动停止。')}
        />
      )}
      <div className="preview-figures grid boxed">
        <Figure label={t('将升级')} value={t('{count, number} 台', { count: data.matched })} />
        <Figure label={t('其中在线')} value={t('{count, number} 台', { count: data.online })} />
        <Figure label={t('跳过', { context: 'figure' })} value={t('{count, number} 台', { count: skipped })} />
        <Figure
          label={t('最坏影响')}
          tone="warning"
          value={t('{count, number} 台', { count: data.worstCase })}
          hint={t('如果固件在每台设备上都失败，自动停止之前最多会推送给这么多台')}
        />
        <Figure
          label={t('推送用时')}
          value={durationText(data.seconds)}
          hint={t('按推送速率推完最后一台，不含设备下载和重启')}
        />
      </div>
      {data.stages.length > 0 && data.matched > 0 && <Stages draft={draft} preview={data} />}
      {data.versions.length > 0 && (
        <section className="column gap-8">
          <h3 className="subtitle">{t('当前版本')}</h3>
          <div className="flex wrap" style={{ gap: '4px 24px' }}>
            {data.versions.map(({ version, count }) => (
              <span key={version}>
                <span className="mono">{version || t('未上报')}</span> {t('{count, number} 台', { count })}
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
  <Loaded query={preview} subject={t('预览')}>
    {(data) => <Body draft={draft} data={data} />}
  </Loaded>
)
