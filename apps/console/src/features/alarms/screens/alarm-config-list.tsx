import {
  type AlarmInfo,
  AlarmStatus,
  alarmBody,
  alarmLevelLabels,
  alarmLevels,
  createAlarm,
  linkScenes,
  updateAlarm,
} from '@ithings/contract/features/alarms/config.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useView, ViewSwitch } from '#blocks/view-switch.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { alarmColumns } from '../parts/config/alarm-columns.tsx'
import '../parts/config/config.css'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { enabledOptions } from '#blocks/enabled-status.ts'
import type { FilterField, ListPaging } from '#kit/list-page/list-contract.ts'
import { alarmEditPath, newAlarmPath, paths } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { levelsText, readLevels } from '../level-filter.ts'
import { useAlarmActions } from '../parts/config/use-alarm-actions.tsx'
import { alarmsQuery, useAlarmWork } from '../queries.ts'

interface AlarmFilters {
  name?: string
  levels?: string
  status?: AlarmStatus
}

const alarmFields: FilterField[] = [
  { name: 'name', label: '名称', control: 'text' },
  {
    name: 'levels',
    label: '级别',
    control: 'custom',
    width: 200,
    render: ({ id, value, onChange }) => (
      <Select<number[]>
        id={id}
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        placeholder={t('全部')}
        className="wide"
        value={readLevels(value) ?? []}
        onChange={(levels) => onChange(levelsText(levels.toSorted((one, other) => other - one)))}
        options={alarmLevels.map((level) => ({ value: level, label: t(alarmLevelLabels[level]) }))}
        optionRender={({ value: level }) => <AlarmLevelMark level={Number(level)} />}
      />
    ),
    describe: (text) => (readLevels(text) ?? []).map((level) => t(alarmLevelLabels[level])).join(t('、')),
  },
  { name: 'status', label: '状态', control: 'select', options: enabledOptions },
]

const filteredAlarms = ({ page, filters }: { page: ListPaging; filters: AlarmFilters }) => {
  const levels = readLevels(filters.levels)
  const { name, status } = filters
  return alarmsQuery({ page, ...(name && { name }), ...(status && { status }), ...(levels && { levels }) })
}

/** screens.md 23. */
export function AlarmConfigList() {
  const phone = usePhone()
  const navigate = useNavigate()
  const may = useMay()
  const [view, setView] = useView('alarm')
  const [copied, setCopied] = useState<{ alarm: AlarmInfo; open: boolean }>()
  const { busy, switchAll, actionsOf } = useAlarmActions((alarm) => setCopied({ alarm, open: true }))
  const columns = useMemo(
    () => alarmColumns({ busy, fixed: !may(updateAlarm), onSwitch: (alarm, on) => void switchAll([alarm], on) }),
    [busy, switchAll, may],
  )
  return (
    <div className={view === 'card' && !phone ? 'list-cards alarm-cards' : ''}>
      <ListPage<AlarmInfo, AlarmFilters>
        title={t('告警配置')}
        subtitle={t('定义告警的级别与通知，由关联的场景触发和解除')}
        create={{
          text: t('新增告警'),
          needs: createAlarm,
          onClick: () => void navigate(may(createScene) && may(linkScenes) ? newAlarmPath() : paths.alarmSave),
        }}
        filters={alarmFields}
        columns={columns}
        rowKey={(row) => String(row.id)}
        storageKey="alarms"
        query={filteredAlarms}
        rowActions={actionsOf}
        toolbarExtra={!phone && <ViewSwitch value={view} onChange={setView} />}
        exportName={t('告警配置')}
        selection={{
          unit: t('个告警'),
          needs: [updateAlarm],
          actions: (alarms, clear) => (
            <>
              <Button type="text" onClick={() => void switchAll(alarms, true).then(clear)}>
                {t('启用')}
              </Button>
              <Button type="text" onClick={() => void switchAll(alarms, false).then(clear)}>
                {t('禁用')}
              </Button>
            </>
          ),
        }}
        empty={{
          title: t('还没有告警配置'),
          text: t('说出什么时候、多严重、通知谁，并用历史数据看看它会触发几次。'),
        }}
      />
      {copied && (
        <CopyAlarm alarm={copied.alarm} open={copied.open} onClose={() => setCopied({ ...copied, open: false })} />
      )}
    </div>
  )
}

const schema = alarmBody.pick({ name: true })
const longestName = 64

/** Level, description and notification; disabled and without scenes, so that nothing is raised twice. */
function CopyAlarm({ alarm, ...opened }: { alarm: AlarmInfo; open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const work = useAlarmWork()
  const suffix = t(' 副本')
  return (
    <FormModal
      {...opened}
      title={t('复制告警「{name}」', { name: alarm.name })}
      schema={schema}
      initialValues={{ name: `${alarm.name.slice(0, longestName - suffix.length)}${suffix}` }}
      submitText={t('复制')}
      layout="vertical"
      width={480}
      onSubmit={async ({ name }) => {
        const { level, desc, notify } = alarm
        const { id } = await work.create({ name, level, desc, notify, status: AlarmStatus.disabled })
        void message.success(t('复制成功'))
        await navigate(alarmEditPath(id, 'scenes'))
      }}
    >
      <Field
        name="name"
        label={t('新告警名称')}
        extra={t('复制级别、说明和通知设置；副本先禁用，关联场景需要另外选择。')}
      >
        <Input maxLength={longestName} showCount autoFocus />
      </Field>
    </FormModal>
  )
}
