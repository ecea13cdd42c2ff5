import { type ForwardRule, replayForward } from '@ithings/contract/features/forwarding/rules.ts'
import { logRetentionDays } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, DatePicker } from 'antd'
import dayjs from 'dayjs'
import * as z from 'zod'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { formatTime, zoneLabel } from '#kit/time.ts'
import { useReplayForward } from '../queries.ts'

interface MomentInputProps {
  id?: string
  /** ms */
  value?: number
  onChange?: (value: number | undefined) => void
}

const ago: readonly [hours: number, label: string][] = [
  [1, '1 小时前'],
  [24, '1 天前'],
  [7 * 24, '7 天前'],
]

const MomentInput = ({ id, value, onChange }: MomentInputProps) => (
  <DatePicker
    {...(id && { id })}
    showTime
    style={{ width: '100%' }}
    maxDate={dayjs()}
    value={value === undefined ? null : dayjs(value)}
    presets={ago.map(([hours, label]) => ({ label: t(label), value: () => dayjs().subtract(hours, 'hour') }))}
    onChange={(picked) => onChange?.(picked ? picked.valueOf() : undefined)}
  />
)

const schema = z.object({ from: replayForward.body.shape.from })
/** decisions.md 2 "Log retention": no message of a device is kept for longer. */
const mostDays = Math.max(...logRetentionDays)

interface ReplayModalProps {
  rule: ForwardRule
  open: boolean
  onClose: () => void
}

export function ReplayModal({ rule, open, onClose }: ReplayModalProps) {
  const { message } = App.useApp()
  const replay = useReplayForward()
  return (
    <FormModal
      title={t('重放「{name}」', { name: rule.name })}
      open={open}
      onClose={onClose}
      layout="vertical"
      schema={schema}
      initialValues={{ from: dayjs().subtract(1, 'hour').startOf('minute').valueOf() }}
      submitText={t('重放')}
      onSubmit={async ({ from }) => {
        await replay.mutateAsync({ id: rule.id, from })
        void message.success(t('已从 {time} 起重新发送', { time: formatTime(from) }))
      }}
    >
      <Field name="from" label={t('从何时起')} extra={zoneLabel()}>
        <MomentInput />
      </Field>
      <Alert
        type="info"
        showIcon
        title={
          <span className="column gap-4">
            <span>{t('从那时起符合条件的消息全部再发送一次，编号与当时相同，接收方可以据此去重。')}</span>
            <span className="softer">
              {t('设备消息按产品的日志保留时间保存，最长 {days} 天：最早可以从 {time} 起，更早的已经删除。', {
                days: mostDays,
                time: formatTime(dayjs().subtract(mostDays, 'day').valueOf()),
              })}
            </span>
          </span>
        }
      />
    </FormModal>
  )
}
