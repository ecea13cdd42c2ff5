import {
  type AlarmInfo,
  AlarmStatus,
  createAlarm,
  deleteAlarm,
  updateAlarm,
} from '@ithings/contract/features/alarms/config.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { alarmEditPath, paths } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useAlarmWork } from '../../queries.ts'
import { FailureList } from '../failure-list.tsx'
import { isEnabled } from './alarm-columns.tsx'

const deleteTexts = {
  enabled:
    '它正在启用，删除后不再告警。它的告警记录、日志和处理记录一起删除，与 {count} 个场景的关联解除。此操作不可恢复。',
  disabled: '它的告警记录、日志和处理记录一起删除，与 {count} 个场景的关联解除。此操作不可恢复。',
}

/** Switching, deleting and the actions of a row. */
export function useAlarmActions(onCopy: (alarm: AlarmInfo) => void) {
  const navigate = useNavigate()
  const may = useMay()
  const confirm = useConfirm()
  const { message, modal } = App.useApp()
  const work = useAlarmWork()
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set())

  /** What could not be switched is named, the rest is done. */
  const switchAll = async (alarms: readonly AlarmInfo[], on: boolean) => {
    const status = on ? AlarmStatus.enabled : AlarmStatus.disabled
    setBusy((before) => new Set([...before, ...alarms.map(({ id }) => id)]))
    const failed: { id: number; name: string; msg: string }[] = []
    for (const { id, name } of alarms) {
      try {
        await work.update({ id, status })
      } catch (error) {
        failed.push({ id, name, msg: describeError(error).reason })
      }
    }
    setBusy((before) => new Set([...before].filter((id) => !alarms.some((alarm) => alarm.id === id))))
    if (failed.length > 0) {
      const counts = { done: alarms.length - failed.length, failed: failed.length }
      modal.error({
        title: on ? t('{done} 个已启用，{failed} 个失败', counts) : t('{done} 个已禁用，{failed} 个失败', counts),
        content: <FailureList rows={failed} />,
      })
    } else void message.success(on ? t('启用成功') : t('禁用成功'))
  }

  const askDelete = (alarm: AlarmInfo) =>
    confirm({
      title: t('删除告警「{name}」？', { name: alarm.name }),
      content: t(isEnabled(alarm) ? deleteTexts.enabled : deleteTexts.disabled, { count: alarm.sceneCount }),
      danger: true,
      okText: t('删除'),
      onOk: () => work.remove(alarm.id),
      done: t('删除成功'),
    })

  const actionsOf = (alarm: AlarmInfo): RowAction[] => [
    {
      key: 'edit',
      label: may(updateAlarm) ? t('编辑') : t('查看'),
      onClick: () => void navigate(alarmEditPath(alarm.id)),
    },
    {
      key: 'scenes',
      label: t('关联场景', { context: 'act' }),
      onClick: () => void navigate(alarmEditPath(alarm.id, 'scenes')),
    },
    {
      key: 'records',
      label: t('查看记录'),
      onClick: () => void navigate(`${paths.alarmQueue}?tab=all&alarmID=${alarm.id}`),
    },
    { key: 'copy', label: t('复制'), needs: createAlarm, onClick: () => onCopy(alarm) },
    {
      key: 'delete',
      label: t('删除'),
      needs: deleteAlarm,
      danger: true,
      onClick: () => askDelete(alarm),
    },
  ]
  return { busy, switchAll, actionsOf }
}
