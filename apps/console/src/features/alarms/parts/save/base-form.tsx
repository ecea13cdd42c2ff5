import {
  type AlarmInfo,
  AlarmLevel,
  AlarmStatus,
  alarmBody,
  alarmInfo,
} from '@ithings/contract/features/alarms/config.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Input, InputNumber, Radio } from 'antd'
import { useRef, useState } from 'react'
import { LevelChoice } from '#blocks/alarm-level.tsx'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { useAlarmWork } from '../../queries.ts'
import { PageForm } from './page-form.tsx'

const { slaMinutes } = alarmInfo.shape.notify.shape
/** Until when somebody should have handled it concerns also alarms that tell nobody. */
const schema = alarmBody.pick({ name: true, level: true, desc: true, status: true }).extend({ slaMinutes })

function Fields({ isNew = false }: { isNew?: boolean }) {
  return (
    <>
      <Field name="name" label={t('名称')}>
        <Input maxLength={64} showCount placeholder={t('例如：水泵超温')} autoFocus={isNew} />
      </Field>
      <Field
        name="level"
        label={t('级别')}
        extra={t('决定排序、颜色和通知文案；未处理的记录在下次触发时改为新的级别。')}
      >
        <LevelChoice />
      </Field>
      <Field name="status" label={t('状态')} extra={t('禁用的告警不产生记录，也不通知。')}>
        <Radio.Group
          options={[
            { value: AlarmStatus.enabled, label: t('启用', { context: 'state' }) },
            { value: AlarmStatus.disabled, label: t('禁用', { context: 'state' }) },
          ]}
        />
      </Field>
      <Field name="slaMinutes" label={t('处理时限')} extra={t('超过时限未处理的记录会标红并计入超时；0 表示不限。')}>
        <InputNumber min={0} max={43_200} precision={0} suffix={t('分钟')} style={{ width: 160 }} />
      </Field>
      <Field name="desc" label={t('说明')}>
        <Input.TextArea rows={3} maxLength={200} showCount placeholder={t('给值班的人看：可能的原因、先做什么')} />
      </Field>
    </>
  )
}

/** Enabled: without a scene it raises nothing yet, and nobody has to come back for it. */
export function CreateBase({ onCreated }: { onCreated: (id: number) => void }) {
  const { message } = App.useApp()
  const work = useAlarmWork()
  const created = useRef(0)
  return (
    <PageForm
      schema={schema}
      initialValues={{ level: AlarmLevel.normal, status: AlarmStatus.enabled, slaMinutes: 0 }}
      submitText={t('保存并继续')}
      onSubmit={async ({ slaMinutes: limit, ...values }) => {
        created.current = (await work.create({ ...values, notify: { slaMinutes: limit } })).id
        void message.success(t('创建成功'))
      }}
      onSaved={() => onCreated(created.current)}
    >
      {() => <Fields isNew />}
    </PageForm>
  )
}

/** @param onSaved the form begins anew then, with the revision that was saved */
export function EditBase({ alarm, onSaved }: { alarm: AlarmInfo; onSaved: () => void }) {
  const { message } = App.useApp()
  const work = useAlarmWork()
  const [{ id, name, level, desc, status, notify, rev: begun }] = useState(() => work.latest(alarm.id) ?? alarm)
  const stale = useStaleEdit(begun, async () => {
    const latest = await work.reread(id)
    return { ...latest, slaMinutes: latest.notify.slaMinutes }
  })
  return (
    <PageForm
      schema={schema}
      initialValues={{
        name,
        level,
        desc,
        status: status === AlarmStatus.disabled ? 2 : 1,
        slaMinutes: notify.slaMinutes,
      }}
      extra={stale.action}
      onSubmit={async ({ slaMinutes: limit, ...values }) => {
        const told = (work.latest(id) ?? alarm).notify
        await stale.guard((rev) => work.update({ ...values, notify: { ...told, slaMinutes: limit }, id, rev }))
        void message.success(t('更新成功'))
      }}
      onSaved={onSaved}
    >
      {(form) => {
        stale.bind(form)
        return <Fields />
      }}
    </PageForm>
  )
}
