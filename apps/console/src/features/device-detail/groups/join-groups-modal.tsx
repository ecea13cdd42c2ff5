import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { Group } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, TreeSelect } from 'antd'
import { useId, useState } from 'react'
import { groupsOfDeviceQuery, useAddToGroup } from '#blocks/device/queries.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { PhoneModal } from '#kit/phone-modal.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { groupChoices } from './group-choices.ts'

/** Joins one group after the other; a group that refuses stays chosen and is named. */
function useJoin(device: Device, groups: readonly Group[] | undefined, onDone: (count: number) => void) {
  const { mutateAsync } = useAddToGroup()
  const [chosen, setChosen] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const [failures, setFailures] = useState<string[]>([])
  const nameOf = (groupID: string) => groups?.find((group) => group.groupID === groupID)?.groupName ?? groupID
  const save = async () => {
    setBusy(true)
    setFailures([])
    const refused = new Map<string, string>()
    for (const groupID of chosen) {
      try {
        await mutateAsync({ groupID, list: [device] })
      } catch (error) {
        refused.set(groupID, t('{name}：{reason}', { name: nameOf(groupID), reason: describeError(error).reason }))
      }
    }
    setBusy(false)
    setFailures([...refused.values()])
    setChosen([...refused.keys()])
    if (refused.size === 0) onDone(chosen.length)
  }
  return { chosen, setChosen, busy, failures, save: () => void save() }
}

/** Several groups at once. */
export function JoinGroupsModal({ device, open, onClose }: { device: Device; open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const id = useId()
  const all = useQuery(allGroupsQuery)
  const own = useQuery(groupsOfDeviceQuery(device))
  const choices = useMemo(
    () => groupChoices(all.data ?? [], new Set(own.data?.list.map(({ groupID }) => groupID))),
    [all.data, own.data],
  )
  const { chosen, setChosen, busy, failures, save } = useJoin(device, all.data, (count) => {
    void message.success(t('已加入 {count} 个分组', { count }))
    onClose()
  })
  return (
    <PhoneModal
      title={t('加入分组')}
      open={open}
      width={560}
      className="form-modal"
      destroyOnHidden
      onCancel={() => !busy && onClose()}
      footer={
        <div className="flex at-end touches gap-8">
          <Button disabled={busy} onClick={onClose}>
            {t('取消')}
          </Button>
          <Button type="primary" loading={busy} disabled={chosen.length === 0} onClick={save}>
            {t('加入')}
          </Button>
        </div>
      }
    >
      <div className="stack gap-12">
        <label htmlFor={id}>{t('设备可以同时在几个分组里，原有的分组不变。')}</label>
        <TreeSelect
          id={id}
          multiple
          style={{ width: '100%' }}
          placeholder={t('选择分组，可多选')}
          showSearch={{ treeNodeFilterProp: 'label' }}
          treeDefaultExpandAll
          loading={all.isPending}
          disabled={busy}
          treeData={choices}
          value={chosen}
          onChange={setChosen}
          notFoundContent={all.isPending ? t('正在读取分组') : t('还没有分组')}
        />
        {all.isError && (
          <Alert
            type="error"
            showIcon
            title={t('分组读取失败：{reason}', { reason: describeError(all.error).reason })}
            action={
              <Button size="small" onClick={() => void all.refetch()}>
                {t('重试')}
              </Button>
            }
          />
        )}
        {failures.length > 0 && (
          <Alert type="error" showIcon title={t('未加入 {reasons}', { reasons: failures.join(t('；')) })} />
        )}
      </div>
    </PhoneModal>
  )
}
