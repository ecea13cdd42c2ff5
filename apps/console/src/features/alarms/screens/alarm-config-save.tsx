import { errors } from '@ithings/contract/errors.ts'
import { type AlarmInfo, AlarmStatus, createAlarm, updateAlarm } from '@ithings/contract/features/alarms/config.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Tabs, Tooltip } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { AlarmRecords } from '#blocks/alarm-records/alarm-records.tsx'
import { enabledLooks } from '#blocks/enabled-status.ts'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { usePageName } from '#kit/page-name.ts'
import { alarmEditPath, paths } from '#kit/paths.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { QueryError } from '#kit/states/loaded.tsx'
import { MayOpen } from '#kit/states/may-open.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { useUrlState } from '#kit/url-state.ts'
import '../parts/alarms.css'
import { CreateBase, EditBase } from '../parts/save/base-form.tsx'
import { NotifyForm } from '../parts/save/notify-form.tsx'
import '../parts/save/save.css'
import { Locked } from '#kit/rights.tsx'
import { ScenesTab } from '../parts/save/scenes-tab.tsx'
import { alarmQuery } from '../queries.ts'

const tabs = ['base', 'scenes', 'notify', 'records'] as const
type Tab = (typeof tabs)[number]
const tabLabels: Record<Tab, string> = {
  base: '基础配置',
  scenes: '关联场景',
  notify: '通知',
  records: '告警记录',
}

const urlSchema = z.object({ id: z.coerce.number().int().positive().optional(), tab: z.enum(tabs) })
const urlDefaults = { tab: 'base' } as const

/** screens.md 24: what belongs to a saved alarm waits until there is one. */
function NewAlarm() {
  const navigate = useNavigate()
  usePageName(t('新增告警'))
  return (
    <>
      <PageHeading title={t('新增告警')} />
      <Tabs
        activeKey="base"
        items={tabs.map((key) => ({
          key,
          disabled: key !== 'base',
          label:
            key === 'base' ? t(tabLabels[key]) : <Tooltip title={t('请先保存基础配置')}>{t(tabLabels[key])}</Tooltip>,
          children:
            key === 'base' ? (
              <CreateBase onCreated={(id) => void navigate(alarmEditPath(id, 'scenes'), { replace: true })} />
            ) : null,
        }))}
      />
    </>
  )
}

function EditAlarm({ alarm, tab, onTab }: { alarm: AlarmInfo; tab: Tab; onTab: (tab: Tab) => void }) {
  usePageName(alarm.name)
  const [saves, setSaves] = useState(0)
  const saved = () => setSaves(saves + 1)
  const pane = (key: Tab) => {
    switch (key) {
      case 'base':
        return (
          <Locked unless={updateAlarm}>
            <EditBase key={saves} alarm={alarm} onSaved={saved} />
          </Locked>
        )
      case 'scenes':
        return <ScenesTab alarm={alarm} />
      case 'notify':
        return (
          <Locked unless={updateAlarm}>
            <NotifyForm key={saves} alarm={alarm} onSaved={saved} />
          </Locked>
        )
      case 'records':
        return (
          <AlarmRecords
            subject={{ alarmID: alarm.id }}
            empty={{ title: t('还没有告警记录'), text: t('启用并被场景触发后，记录出现在这里。') }}
          />
        )
    }
  }
  const counts: Partial<Record<Tab, number>> = { scenes: alarm.sceneCount, records: alarm.openCount }
  return (
    <>
      <PageHeading
        title={
          <span className="inline-row wrap gap-8">
            {alarm.name}
            <AlarmLevelMark level={alarm.level} filled />
            <StatusTag filled looks={enabledLooks} value={alarm.status || AlarmStatus.enabled} />
          </span>
        }
      />
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => onTab(tabs.find((one) => one === key) ?? 'base')}
        items={tabs.map((key) => ({
          key,
          label: counts[key] ? `${t(tabLabels[key])} ${counts[key]}` : t(tabLabels[key]),
          children: key === tab ? pane(key) : null,
        }))}
      />
    </>
  )
}

export function AlarmConfigSave() {
  const navigate = useNavigate()
  const [{ id, tab }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const query = useQuery({ ...alarmQuery(id ?? 0), enabled: id !== undefined })
  const { data, error } = query
  if (id === undefined)
    return (
      <MayOpen needs={createAlarm} subject={t('新增告警')}>
        <NewAlarm />
      </MayOpen>
    )
  if (error && describeError(error).code === errors.notFound.code) {
    return (
      <StateBlock
        variant="no-match"
        title={t('这个告警不存在')}
        text={t('它可能已经被删除。')}
        action={<Button onClick={() => void navigate(paths.alarms)}>{t('返回告警配置')}</Button>}
      />
    )
  }
  if (error && !data) return <QueryError subject={t('告警配置')} query={query} />
  if (!data) return <Skeleton active paragraph={{ rows: 8 }} />
  return <EditAlarm key={data.id} alarm={data} tab={tab} onTab={(next) => setUrl({ tab: next })} />
}
