/** Several alarms; one that is missing is made here, enabled, with a name and a level. */

import {
  AlarmLevel,
  AlarmStatus,
  alarmBody,
  createAlarm,
  listAlarms,
} from '@ithings/contract/features/alarms/config.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Input } from 'antd'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { PickerCreate } from '#kit/picker-create.tsx'
import { RemotePicker } from '#kit/remote-picker.tsx'
import { useMay } from '#kit/rights.tsx'
import { LevelChoice } from './alarm-level.tsx'
import { alarmSource } from './alarm-picker.tsx'

const schema = alarmBody.pick({ name: true, level: true })

interface AlarmsPickerProps {
  value: readonly number[]
  onChange: (alarmIDs: number[]) => void
  disabled?: boolean
}

export function AlarmsPicker({ value, onChange, disabled }: AlarmsPickerProps) {
  const may = useMay()
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  return (
    <>
      <RemotePicker
        multiple
        aria-label={t('告警')}
        source={alarmSource}
        placeholder={t('选择告警')}
        disabled={disabled}
        value={value.map(String)}
        onChange={(ids) => onChange(ids.map(Number))}
        foot={(close) =>
          may(createAlarm) && (
            <PickerCreate
              text={t('新增告警')}
              onClick={() => {
                close()
                setCreating(true)
              }}
            />
          )
        }
      />
      <FormModal
        title={t('新增告警')}
        open={creating}
        onClose={() => setCreating(false)}
        width={480}
        layout="vertical"
        schema={schema}
        initialValues={{ level: AlarmLevel.normal }}
        onSubmit={async (values) => {
          const { id } = await call(createAlarm, { ...values, status: AlarmStatus.enabled }, { quiet: true })
          await client.invalidateQueries({ queryKey: [listAlarms.path] })
          onChange([...value, id])
        }}
      >
        <Field name="name" label={t('名称')}>
          <Input maxLength={64} showCount placeholder={t('例如：水泵超温')} autoFocus />
        </Field>
        <Field name="level" label={t('级别')} extra={t('说明和通知可以稍后在告警配置中补充。')}>
          <LevelChoice />
        </Field>
      </FormModal>
    </>
  )
}
