import { type AlarmInfo, AlarmStatus, alarmBody } from '@ithings/contract/features/alarms/config.ts'
import { App, Input } from 'antd'
import { useNavigate } from 'react-router'
import { alarmEditPath } from '#blocks/alarm-records/alarm-paths.ts'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { useAlarmWork } from '../../queries.ts'

const schema = alarmBody.pick({ name: true })
const longestName = 64
const suffix = ' 副本'

interface CopyAlarmProps {
  alarm: AlarmInfo
  open: boolean
  onClose: () => void
}

/** Level, description and notification; disabled and without scenes, so that nothing is raised twice. */
export function CopyAlarm({ alarm, open, onClose }: CopyAlarmProps) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const work = useAlarmWork()
  return (
    <FormModal
      title={`复制告警「${alarm.name}」`}
      open={open}
      onClose={onClose}
      schema={schema}
      initialValues={{ name: `${alarm.name.slice(0, longestName - suffix.length)}${suffix}` }}
      submitText="复制"
      layout="vertical"
      width={480}
      onSubmit={async ({ name }) => {
        const { level, desc, notify } = alarm
        const { id } = await work.create({ name, level, desc, notify, status: AlarmStatus.disabled })
        void message.success('复制成功')
        await navigate(alarmEditPath(id, 'scenes'))
      }}
    >
      <Field name="name" label="新告警名称" extra="复制级别、说明和通知设置；副本先禁用，关联场景需要另外选择。">
        <Input maxLength={longestName} showCount autoFocus />
      </Field>
    </FormModal>
  )
}
