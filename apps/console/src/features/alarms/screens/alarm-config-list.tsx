import { PlusOutlined } from '@ant-design/icons'
import { type AlarmInfo, createAlarm, linkScenes, updateAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { alarmSavePath } from '#blocks/alarm-records/alarm-paths.ts'
import { newAlarmPath } from '#blocks/scene-paths.ts'
import { useView, ViewSwitch } from '#blocks/view-switch.tsx'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { alarmColumns } from '../parts/config/alarm-columns.tsx'
import { type AlarmFilters, alarmFields, filteredAlarms } from '../parts/config/alarm-filters.tsx'
import '../parts/config/config.css'
import { May, useMay } from '#kit/rights.tsx'
import { CopyAlarm } from '../parts/config/copy-alarm.tsx'
import { useAlarmActions } from '../parts/config/use-alarm-actions.tsx'

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
  const create = (
    <May needs={createAlarm}>
      <Button
        type="primary"
        icon={<PlusOutlined />}
        onClick={() => void navigate(may(createScene) && may(linkScenes) ? newAlarmPath() : alarmSavePath)}
      >
        新增告警
      </Button>
    </May>
  )
  return (
    <div className={view === 'card' && !phone ? 'list-cards alarm-cards' : ''}>
      <ListPage<AlarmInfo, AlarmFilters>
        title="告警配置"
        subtitle="定义告警的级别与通知，由关联的场景触发和解除"
        extra={create}
        filters={alarmFields}
        columns={columns}
        rowKey={(row) => String(row.id)}
        storageKey="alarms"
        query={filteredAlarms}
        rowActions={actionsOf}
        toolbarExtra={!phone && <ViewSwitch value={view} onChange={setView} />}
        exportName="告警配置"
        selection={{
          unit: '个告警',
          needs: [updateAlarm],
          actions: (alarms, clear) => (
            <>
              <Button type="text" onClick={() => void switchAll(alarms, true).then(clear)}>
                启用
              </Button>
              <Button type="text" onClick={() => void switchAll(alarms, false).then(clear)}>
                禁用
              </Button>
            </>
          ),
        }}
        empty={{
          title: '还没有告警配置',
          text: '说出什么时候、多严重、通知谁，并用历史数据看看它会触发几次。',
          action: create,
        }}
      />
      {copied && (
        <CopyAlarm alarm={copied.alarm} open={copied.open} onClose={() => setCopied({ ...copied, open: false })} />
      )}
    </div>
  )
}
